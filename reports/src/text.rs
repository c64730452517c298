//! Helpers for plain text: what is fit for a terminal, numbers with commas, lines of a given width.

use std::borrow::Cow;

/// The largest width of a line in characters, save a command or a name that is to be copied. On a narrower terminal
/// lines are no wider than that terminal.
const WIDTH: usize = 100;
/// The least width in characters that is believed of a terminal, even if it says that it is narrower.
const WIDTH_MIN: usize = 20;
/// A space at which no line is broken.
pub(crate) const FIRM: &str = "\u{a0}";

/// Returns the text on one line, without characters that do something to a terminal or to the reader's eye.
/// Whatever comes from outside is printed through this.
pub fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { plain(letter) }).collect()
}

/// Returns the text with its lines, each of them as [`printable`] returns it.
pub fn printable_lines(text: &str) -> String {
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    let first = printable(lines.next().unwrap_or_default());
    lines.fold(first, |before, line| before + "\n" + &printable(line))
}

/// Returns JSON text of the same value with `\u202e` and the like in the place of characters that do something to a
/// terminal. Such characters occur inside of strings only.
pub fn printable_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    // The runner of GitHub Actions takes `##[` for the beginning of a command, wherever it stands.
    let json = json.replace("##[", r"#\u0023[");
    for letter in json.chars() {
        if letter == '\n' || plain(letter) == letter {
            out.push(letter);
        } else {
            // JSON escapes UTF-16 units, two of them beyond the first plane.
            letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}"));
        }
    }
    out
}

/// Returns text without commands to the runner of GitHub Actions, which obeys what a step prints: a line that begins
/// with `::`, and `##[` anywhere. A space within either is enough.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    let begins = |line: &str| line.trim_start().starts_with("::");
    if !text.contains("##[") && !text.lines().any(begins) {
        return Cow::Borrowed(text);
    }
    let line = |line: &str| match begins(line) {
        true => line.replacen("::", ": :", 1),
        false => line.to_owned(),
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    Cow::Owned(lines.join("\n").replace("##[", "## ["))
}

/// Returns the character, or a replacement for one that is not seen. Control characters begin the sequences that a
/// terminal obeys; characters of direction and of no width make a line look like another one.
fn plain(letter: char) -> char {
    match letter {
        _ if letter.is_control() => '\u{fffd}',
        // Marks, embeddings, overrides and isolates of direction.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            '\u{fffd}'
        }
        // Nothing to see, or the ends of lines for some terminals.
        '\u{ad}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => '\u{fffd}',
        _ => letter,
    }
}

/// Breaks the text into lines of at most so many columns, all indented alike, as a summary has them.
pub fn wrapped(text: &str, indent: usize, columns: Option<usize>) -> String {
    in_lines(text, width(columns), indent, indent)
}

/// Breaks the text into lines of at most `width` characters: the first indented by `first`, the others by `rest`. A
/// word that is longer than a line is broken; what [`FIRM`] joins is one word.
pub(crate) fn in_lines(text: &str, width: usize, first: usize, rest: usize) -> String {
    let mut lines = vec![" ".repeat(first)];
    let mut room = width - first;
    let mut fresh = true;
    // The firm space is whitespace to Rust, too.
    let breaks = |letter: char| letter.is_whitespace() && !FIRM.contains(letter);
    for word in text.split(breaks).filter(|word| !word.is_empty()) {
        let mut word: Vec<char> = word.replace(FIRM, " ").chars().collect();
        loop {
            let gap = usize::from(!fresh);
            if gap + word.len() <= room {
                let line = lines.last_mut().expect("there is always a line");
                line.extend(std::iter::repeat_n(' ', gap).chain(word.iter().copied()));
                room -= gap + word.len();
                fresh = false;
                break;
            }
            // Only a word that has a line to itself is broken.
            if fresh {
                let rest = word.split_off(room);
                lines.last_mut().expect("there is always a line").extend(word);
                word = rest;
            }
            lines.push(" ".repeat(rest));
            room = width - rest;
            fresh = true;
        }
    }
    lines.join("\n") + "\n"
}

