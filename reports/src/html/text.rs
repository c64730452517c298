//! A summary as a page of its own, for whoever has no terminal: the same text in the same colours.

/// What a code of a terminal begins.
const SPANS: [(&str, &str); 5] = [
    ("\x1b[0m", "</span>"),
    ("\x1b[1m", "<span class=bold>"),
    ("\x1b[1;31m", "<span class=red>"),
    ("\x1b[32m", "<span class=green>"),
    ("\x1b[33m", "<span class=yellow>"),
];

const HEAD: &str = "<!doctype html>\n<meta charset=utf-8>\n<style>body{font:14px/1.4 monospace;margin:2em}\
                    .bold{font-weight:bold}.red{color:#b00;font-weight:bold}.green{color:#070}.yellow{color:#960}\
                    </style>\n";

/// A page of a coloured summary. It refers to nothing outside of it.
pub fn page(title: &str, summary: &str) -> String {
    let body = SPANS.iter().fold(escaped(summary), |text, (code, span)| text.replace(code, span));
    format!("{HEAD}<title>{}</title>\n<pre>\n{body}</pre>\n", escaped(title))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_text_and_colours_are_spans() {
        let text = page("<a>", "\x1b[1;31m1 < 2 && \"x\"\x1b[0m <script>\n");
        assert!(text.contains("<title>&lt;a&gt;</title>"), "{text}");
        let line = "<span class=red>1 &lt; 2 &amp;&amp; &quot;x&quot;</span> &lt;script&gt;\n";
        assert!(text.contains(line) && !text.contains('\x1b'), "{text}");
    }
}
