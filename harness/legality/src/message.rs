//! The lines that ptxas prints about a module, read one at a time.

/// A line that ptxas prints about a module.
#[derive(Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// An error at a line of the module, counted from 1.
    At { line: usize, text: &'a str },
    /// An error at a line of the module where ptxas stopped reading.
    StoppedAt { line: usize, text: &'a str },
    /// An error of the whole module: ptxas gives up, or never began.
    GivesUp(&'a str),
    /// A warning or a remark, which is no verdict.
    Remark,
}

impl Message<'_> {
    /// Reads a line like `ptxas m.ptx, line 7; error   : …`; returns `None` if it is none of ptxas's.
    pub fn read(text: &str) -> Option<Message<'_>> {
        let rest = text.strip_prefix("ptxas ")?;
        let (place, rest) = match rest.split_once(", line ") {
            Some((_, rest)) => {
                let (line, rest) = rest.split_once(';')?;
                (Some(line.parse().ok()?), rest)
            }
            None => (None, rest),
        };
        let (severity, text) = rest.split_once(':')?;
        let text = text.trim();
        match (severity.trim(), place) {
            ("error", Some(line)) => Some(Message::At { line, text }),
            ("fatal", Some(line)) => Some(Message::StoppedAt { line, text }),
            ("error" | "fatal", None) => Some(Message::GivesUp(text)),
            ("warning" | "info", _) => Some(Message::Remark),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind_are_read() {
        for (line, message) in [
            (
                "ptxas /tmp/m.ptx, line 12; error   : no such thing as '.x', line 3; really",
                Some(Message::At { line: 12, text: "no such thing as '.x', line 3; really" }),
            ),
            (
                "ptxas m.ptx, line 2; fatal   : what is this: a target?",
                Some(Message::StoppedAt { line: 2, text: "what is this: a target?" }),
            ),
            ("ptxas fatal   : enough", Some(Message::GivesUp("enough"))),
            ("ptxas error   : no memory", Some(Message::GivesUp("no memory"))),
            ("ptxas m.ptx, line 1; warning : old", Some(Message::Remark)),
            ("ptxas info    : by the way", Some(Message::Remark)),
            ("ptxas m.ptx, line x; error : odd", None),
            ("ptxas m.ptx, line 3; sorrow : odd", None),
            ("Segmentation fault", None),
            ("", None),
        ] {
            assert_eq!(Message::read(line), message, "{line}");
        }
    }
}
