//! Renders the classes of mismatches. Of those that have a cause in common, one is printed with its first mismatch.

use crate::causes::{Cause, CauseGroup, groups};
use crate::{Class, Datum, Example, VariantReport};

use super::page::Page;
use crate::text::{counted, elided, quoted, thousands};

/// The largest number of groups of classes that are printed.
const GROUPS: usize = 20;
/// The largest number of classes that are named beside the one that is printed.
const NAMED: usize = 4;
/// The largest number of hex digits of a word.
const WORD: usize = 16;

/// The words of the commands that replay a class, beside the class itself.
pub(crate) struct Replay {
    /// The words before the command.
    pub program: &'static str,
    pub path: String,
    pub implementation: Option<String>,
}

/// Returns the classes of the failing variants, group by group, up to a limit. Waived ones are known and stay in
/// the report.
pub(super) fn classes(variants: &[VariantReport], replay: Option<&Replay>, page: Page) -> String {
    let groups = groups(variants);
    let mut parts: Vec<String> =
        groups.iter().take(GROUPS).map(|group| text(group, replay, page)).collect();
    let more: usize = groups.iter().skip(GROUPS).map(|group| group.classes.len()).sum();
    if more > 0 {
        let text = format!("and {} more in the report", counted(more as u64, "class"));
        parts.push(page.wrapped(&text, 0, 2));
    }
    parts.join("\n")
}

/// The largest number of causes that are told before the classes.
const CAUSES: usize = 5;

/// Returns the causes of most variants, a line each, where more classes fail than are printed.
pub(super) fn causes(variants: &[VariantReport], page: Page) -> String {
    let mut groups = groups(variants);
    let classes: usize = groups.iter().map(|group| group.classes.len()).sum();
    if classes <= GROUPS {
        return String::new();
    }
    groups.sort_by_cached_key(|group| std::cmp::Reverse(group.variants()));
    let line = |group: &CauseGroup| {
        let variants = counted(group.variants() as u64, "variant");
        page.wrapped(&format!("{variants}: {}", group.words()), 2, 4)
    };
    let lines: String = groups.iter().take(CAUSES).map(line).collect();
    let rest: usize = groups.iter().skip(CAUSES).map(|group| group.classes.len()).sum();
    let title = format!("behind {}:", counted(classes as u64, "class"));
    let others = match rest {
        0 => String::new(),
        rest => page.wrapped(&format!("{} of other causes", counted(rest as u64, "class")), 2, 4),
    };
    format!("{}\n{lines}{others}", page.bold(&title))
}

/// Counts and names the classes of a group but for the first.
fn count_others(group: &CauseGroup, page: Page) -> String {
    let classes = &group.classes[1..];
    if classes.is_empty() {
        return String::new();
    }
    let many = counted(classes.len() as u64, "more class");
    let are = match group.cause {
        Cause::Ignored(_) | Cause::Flaws(_) => format!("{many} with the same cause"),
        Cause::Unexplained { operation, .. } => format!("{many} of {operation} like this"),
    };
    let mismatches = counted(group.mismatches().saturating_sub(group.classes[0].count), "mismatch");
    let mut names: Vec<&str> = classes.iter().take(NAMED).map(|class| &*class.id).collect();
    if classes.len() > NAMED {
        names.push("…");
    }
    page.wrapped(&format!("{are}, {mismatches}: {}", names.join(", ")), 2, 4)
}

/// Returns the text of a group of classes: the first, and the names of others.
pub(super) fn text(group: &CauseGroup, replay: Option<&Replay>, page: Page) -> String {
    let class = group.classes[0];
    let count = counted(class.count, "mismatch");
    let fits = class.id.chars().count() + 2 + count.len() <= page.width;
    let gap = if fits { "  " } else { "\n  " };
    let mut out = format!("{}{gap}{count}\n", page.bold(&class.id));
    out += &page.wrapped(&class.diagnosis, 2, 2);
    out += &explanation(class, page);
    if let Some(first) = class.examples.first() {
        let text = format!("first mismatch: sweep {}, vector {}", first.sweep, thousands(first.index));
        let shown = class.simplest.as_ref().unwrap_or(first);
        let simpler = shown.operands != first.operands;
        out += &page.wrapped(&(text + if simpler { "; the simplest mismatch:" } else { "" }), 2, 4);
        out += &example(shown, page);
    }
    out += &count_others(group, page);
    // What another function gives is not in the report.
    if let Some(replay) = replay.filter(|_| !class.id.starts_with("the bits of ")) {
        // Commands are there to be copied, so they are never broken, however narrow the terminal is.
        out += &format!("  replay: {}\n", replay_command(class, replay));
        out += &explain_command(class, replay.program)
            .map_or(String::new(), |of| format!("  explain: {of}\n"));
    }
    out
}

