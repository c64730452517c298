//! Makes a page of a summary, for whoever has no terminal: the same text in the same colours.

use maud::{DOCTYPE, PreEscaped, html};

use super::scrolled;

/// The codes of a terminal, each with the tag that it begins or ends.
const SPANS: [(&str, &str); 5] = [
    ("\x1b[0m", "</strong>"),
    ("\x1b[1m", "<strong>"),
    ("\x1b[1;31m", "<strong class=\"bad\">"),
    ("\x1b[32m", "<strong class=\"good\">"),
    ("\x1b[33m", "<strong class=\"open\">"),
];

/// Returns the page of a coloured summary as HTML. It refers to nothing outside of it, and no script runs in it.
pub fn page(title: &str, summary: &str) -> String {
    let text = html! { (summary) }.into_string();
    // Only now: tags that were there before have been escaped, and these are the page's own.
    let text = SPANS.iter().fold(text, |text, (code, span)| text.replace(code, span));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (title) }
                style { (PreEscaped(super::STYLE)) }
            }
            body { main { h1 { (title) } (scrolled("report", html! { pre { (PreEscaped(text)) } })) } }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_text_and_colours_are_spans() {
        let text = page("<a>", "\x1b[1;31m1 < 2 && \"x\"\x1b[0m <script>\n");
        assert!(text.contains("<title>&lt;a&gt;</title>"), "{text}");
        let line = "<strong class=\"bad\">1 &lt; 2 &amp;&amp; &quot;x&quot;</strong> &lt;script&gt;\n";
        assert!(text.contains(line) && !text.contains('\x1b'), "{text}");
    }
}
