//! Tests of the page of a run, as a browser gets it. How it behaves there, `reports/tests/browser.py` tries.

use std::cell::Cell;
use std::io::Read;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reports::html::MOST;
use reports::*;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::samples;
use crate::terminal::expected;

fn page(report: &Report) -> String {
    let style = Style { replay: Some("report.json".into()), ..Style::default() };
    html::page(report, &style, &|variant, _| Some(format!("steps of {variant}")))
}

/// Returns what an element of the page packs.
fn unpacked(page: &str, id: &str) -> Option<Value> {
    let (_, rest) = page.split_once(&format!("id=\"{id}\" type=\"application/octet-stream\">"))?;
    let bytes = BASE64_STANDARD.decode(rest.split('<').next()?).expect("base64");
    let mut json = String::new();
    flate2::read::ZlibDecoder::new(&bytes[..]).read_to_string(&mut json).expect("zlib");
    Some(serde_json::from_str(&json).expect("JSON"))
}

/// Returns the name of each variant, and its page if it has one.
fn variants(page: &str) -> Vec<(String, Option<String>)> {
    let index = unpacked(page, "index").expect("an index");
    let of = |row: &Value| {
        let place = row[6].as_array().map(|place| (place[0].as_u64(), place[1].as_u64()));
        let html = place.map(|(part, at)| {
            let part = unpacked(page, &format!("part{}", part.expect("a number"))).expect("a part");
            part[at.expect("a number") as usize].as_str().expect("text").to_owned()
        });
        (row[0].as_str().expect("a name").to_owned(), html)
    };
    index.as_array().expect("rows").iter().map(of).collect()
}

/// Returns a page in lines, as far as it is no script, no picture and no definition of words: the front, the index,
/// and the pages of the variants.
fn lines(page: &str) -> String {
    const BEGINS: [&str; 9] = ["section", "h2", "p", "div", "li", "table", "tr", "details", "form"];
    let without = |text: &str, begin: &str, end: &str| -> String {
        let parts = text.split(begin).enumerate();
        parts
            .map(|(at, part)| if at == 0 { part } else { part.split_once(end).expect("an end").1 })
            .collect()
    };
    let (_, body) = page.split_once("</noscript>").expect("a body");
    let front = without(&without(body, "<script", "</script>"), "<dt id=\"word-", "</dd>");
    let index = unpacked(page, "index").expect("an index");
    let rows: String = index.as_array().expect("rows").iter().map(|row| format!("{row}\n")).collect();
    let variants: String = variants(page).into_iter().filter_map(|(_, page)| page).collect();
    let mut html = without(&format!("{front}\n\n{rows}{variants}\n"), "<svg", "</svg>");
    for begin in BEGINS {
        html = html.replace(&format!("<{begin}"), &format!("\n<{begin}"));
    }
    html
}

/// Pages as a whole are those that are expected.
#[test]
fn pages_are_as_expected() {
    // A few of the many variants that are alike are enough.
    let mut crowded = samples::crowded();
    let one_of_them = |name: &str| name.starts_with("op1.") || name.starts_with("op2.");
    crowded.variants.retain(|of| !of.variant.starts_with("op") || one_of_them(&of.variant));
    let reports = [
        ("failing", samples::failing()),
        ("interrupted", samples::interrupted()),
        ("partial", samples::partial()),
        ("agreeing", samples::agreeing()),
        ("crowded", crowded),
    ];
    for (name, report) in reports {
        expected(&format!("{name}.html"), &lines(&page(&report)));
    }
}

