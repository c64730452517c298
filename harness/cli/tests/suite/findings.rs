//! Published findings: what their heads say is so, their vectors are judged again, and the pages made of them are
//! current.

mod head;
mod pages;
mod replay;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use compilers::language::Language;
use compilers::rows::{self, Expression};
use compilers::setting::Setting;
use isa::Variant;
use isa::matrix::MatrixVariant;
use reports::AnyReport;
use reports::compilers::Standing;
use wildmatch::WildMatch;

use head::{Finding, Head, OneOrMore, Record, Shown, Status, findings, published};

/// Fails with all that is wrong, a line each.
#[track_caller]
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Says of every finding what `wrong` says of it, with its name before it.
fn of_each(wrong: impl Fn(&Finding) -> Vec<String>) -> Vec<String> {
    let all = findings();
    assert!(all.len() > 50, "{} findings", all.len());
    let named = |finding: &Finding| {
        let named = |words: String| format!("{}: {words}", finding.file);
        wrong(finding).into_iter().map(named).collect::<Vec<_>>()
    };
    all.iter().flat_map(named).collect()
}

#[test]
fn heads_say_what_is_so() {
    assert_none(&of_each(|finding| {
        let head = &finding.head;
        let mut wrong = Vec::new();
        let mut claim = |holds: bool, words: &str| wrong.extend((!holds).then(|| words.to_owned()));
        claim(head.id == finding.file, "`id` is the name of the file");
        claim(is_id(&head.id), "`id` has other characters than a-z, 0-9 and -");
        claim(is_date(&head.checked), "`checked` is no date");
        claim(!head.found_in.is_empty(), "it was found in nothing");
        claim(head.found_in.iter().all(|of| of.bad.len() + of.good.len() > 0), "no version was tried");
        let is_withdrawn = head.status == Status::Withdrawn;
        claim(
            head.withdrawn.is_some() == is_withdrawn,
            "`withdrawn` is for withdrawn findings, and they have it",
        );
        claim(
            head.status != Status::Known || !head.upstream.is_empty(),
            "it is known, and no link says where",
        );
        let is_fixed = head.found_in.iter().any(|of| !of.good.is_empty());
        claim(head.status != Status::Fixed || is_fixed, "it is fixed, and no version is right");
        claim(head.upstream.iter().all(|link| link.starts_with("https://")), "a link is no address");
        claim(
            head.shown.is_empty() == head.replay.is_some(),
            "it shows a vector, or says why it does not",
        );
        claim(head.shown.iter().all(is_promised), "a row does not promise what a vector is judged by");
        claim(finding.body.lines().count() > 4, "there is little prose");
        wrong.extend(of_variants(head));
        wrong
    }));
}

/// Whether the row that a vector names, if it does, promises each meaning that the vector is judged by.
fn is_promised(shown: &Shown) -> bool {
    let Some(name) = &shown.row else { return true };
    let row = rows::all().iter().find(|row| row.name == *name);
    let languages = Language::ALL.into_iter();
    let settings =
        languages.flat_map(|language| Setting::all(language).into_iter().map(move |of| (language, of)));
    let promises = settings.filter_map(|(language, setting)| row?.promise(language, setting));
    let promised: Vec<Expression> = promises.flat_map(|promise| promise.means).collect();
    let means = shown.means.iter().flat_map(OneOrMore::all);
    means.map(|text| Expression::parse(text)).all(|meaning| promised.contains(&meaning))
}

/// Says which patterns match no variant, and whether the section is none of theirs.
fn of_variants(head: &Head) -> Vec<String> {
    let all = || {
        let plain = Variant::all().iter().map(|variant| (variant.text(), variant.form().section));
        plain.chain(MatrixVariant::all().iter().map(|variant| (variant.text(), variant.form().section)))
    };
    let (mut wrong, mut sections) = (Vec::new(), BTreeSet::new());
    for text in &head.variants {
        let pattern = WildMatch::new(text);
        let own: BTreeSet<&str> =
            all().filter(|(name, _)| pattern.matches(name)).map(|(_, section)| section).collect();
        wrong.extend(own.is_empty().then(|| format!("no variant is `{text}`")));
        sections.extend(own);
    }
    let is_one = head.section.as_ref().is_none_or(|section| sections.contains(&**section));
    wrong.extend((!is_one).then(|| format!("`section` is none of {sections:?}")));
    wrong
}

