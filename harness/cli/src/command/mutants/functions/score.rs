//! Counts what became of the mutants of functions, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use clap::ValueEnum;
use ptx::mutation::Edit;
use selection::budget::Tier;
use serde::Serialize;

use super::reasons::Reason;

/// The name of a mutant: no two mutants of one function have the same text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MutantName {
    /// The name of the function.
    pub function: String,
    /// The instruction and what became of it, with an arrow between them.
    pub text: String,
}

impl fmt::Display for MutantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.function, self.text)
    }
}

/// The fate of a mutant.
#[derive(Clone, Debug)]
pub enum Fate {
    /// `judge` finds a wrong result.
    Caught,
    /// `judge` cannot read or execute the mutant, and says so.
    Refused,
    /// The mutant gives a right result for every input.
    Proven,
    /// No result is wrong, and this reason says why.
    Explained(String),
    /// `judge` cannot see what is wrong, by this limit.
    Limit(String),
    /// A deeper tier has a wrong result of a mutant that a reason says to be right.
    Refuted,
    /// No reason says why the mutant is not noticed.
    Survived,
}

impl Fate {
    /// Returns the fate of a mutant that is right on all vectors and not proven, with the reason if there is one.
    pub fn of_survivor(reason: Option<&Reason>) -> Fate {
        match reason {
            Some(Reason::Right(why)) => Fate::Explained(why.clone()),
            Some(Reason::Limit(limit)) => Fate::Limit(limit.clone()),
            None => Fate::Survived,
        }
    }
}

/// The number of mutants of each fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All mutants.
    pub mutants: u64,
    /// The mutants of which a wrong result was found.
    pub caught: u64,
    /// The mutants that were refused.
    pub refused: u64,
    /// The mutants that are right for every input.
    pub proven: u64,
    /// The mutants that a reason says to be right.
    pub explained: u64,
    /// The mutants whose wrong results `judge` cannot see, by limits that its page states.
    pub limits: u64,
    /// The mutants that are not noticed although they may be wrong.
    pub survived: u64,
}

impl Counts {
    /// The columns of the table, in order.
    const COLUMNS: [&str; 7] =
        ["mutants", "caught", "refused", "proven", "explained", "limits", "survived"];

    fn count(&mut self, fate: &Fate) {
        self.mutants += 1;
        *match fate {
            Fate::Caught => &mut self.caught,
            Fate::Refused => &mut self.refused,
            Fate::Proven => &mut self.proven,
            Fate::Explained(_) => &mut self.explained,
            Fate::Limit(_) => &mut self.limits,
            Fate::Refuted | Fate::Survived => &mut self.survived,
        } += 1;
    }

    /// Returns the counts in the order of [`Counts::COLUMNS`].
    const fn columns(&self) -> [u64; 7] {
        let Counts { mutants, caught, refused, proven, explained, limits, survived } = *self;
        [mutants, caught, refused, proven, explained, limits, survived]
    }
}

/// The score of one function.
#[derive(Debug, Serialize)]
pub struct FunctionScore {
    /// The name of the function.
    pub name: String,
    /// The text of what it computes.
    pub meaning: String,
    /// The fates of its mutants.
    #[serde(flatten)]
    pub counts: Counts,
}

/// A mutant that is not noticed.
#[derive(Debug, Serialize)]
pub struct Unnoticed {
    /// The name of the mutant.
    #[serde(flatten)]
    pub name: MutantName,
    /// The kind of edit.
    pub edit: &'static str,
    /// The reason, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The fates of all mutants.
#[derive(Debug, Serialize)]
pub struct Score {
    /// The tier on which mutants were tried that the quick tier does not notice.
    pub tier: String,
    /// The counts of all functions together.
    pub totals: Counts,
    /// The counts for each kind of edit.
    pub edits: BTreeMap<&'static str, Counts>,
    /// The counts for each function.
    pub functions: Vec<FunctionScore>,
    /// The mutants that are explained.
    pub explained: Vec<Unnoticed>,
    /// The mutants that are wrong beyond a limit of `judge`.
    pub limits: Vec<Unnoticed>,
    /// The mutants that survived.
    pub survivors: Vec<Unnoticed>,
    /// The mutants that are wrong although a reason says that they are right.
    pub refuted: Vec<Unnoticed>,
    /// The mutants that are explained and need no explanation.
    pub stale: Vec<String>,
}

impl Score {
    /// Makes the empty score of functions, which are given with their meanings.
    pub fn of(tier: Tier, functions: impl Iterator<Item = (String, String)>) -> Score {
        let tier = tier.to_possible_value().map(|value| value.get_name().to_owned());
        let empty = |(name, meaning)| FunctionScore { name, meaning, counts: Counts::default() };
        Score {
            tier: tier.unwrap_or_default(),
            totals: Counts::default(),
            edits: BTreeMap::new(),
            functions: functions.map(empty).collect(),
            explained: Vec::new(),
            limits: Vec::new(),
            survivors: Vec::new(),
            refuted: Vec::new(),
            stale: Vec::new(),
        }
    }

    /// Counts the fate of a mutant, and lists it if it is not noticed.
    pub fn count(&mut self, name: &MutantName, edit: Edit, fate: Fate) {
        self.totals.count(&fate);
        self.edits.entry(edit.name()).or_default().count(&fate);
        let function = self.functions.iter_mut().find(|function| function.name == name.function);
        if let Some(function) = function {
            function.counts.count(&fate);
        }
        let (list, why) = match fate {
            Fate::Caught | Fate::Refused | Fate::Proven => return,
            Fate::Explained(why) => (&mut self.explained, Some(why)),
            Fate::Limit(limit) => (&mut self.limits, Some(limit)),
            Fate::Survived => (&mut self.survivors, None),
            Fate::Refuted => (&mut self.refuted, None),
        };
        list.push(Unnoticed { name: name.clone(), edit: edit.name(), why });
    }

    /// Returns the score as a text: a table, and the mutants that need a look.
    pub fn text(&self) -> String {
        let widest = self.functions.iter().map(|function| function.name.len()).max().unwrap_or(0);
        let mut text = format!("{:widest$}", "");
        for column in Counts::COLUMNS {
            let _ = write!(text, " {column:>9}");
        }
        let all = self.functions.iter().map(|function| (&*function.name, &function.counts));
        for (name, counts) in all.chain([("together", &self.totals)]) {
            let _ = write!(text, "\n{name:widest$}");
            for count in counts.columns() {
                let _ = write!(text, " {count:>9}");
            }
        }
        text.push('\n');
        for (what, list) in [("SURVIVED", &self.survivors), ("WRONGLY EXPLAINED", &self.refuted)] {
            for Unnoticed { name, edit, .. } in list {
                let _ = writeln!(text, "{what}  {name} ({edit})");
            }
        }
        for name in &self.stale {
            let _ = writeln!(
                text,
                "NOT NEEDED  {name}: the mutant is noticed, proven, or does not exist: take it out of survivors.toml"
            );
        }
        let Counts { mutants, caught, refused, proven, explained, limits, survived } = self.totals;
        let _ = writeln!(
            text,
            "{} functions, {mutants} mutants: {caught} caught, {refused} refused, {proven} proven right, {explained} \
             explained, {limits} beyond limits of judge, {survived} survive.",
            self.functions.len()
        );
        text
    }
}