#[test]
fn the_first_screen_says_what_was_tested_and_why_it_disagrees() {
    let page = page(&samples::failing());
    for part in [
        "<p class=\"verdict bad\">3 of 5 variants disagree",
        "<h2>What this run does not prove</h2>",
        "<a href=\"#is=mul\"><strong>mul</strong>",
        "subnormal results are kept, in spite of <code>.ftz</code>",
        "steps of mul.rn.ftz.f16",
        "<dt id=\"word-screened\"",
        "by MPFR in this run",
        "only a sample of the inputs was tried: ",
        "cargo xtask replay report.json --class mul.rn.ftz.f16/not-flushed",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    let verdict = |report| self::page(&report).contains("<p class=\"verdict good\">");
    assert!(verdict(samples::agreeing()) && !verdict(samples::interrupted()));
}

/// A page has all causes, in the order of their mismatches and with all their variants, and each variant with its
/// causes.
#[test]
fn every_cause_is_told() {
    let report = samples::crowded();
    let page = page(&report);
    let (_, table) = page.split_once("<table id=\"causes\">").expect("a table");
    let (table, _) = table.split_once("id=\"all\"").expect("an end");
    let groups = causes::groups(&report.variants);
    assert_eq!(table.matches("One mismatch").count(), groups.len().min(20));
    assert_eq!(page.matches("<option value=\"0\">").count(), 1);
    let mismatches = groups.iter().map(causes::CauseGroup::mismatches).max().expect("causes");
    let (_, first) = table.split_once("<tbody>").expect("rows");
    let (first, _) = first.split_once("</tr>").expect("a row");
    assert!(first.contains(&format!("<td class=\"number\">{mismatches}</td>")), "{first}");
    for name in groups.iter().flat_map(causes::CauseGroup::names) {
        assert!(table.contains(&format!("<a href=\"#/{name}\">")), "{name}");
    }
    let index = unpacked(&page, "index").expect("an index");
    for (row, variant) in index.as_array().expect("rows").iter().zip(&report.variants) {
        let numbers = row[7].as_array().expect("causes").len();
        let due = groups.iter().filter(|group| group.names().contains(&&*variant.variant)).count();
        assert_eq!(numbers, due, "{row}");
    }
}

/// Vectors without a result are told once: where whoever ran the suite has not said so already.
#[test]
fn vectors_without_a_result_are_told() {
    let said = "<li>6,000 vectors had no result, and were not judged.</li>";
    let mut report = samples::partial();
    assert!(!page(&report).contains(said));
    report.reduced.clear();
    assert!(page(&report).contains(said));
    assert!(!page(&samples::agreeing()).contains("had no result"));
    assert!(page(&samples::report(Vec::new())).contains("<dd>no vectors</dd>"));
}

/// Variants that are of no family of the rules are counted beside them.
#[test]
fn variants_beside_the_rules_are_counted() {
    let mut report = samples::failing();
    let family = |variants| RuleCell { family: "mul".into(), variants, following: 1 };
    let tested = report.variants.iter().filter(|variant| variant.vectors > 0).count() as u64;
    report.rules = vec![RuleReport { rule: "fuses".into(), families: vec![family(tested - 1)] }];
    assert!(page(&report).contains("1 tested variant is in no column."));
    for variant in report.variants.iter_mut().filter(|variant| variant.vectors > 0).take(1) {
        variant.variant = "cast.rz.e5m2.f32".into();
    }
    assert!(
        page(&report)
            .contains("1 tested variant is in no column, those of cast, which is not an instruction")
    );
    report.rules[0].families = vec![family(tested)];
    assert!(!page(&report).contains("in no column"));
}

#[test]
fn every_variant_has_a_page() {
    let report = samples::failing();
    let pages = variants(&page(&report));
    assert_eq!(pages.len(), report.variants.len());
    for (variant, (name, page)) in report.variants.iter().zip(pages) {
        let page = page.expect("a page");
        assert_eq!(variant.variant, name);
        assert!(page.contains(&format!("<h2>{name}</h2>")), "{page}");
        for range in &variant.accuracy {
            assert!(page.contains(&range.bound) && page.contains("<svg"), "{page}");
        }
        for class in &variant.classes {
            // Text between backticks is code.
            let mut parts = class.diagnosis.split('`');
            assert!(page.contains("<table class=\"bits\">") && parts.all(|part| page.contains(part)));
        }
    }
}

#[test]
fn nothing_outside_is_referred_to_and_no_script_but_the_page_s_runs() {
    let page = page(&samples::failing());
    for outside in ["src=", "url(", "@import", "href=\"http", "<link", "<iframe"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let (_, script) = page.rsplit_once("<script>").expect("a script");
    let script = script.split("</script>").next().expect("an end");
    let hash = BASE64_STANDARD.encode(Sha256::digest(script));
    assert!(page.contains(&format!("script-src 'sha256-{hash}'\"")), "{hash}");
    assert!(page.contains("content=\"default-src 'none'; "));
}

/// Returns a report of which every text is hostile, but for those that are hex strings.
fn hostile(text: &str) -> Report {
    fn replaced(value: &mut Value, text: &str) {
        match value {
            Value::String(old) if !old.starts_with("0x") => *old = text.to_owned(),
            Value::Array(items) => items.iter_mut().for_each(|item| replaced(item, text)),
            Value::Object(fields) => {
                let fixed = |name: &str| matches!(name, "schema" | "status" | "judge");
                fields
                    .iter_mut()
                    .filter(|(name, _)| !fixed(name))
                    .for_each(|(_, of)| replaced(of, text));
            }
            _ => {}
        }
    }
    let mut value = serde_json::to_value(samples::failing()).expect("JSON");
    replaced(&mut value, text);
    serde_json::from_value(value).expect("texts are free")
}

#[test]
fn whatever_a_report_says_is_text() {
    for text in
        ["</script><script>alert(1)</script>", "\"><img onerror=alert(1)>", "'`<!--", "</style><p>"]
    {
        let page = page(&hostile(text));
        let all =
            page.clone() + &variants(&page).into_iter().filter_map(|(_, page)| page).collect::<String>();
        assert!(!all.contains(text), "{text}");
        let parts = page.matches("type=\"application/octet-stream\"").count();
        assert_eq!(page.matches("<script").count(), parts + 1);
        assert!(!all.contains("<img") && !all.contains("<!--"));
    }
}

/// Returns letters that do not compress.
fn noise(state: &Cell<u64>, letters: usize) -> String {
    let letter = |_| {
        let mut next = state.get();
        next ^= next << 13;
        next ^= next >> 7;
        next ^= next << 17;
        state.set(next);
        char::from(b'a' + (next % 26) as u8)
    };
    (0..letters).map(letter).collect()
}

#[test]
fn a_page_is_never_larger_than_browsers_like() {
    let state = Cell::new(1);
    let explained = |report: &Report, letters: usize| {
        let page = html::page(report, &Style::default(), &|_, _| Some(noise(&state, letters)));
        assert!(page.len() <= MOST, "{}", page.len());
        let pages = variants(&page);
        let without = pages.iter().filter(|(_, page)| page.is_none()).count();
        (without, page.contains("step by step for one class of each cause"))
    };
    let mut large = samples::failing();
    let failing = large.variants[1].clone();
    assert!(!failing.classes.is_empty());
    for number in 0..2_000 {
        let mut more = failing.clone();
        more.variant = format!("mul.rn.ftz.f16.{number}");
        more.classes.iter_mut().for_each(|class| class.id = format!("{}/not-flushed", more.variant));
        large.variants.push(more);
    }
    assert_eq!(explained(&large, 10), (0, false));
    assert_eq!(explained(&large, 3_000), (0, true));
    let passing = large.variants[0].clone();
    for number in 0..3_000 {
        let reason = Some(noise(&state, 1_500));
        let variant = format!("add.rn.f16.{number}");
        large.variants.push(VariantReport { variant, reason, ..passing.clone() });
    }
    // Texts that no report of the suite's has.
    large.implementation.name = "<".repeat(1_000_000);
    large.implementation.details = [("state".to_owned(), "&".repeat(1_000_000))].into();
    large.reduced = vec!["'".repeat(10_000); 1_000];
    let (without, said) = explained(&large, 3_000);
    assert!(without >= 3_000 && said, "{without}");
}

/// A page of as many failing variants as the suite has is small, and says which of them have a page of their own and how
/// to see the others. Few classes are explained, since each explanation takes time.
#[test]
fn a_page_of_many_failing_variants_has_those_first_that_show_a_cause() {
    let state = Cell::new(1);
    let mut many = samples::failing();
    let failing = many.variants[1].clone();
    for number in 0..12_000 {
        let mut more = failing.clone();
        more.variant = format!("mul.rn.ftz.f16.{number}");
        more.reason = Some(noise(&state, 300));
        more.classes.iter_mut().for_each(|class| class.id = format!("{}/not-flushed", more.variant));
        many.variants.push(more);
    }
    // The last variant shows a cause that no other has.
    let mut last = failing.clone();
    last.variant = "sub.rn.f16".into();
    last.classes.truncate(1);
    last.classes[0].id = "sub.rn.f16/odd".into();
    last.classes[0].explanation = None;
    many.variants.push(last);
    let explained = Cell::new(0);
    let explain = |_: &str, _: &Example| {
        explained.set(explained.get() + 1);
        None
    };
    let page = html::page(&many, &Style::default(), &explain);
    assert!(page.len() <= MOST, "{}", page.len());
    assert!(explained.get() < 100, "{} explanations", explained.get());
    let pages = variants(&page);
    assert_eq!(pages.len(), many.variants.len());
    let with: Vec<&str> =
        pages.iter().filter(|(_, page)| page.is_some()).map(|(name, _)| &**name).collect();
    assert!(1_000 < with.len() && with.len() < 12_000, "{}", with.len());
    assert!(with.contains(&"sub.rn.f16"));
    let said = format!("{} variants of {}", thousands(with.len()), thousands(12_000 + 6));
    assert!(page.contains(&format!("{said} that do not pass have a page of their own")), "{said}");
    assert!(page.contains("report show</code> prints all mismatches"));
}

fn thousands(number: usize) -> String {
    format!("{},{:03}", number / 1_000, number % 1_000)
}

/// A program is called what it calls itself, and not by the command that starts it.
#[test]
fn a_program_s_own_name_is_the_heading() {
    let mut report = samples::agreeing();
    report.implementation.name = "exec:/a/long/path/python3 client.py --with options".into();
    report.implementation.version = "mylib 1.2".into();
    report.implementation.device = None;
    let own = page(&report);
    assert!(own.contains("<h1>mylib 1.2</h1>") && own.contains("<title>mylib 1.2: agrees"));
    assert!(own.contains("<dd>exec:/a/long/path/python3 client.py --with options mylib 1.2</dd>"));
    report.implementation.version = "1.2".into();
    assert!(page(&report).contains("<h1>exec:/a/long/path/python3 client.py --with options 1.2</h1>"));
}

/// The mismatch of the only cause is in sight; of several causes, none.
#[test]
fn the_only_cause_is_open() {
    let mut report = samples::failing();
    assert!(!page(&report).contains("<details open"));
    for variant in report.variants.iter_mut().filter(|variant| variant.status == Status::Fail) {
        variant.classes.truncate(1);
    }
    let mut failing = report.variants.iter_mut().filter(|variant| variant.status == Status::Fail);
    assert!(failing.next().is_some());
    failing.for_each(|variant| variant.status = Status::Pass);
    let page = page(&report);
    assert_eq!(page.matches("<details open><summary>One mismatch").count(), 1);
}

/// A part is closed as soon as it has 2^17 bytes.
#[test]
fn pages_of_variants_are_in_parts_that_are_unpacked_at_once() {
    let mut report = samples::failing();
    let failing = report.variants[1].clone();
    let more = |number| VariantReport { variant: format!("mul.rn.ftz.f16.{number}"), ..failing.clone() };
    report.variants.extend((0..40).map(more));
    let page = html::page(&report, &Style::default(), &|_, _| Some("step\n".repeat(8_000)));
    let part = |number| unpacked(&page, &format!("part{number}"));
    let mut sizes = Vec::new();
    while let Some(Value::Array(pages)) = part(sizes.len()) {
        sizes.push(pages.iter().map(|page| page.as_str().expect("text").len()).collect::<Vec<_>>());
    }
    let (last, closed) = sizes.split_last().expect("parts");
    assert!(closed.len() > 2 && !last.is_empty(), "{sizes:?}");
    for pages in closed {
        let all: usize = pages.iter().sum();
        let before = all - pages.last().expect("a page");
        assert!(before < 1 << 17 && all >= 1 << 17, "{pages:?}");
    }
}

/// A mismatch is explained on a page where a reason is cut, but the mismatch's bits are not.
#[test]
fn what_is_whole_on_a_page_of_long_texts_is_explained() {
    let mut report = samples::failing();
    report.variants[4].reason = Some(noise(&Cell::new(1), 2 * MOST));
    let page = page(&report);
    assert!(page.len() <= MOST && page.contains("steps of mul.rn.ftz.f16"), "{}", page.len());
}

/// A page is small though the texts of every field are long, in a report that is otherwise small, and none of them
/// compresses.
#[test]
fn a_page_of_long_texts_is_small() {
    let state = Cell::new(1);
    let long = |text: &str, state: &Cell<u64>| match text.strip_prefix("0x") {
        Some(digits) => {
            let noise = noise(state, 100_000).replace(|letter| letter > 'f', "0");
            format!("0x{digits}{noise}")
        }
        None => format!("{text}{}", noise(state, 100_000)),
    };
    fn replaced(value: &mut Value, long: &dyn Fn(&str) -> String) {
        match value {
            Value::String(text) => *text = long(text),
            Value::Array(items) => items.iter_mut().for_each(|item| replaced(item, long)),
            Value::Object(fields) => {
                let fixed = |name: &str| matches!(name, "schema" | "status" | "judge");
                let others = fields.iter_mut().filter(|(name, _)| !fixed(name));
                others.for_each(|(_, of)| replaced(of, long));
            }
            _ => {}
        }
    }
    let mut value = serde_json::to_value(samples::failing()).expect("JSON");
    replaced(&mut value, &|text| long(text, &state));
    let report: Report = serde_json::from_value(value).expect("texts are free");
    let page = html::page(&report, &Style::default(), &|_, _| Some("steps".into()));
    assert!(page.len() <= MOST, "{}", page.len());
    assert_eq!(variants(&page).len(), report.variants.len());
    // Nothing is explained of bits that are not all there.
    assert!(!page.contains("steps") && page.contains('…'));
}