/// Whether a name is the meaning of a user's own code, and no instruction's.
pub(crate) fn is_own_meaning(name: &str) -> bool {
    const SIGNS: [&str; 8] = [" ", "(a)", "(a,", "(b)", "(b,", "(c)", "(c,", "(0x"];
    // The names of all instructions have a point, and those of functions such as `expf` have none.
    !name.contains('.') || SIGNS.iter().any(|sign| name.contains(sign))
}

/// Returns the command that runs the mismatches of a class again.
pub(crate) fn replay_command(class: &Class, replay: &Replay) -> String {
    let Replay { program, path, implementation } = replay;
    let named = implementation.as_ref().map(|name| format!(" --impl {}", quoted(name)));
    let named = named.unwrap_or_default();
    format!("{program} replay {} --class {}{named}", quoted(path), quoted(&class.id))
}

/// Returns the command that explains, step by step, the example of a class that is printed; `None` if there is
/// none. `program` stands before it.
pub(crate) fn explain_command(class: &Class, program: &str) -> Option<String> {
    let shown = class.simplest.as_ref().or(class.examples.first())?;
    let (variant, _) = class.id.rsplit_once('/')?;
    if is_own_meaning(variant) {
        return None;
    }
    let bits = shown.operands.iter().map(|operand| format!(" {}", quoted(&row(&operand.bits))));
    Some(format!("{program} explain {}{}", quoted(variant), bits.collect::<String>()))
}

/// Returns the bits of a row; of a wide one without the zeros that it begins with, which are its last elements.
fn row(bits: &str) -> String {
    match bits.strip_prefix("0x") {
        Some(digits) if digits.len() > WORD => match digits.trim_start_matches('0') {
            "" => "0x0".into(),
            digits => format!("0x{digits}"),
        },
        _ => bits.to_owned(),
    }
}

/// The most causes that are told beside the first one.
const OTHERS: usize = 3;

/// Returns, in lines, what a class comes from, as far as it was looked into.
pub(super) fn explanation(class: &Class, page: Page) -> String {
    explained(class).map_or(String::new(), |text| page.wrapped(&text, 2, 4))
}

/// Says in a sentence what a class comes from; `None` if it was not looked into.
pub(crate) fn explained(class: &Class) -> Option<String> {
    let Some(explanation) = &class.explanation else {
        // No causes are looked for where the code has a meaning of its own.
        let own = class.id.rsplit_once('/').is_some_and(|(name, _)| is_own_meaning(name));
        return class.simplest.as_ref().filter(|_| !own).map(|_| "unexplained".into());
    };
    // The wrong model gives the results of all mismatches that were run again.
    let mismatches = match explanation.mismatches {
        1 => "the one mismatch that was".into(),
        tried => format!("all {} mismatches that were", thousands(tried)),
    };
    let others = match &explanation.others[..] {
        [] => String::new(),
        others => {
            let words = |other: &String| explanation.other_words.get(other).unwrap_or(other).clone();
            let told: Vec<String> = others.iter().take(OTHERS).map(words).collect();
            let more = match others.len().saturating_sub(OTHERS) {
                0 => String::new(),
                more => format!("; or one of {} in the report", counted(more as u64, "more cause")),
            };
            format!(". Also possible: {}{more}", told.join("; or: "))
        }
    };
    let right = match explanation.agreeing {
        0 => "; no agreeing vector was run again".into(),
        agreeing => format!(", and the right result in {}", counted(agreeing, "agreeing vector")),
    };
    let words = &explanation.words;
    Some(format!(
        "{words}: a model with this fault gives the same wrong result in {mismatches} run again{right}{others}"
    ))
}

/// A line about an operand, a result or one value of it.
struct ValueLine {
    label: String,
    ty: String,
    bits: String,
    value: String,
    fields: String,
}

/// The widths of the columns of a mismatch's lines.
struct Columns {
    label: usize,
    ty: usize,
    bits: usize,
    value: usize,
    /// Whether a value's fields fit beside it.
    together: bool,
    page: Page,
}

/// The least room, in columns, for bits, values and fields beside their label: in less they stand below it.
const ROOM_MIN: usize = 24;

impl Columns {
    /// Returns the widths that the lines need, cut to the width of the page.
    fn of(lines: &[ValueLine], page: Page) -> Columns {
        let width = |text: fn(&ValueLine) -> &str| {
            lines.iter().map(|line| text(line).chars().count()).max().unwrap_or(0)
        };
        let mut columns = Columns {
            label: width(|line| &line.label),
            ty: width(|line| &line.ty),
            bits: width(|line| &line.bits),
            value: width(|line| &line.value),
            together: false,
            page,
        };
        let fields = width(|line| &line.fields);
        // Room is known only now: it is what labels and types leave.
        let room = columns.columns_left();
        columns.together = columns.bits + 2 + columns.value + 2 + fields <= room;
        columns.bits = columns.bits.min(room);
        columns
    }