fn is_id(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn is_date(text: &str) -> bool {
    let parts: Vec<Option<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
    matches!(parts[..], [Some(2026..), Some(1..=12), Some(1..=31)]) && text.len() == 10
}

/// Returns the classes of a record that fail, with how often each was seen; `None` of what is no report.
fn classes(record: &Record) -> Option<Vec<(String, u64)>> {
    let path = published(&record.path);
    if path.extension().is_none_or(|extension| extension != "json") || record.classes.is_empty() {
        assert!(path.exists(), "{}", path.display());
        return None;
    }
    Some(match reports::load_any(&path).unwrap() {
        AnyReport::Implementation(report) => report
            .variants
            .into_iter()
            .flat_map(|variant| variant.classes)
            .map(|class| (class.id, class.count))
            .collect(),
        AnyReport::Compiler(report) => {
            let fails = report.findings.into_iter().filter(|finding| finding.status == Standing::Fail);
            fails.map(|finding| (finding.class, finding.mismatches)).collect()
        }
    })
}

#[test]
fn reports_have_the_classes_and_their_mismatches() {
    assert_none(&of_each(|finding| {
        let (mut wrong, mut counts) = (Vec::new(), Vec::new());
        for record in &finding.head.report {
            let Some(all) = classes(record) else {
                wrong.extend(
                    (!record.classes.is_empty()).then(|| format!("{} has no classes", record.path)),
                );
                continue;
            };
            let patterns: Vec<WildMatch> =
                record.classes.iter().map(|text| WildMatch::new(text)).collect();
            for (pattern, text) in patterns.iter().zip(&record.classes) {
                let has = all.iter().any(|(class, _)| pattern.matches(class));
                wrong.extend((!has).then(|| format!("{} has no class {text}", record.path)));
            }
            let is_own = |class: &str| patterns.iter().any(|pattern| pattern.matches(class));
            counts.push(
                all.iter().filter(|(class, _)| is_own(class)).map(|(_, count)| count).sum::<u64>(),
            );
        }
        if let Some(count) = finding.head.mismatches.filter(|_| !counts.is_empty()) {
            let is_sum = counts.contains(&count) || counts.iter().sum::<u64>() == count;
            wrong
                .extend((!is_sum).then(|| format!("{count} mismatches, and {counts:?} in the reports")));
        }
        wrong
    }));
}

/// Commands that replay a class of a published report name a class that it has.
#[test]
fn commands_name_classes_that_there_are() {
    assert_none(&of_each(|finding| {
        let command = |line: &str| {
            let (_, rest) =
                line.split_once("cargo xtask replay ")?.1.split_once("reports/published/")?;
            let (path, class) = rest.split_once(" --class ")?;
            let record = Record { path: path.to_owned(), classes: vec![class.to_owned()] };
            let has = classes(&record)?.iter().any(|(own, _)| own == class);
            (!has).then(|| format!("{path} has no class {class}"))
        };
        finding.body.lines().filter_map(command).collect()
    }));
}

/// What a compiler's report says fails is a finding, all of it.
#[test]
fn the_findings_name_the_classes_of_compilers() {
    let all = findings();
    let records = || all.iter().flat_map(|finding| &finding.head.report);
    let mut wrong = Vec::new();
    for kind in ["compilers", "programs"] {
        for entry in std::fs::read_dir(published(kind)).unwrap() {
            let file = format!("{kind}/{}", entry.unwrap().file_name().display());
            let own = records().filter(|record| record.path == file).flat_map(|record| &record.classes);
            let patterns: Vec<WildMatch> = own.map(|text| WildMatch::new(text)).collect();
            let record = Record { path: file.clone(), classes: vec!["*".into()] };
            let failing: BTreeSet<String> =
                classes(&record).unwrap().into_iter().map(|(class, _)| class).collect();
            let unnamed = failing.iter().filter(|class| !patterns.iter().any(|of| of.matches(class)));
            wrong.extend(unnamed.map(|class| format!("no finding has {file}#{class}")));
        }
    }
    assert_none(&wrong);
}

/// What is due of the verdicts on the expected and the actual result of a finding's vectors.
fn due(status: Status) -> [bool; 2] {
    match status {
        Status::Withdrawn => [false, true],
        Status::OpenPoint => [true, true],
        Status::Defect | Status::Known | Status::Fixed | Status::Note => [true, false],
    }
}

#[test]
fn vectors_are_judged_as_the_findings_say() {
    let judged = |status: Status, shown: &Shown| match (&shown.replay, replay::verdicts(shown)) {
        (Some(_), _) => None,
        (None, Err(words)) => Some(words),
        (None, Ok(came)) => {
            let words = format!("{:?}: expected and actual are right: {came:?}", shown.operands);
            (came != due(status)).then_some(words)
        }
    };
    let all = findings();
    let vectors = all.iter().flat_map(|finding| &finding.head.shown);
    let judged_here = vectors.filter(|shown| shown.replay.is_none()).count();
    assert!(judged_here > 65, "{judged_here} vectors are judged");
    assert_none(&of_each(|finding| {
        finding.head.shown.iter().filter_map(|shown| judged(finding.head.status, shown)).collect()
    }));
}

/// The page of results, made anew between its marks.
fn with_tables(page: &str, tables: &str) -> String {
    let (before, rest) = page.split_once("<!-- generated: findings -->\n").expect("where tables begin");
    let (_, behind) = rest.split_once("<!-- end -->").expect("where they end");
    format!("{before}<!-- generated: findings -->\n{tables}\n<!-- end -->{behind}")
}

#[test]
fn pages_made_of_the_heads_are_current() {
    let all = findings();
    let results: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results");
    let overview = std::fs::read_to_string(results.join("README.md")).unwrap().replace("\r\n", "\n");
    let overview = with_tables(&overview, &pages::by_status(&all));
    for (path, made) in [
        (published("findings/index.json"), pages::index(&all)),
        (results.join("README.md"), overview),
        (results.join("by-library.md"), pages::by_library(&all)),
        (results.join("by-instruction.md"), pages::by_instruction(&all)),
    ] {
        if std::env::var_os("UPDATE_FINDINGS").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            committed == made,
            "{} does not belong to the findings any more; renew it: UPDATE_FINDINGS=1 cargo test -p ptx-conformance-cli --test suite findings",
            path.display()
        );
    }
}
