//! Where ptxas and the table are known to disagree, and why the table has it its way.

use std::sync::OnceLock;

use vectors::isa::{Contract, Form, Modifier, PtxVersion, Target, Type};

use super::Direction;
use super::spelling::{Operands, Spelling, plain};

/// A known disagreement.
pub struct Explained {
    /// As the table would have it, or `*.` with parts that ptxas takes on top of any legal spelling.
    pub syntax: &'static str,
    /// Which of the two takes it.
    pub direction: Direction,
    /// Why.
    pub reason: &'static str,
    what: What,
    /// Of each of them and of what offers the same, see [`Target::offers`].
    targets: Vec<Target>,
}

enum What {
    /// Every spelling of a row that the table does not have.
    Row(Box<Form>),
    /// A legal spelling with one of these on top.
    Superfluous(Vec<Modifier>, Vec<Type>),
}

/// The list. Each row holds for every spelling and target that it names, and one that no longer
/// does fails the run: it must say what ptxas does, no more and no less.
#[rustfmt::skip] // one row, one line
fn rows() -> Vec<Explained> {
    let takes = Explained::accepted;
    vec![
        takes("*.finite|infinite|number|notanumber|normal|subnormal", "", "sm_20", "not checked outside testp, and ignored"),
        takes("*.pred",                                               "", "sm_20", "not checked among types, and ignored"),
    ]
}

/// The list, read once.
pub fn all() -> &'static [Explained] {
    static ALL: OnceLock<Vec<Explained>> = OnceLock::new();
    ALL.get_or_init(rows)
}

impl Explained {
    /// ptxas accepts it on these targets, and the table does not have it.
    ///
    /// # Panics
    /// On a malformed text, which the tests would find.
    fn accepted(
        syntax: &'static str,
        registers: &'static str,
        targets: &'static str,
        reason: &'static str,
    ) -> Explained {
        let targets = targets.split(',').map(|target| target.parse().expect("a target")).collect();
        let what = match syntax.strip_prefix("*.") {
            None => What::Row(Box::new(Form::new(syntax, registers, Contract::Exact(&[]), "", ""))),
            Some(parts) => What::Superfluous(
                parts.split('|').filter_map(Modifier::named).collect(),
                parts.split('|').filter_map(Type::named).collect(),
            ),
        };
        Explained { syntax, direction: Direction::Accepted, reason, what, targets }
    }

    /// Whether it holds on a target.
    pub fn concerns(&self, target: Target) -> bool {
        self.targets.iter().any(|&first| target.offers(first))
    }

    /// The instructions that it makes a claim on, one by one.
    pub fn claims(&self) -> Vec<(Spelling, Operands)> {
        let What::Row(form) = &self.what else { return Vec::new() };
        let sets = form.modifier_sets();
        let spell = |set: &Vec<Modifier>, types: &[Type]| {
            (Spelling::new(form.operation, set.clone(), types.to_vec()), plain(form.registers))
        };
        form.signatures
            .iter()
            .flat_map(|signature| sets.iter().map(|set| spell(set, &signature.printed)))
            .collect()
    }

    /// Whether the spelling is a legal one with something of this row on top.
    pub fn is_on_top_of(&self, spelling: &Spelling, target: Target, ptx: PtxVersion) -> bool {
        let What::Superfluous(modifiers, types) = &self.what else { return false };
        let modifiers = modifiers.iter().filter(|modifier| spelling.modifiers.contains(modifier));
        let modifiers = modifiers.map(|&modifier| spelling.without(modifier));
        let types = (0..spelling.types.len()).filter(|&at| types.contains(&spelling.types[at]));
        let types = types.map(|at| spelling.without_type(at));
        self.concerns(target) && modifiers.chain(types).any(|rest| rest.is_legal(target, ptx))
    }
}