/// Returns how many columns lines have on a terminal of so many `columns`, or where there is no terminal.
pub(crate) fn width(columns: Option<usize>) -> usize {
    columns.unwrap_or(WIDTH).clamp(WIDTH_MIN, WIDTH)
}

/// Formats a number with commas between groups of three digits.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a number and the noun that it counts, in the plural unless the number is 1.
pub fn counted(number: u64, what: &str) -> String {
    let plural = match what {
        _ if number == 1 => "",
        _ if what.ends_with(['s', 'h']) => "es",
        _ => "s",
    };
    format!("{} {what}{plural}", thousands(number))
}

/// Returns what somebody typed, for a message: of a long text only so much that it is known again, 60 characters.
pub fn excerpt(text: &str) -> String {
    elided(text, 60)
}

/// Returns the text in at most `width` characters, with the middle left out where it is longer.
pub(crate) fn elided(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let tail = (width - 1) / 2;
    let head = width - 1 - tail;
    text.chars().take(head).chain(['…']).chain(text.chars().skip(count - tail)).collect()
}

/// Returns the text as one word of a shell's command line, in quotes where it needs them.
pub fn quoted(text: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "-_./:@%+=,".contains(char);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        // Within single quotes a shell changes nothing; a quote itself stands outside of them, escaped.
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(312_345_678), "312,345,678");
        assert_eq!(counted(1, "mismatch"), "1 mismatch");
        assert_eq!(counted(2, "mismatch"), "2 mismatches");
        assert_eq!(counted(4000, "class"), "4,000 classes");
    }

    #[test]
    fn control_characters_do_not_reach_a_terminal() {
        assert_eq!(printable("a\x1b[1;31mb\r\nc\0\t\u{2028}"), "a\u{fffd}[1;31mb  c\u{fffd}  ");
        let hidden = "\u{9b}\u{202e}\u{2066}\u{200f}\u{61c}\u{200b}\u{feff}\u{ad}\u{e0041}";
        assert!(printable(hidden).chars().all(|letter| letter == '\u{fffd}'), "{:?}", printable(hidden));
        assert_eq!(printable("×2^-7, ½ naïve 測試"), "×2^-7, ½ naïve 測試");
        assert_eq!(printable_lines("a\r\nb\u{202e}\n"), "a\nb\u{fffd}\n");
    }

    #[test]
    fn json_without_control_characters_is_the_same_value() {
        let text = "a\u{1b}[31m \u{7f}\u{202e} \u{e0041}\" ×";
        let json = serde_json::to_string_pretty(&[text]).expect("JSON");
        let printed = printable_json(&json);
        assert!(printed.chars().all(|letter| letter == '\n' || plain(letter) == letter), "{printed:?}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&printed).expect("JSON"), [text]);
    }

    #[test]
    fn no_line_is_a_command_to_a_runner() {
        let text = "a ::error::b\n::error::c\n \t::warning file=a::d\n##[error]e\r\nf";
        let due = "a ::error::b\n: :error::c\n \t: :warning file=a::d\n## [error]e\r\nf";
        assert_eq!(without_commands(text), due);
        let name = "mma.kind::mxf8f6f4\n";
        assert!(matches!(without_commands(name), Cow::Borrowed(same) if same == name));
        let json = printable_json("[\"##[error]\"]");
        assert!(!json.contains("##["), "{json}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&json).expect("JSON"), ["##[error]"]);
    }

    #[test]
    fn wrapping_keeps_the_width_and_every_word() {
        let text = "word ".repeat(50) + &"x".repeat(250) + " end";
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        for columns in [None, Some(80), Some(20), Some(0), Some(1000)] {
            let width = width(columns);
            assert!((20..=100).contains(&width));
            let lines = in_lines(&text, width, 2, 6);
            assert!(lines.lines().all(|line| line.chars().count() <= width));
            assert_eq!(squeezed(&lines), squeezed(&text));
        }
        assert_eq!(in_lines("", width(None), 2, 4), "  \n");
    }

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(elided("12345", 5), "12345");
        assert_eq!(elided("123456", 5), "12…56");
    }

    #[test]
    fn a_shell_reads_one_word() {
        assert_eq!(quoted("target/report.json"), "target/report.json");
        assert_eq!(quoted("my report's"), r"'my report'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