    /// Returns the column where the bits begin.
    fn indent(&self) -> usize {
        4 + self.label + 2 + self.ty + 2
    }

    /// Returns how many columns there are from where the bits begin to the end of a line.
    fn columns_left(&self) -> usize {
        self.page.width.saturating_sub(self.indent())
    }

    /// Returns a line as several lines, one for each thing that it says.
    fn stacked(&self, line: &ValueLine) -> String {
        let first = format!("{} {}", line.label.trim(), line.ty);
        let mut text = self.page.wrapped(&first, 4, 6);
        for part in [&line.bits, &line.value, &line.fields].into_iter().filter(|part| !part.is_empty()) {
            text += &self.page.wrapped(part, 6, 6);
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Returns a line in columns, or as several lines where there is no room for that.
    fn text(&self, line: &ValueLine) -> String {
        if self.columns_left() < ROOM_MIN {
            return self.stacked(line);
        }
        let (label, ty, bits, value) = (self.label, self.ty, self.bits, self.value);
        let mut text =
            format!("    {:label$}  {:ty$}  {:bits$}", line.label, line.ty, elided(&line.bits, bits));
        if self.together {
            text += &format!("  {:value$}  {}", line.value, line.fields);
            return text.trim_end().to_owned();
        }
        let indent = self.indent();
        let room = self.columns_left();
        if bits + 2 + line.value.chars().count() <= room {
            text += &format!("  {}", line.value);
        } else {
            text = format!("{}\n{:indent$}{}", text.trim_end(), "", elided(&line.value, room));
        }
        text.truncate(text.trim_end().len());
        if !line.fields.is_empty() {
            text += &format!("\n{:indent$}{}", "", elided(&line.fields, room));
        }
        text
    }
}

/// Returns the lines about the operands and results of one mismatch.
pub(super) fn example(example: &Example, page: Page) -> String {
    let mut out = String::new();
    let mut lines = Vec::new();
    for operand in &example.operands {
        datum(&mut lines, operand.name.clone(), operand, None);
    }
    let results = lines.len();
    for (index, expected) in example.expected.iter().enumerate() {
        datum(&mut lines, format!("expected {}", expected.name), expected, example.actual.get(index));
    }
    let actuals = lines.len();
    for (index, actual) in example.actual.iter().enumerate() {
        datum(&mut lines, format!("actual {}", actual.name), actual, example.expected.get(index));
    }

    let columns = Columns::of(&lines, page);
    for (index, line) in lines.iter().enumerate() {
        // A colour ends with its line.
        for text in columns.text(line).lines() {
            out += &match index {
                _ if index >= actuals => page.red(text),
                _ if index >= results => page.green(text),
                _ => text.to_owned(),
            };
            out.push('\n');
        }
    }
    if let Some(words) = &example.words {
        let kind = if example.actual.is_empty() { "no result" } else { "results" };
        for line in page.wrapped(&format!("{kind}: {words}"), 4, 6).lines() {
            out += &(page.red(line) + "\n");
        }
    }
    if !example.accepted.is_empty() {
        out += &page.wrapped(&format!("also accepted: {}", example.accepted.join("; ")), 4, 6);
    }
    out
}

/// Adds the lines about one operand or result. A packed one has one more for each value, marked where that value
/// differs from the value of the same lane in `other`.
fn datum(lines: &mut Vec<ValueLine>, label: String, datum: &Datum, other: Option<&Datum>) {
    let line = |label: String, ty: &str, bits: &str, value: &str, fields: &str| ValueLine {
        label,
        ty: elided(ty, 16),
        bits: bits.to_owned(),
        value: value.to_owned(),
        fields: fields.to_owned(),
    };
    let label = elided(&label, 20);
    if let [lane] = &datum.lanes[..] {
        lines.push(line(label, &datum.ty, &datum.bits, &lane.value, &lane.fields));
        return;
    }
    lines.push(line(label, &datum.ty, &datum.bits, "", ""));
    let shown = datum.shown_values();
    for &(index, lane) in &shown {
        let counterpart = other.and_then(|other| other.lanes.get(index));
        let differs = counterpart.is_some_and(|counterpart| counterpart.bits != lane.bits);
        let mark = if differs { "≠" } else { " " };
        lines.push(line(format!("{mark} lane {index}"), "", &lane.bits, &lane.value, &lane.fields));
    }
    let others =
        datum.lanes.iter().enumerate().filter(|(index, _)| shown.iter().all(|(at, _)| at != index));
    let zeros = others.clone().filter(|(_, lane)| lane.is_zero()).count();
    let more = match others.count() {
        0 => return,
        count if count == zeros => format!("  and {count} zeros"),
        count => format!("  and {count} more"),
    };
    lines.push(line(more, "", "", "", ""));
}
