//! Tests of this machine's processor against PTX: it differs where its page says so.

use std::collections::BTreeSet;

use implementations::{Implementation, Support, explained_differences};
use isa::Variant;
use isa::matrix::MatrixVariant;
use runner::{Block, BlockJudge, JudgedBy, Judging, Task};
use selection::subject::{Subject, VectorSource};
use wildmatch::WildMatch;

/// The number of vectors of each sweep: enough for each sweep to show what it is for.
const ROWS: u64 = 1000;

fn variants(host: &dyn Implementation) -> impl Iterator<Item = &'static Variant> {
    Variant::all().iter().filter(|variant| host.support(variant) == Support::Yes)
}

/// Returns the matrix instructions that the host has, one of each set that computes the same from the same columns.
fn dots(host: &dyn Implementation) -> impl Iterator<Item = &'static MatrixVariant> {
    let mut seen = BTreeSet::new();
    let has = MatrixVariant::all().iter().filter(|variant| host.support_matrix(variant) == Support::Yes);
    has.filter(move |variant| {
        seen.insert(format!("{} {:?} {:?}", variant.mnemonic(), variant.dot(), variant.operands()))
    })
}

/// Every class of mismatches is explained by the README, and every variant of which a class is explained has that
/// class.
#[test]
fn differences_are_those_that_the_readme_explains() {
    let host = implementations::named("host").unwrap();
    let explained = explained_differences();
    assert!(!explained.is_empty());
    let mut wrong = Vec::new();
    let subjects =
        variants(host.as_ref()).map(Subject::Variant).chain(dots(host.as_ref()).map(Subject::Matrix));
    for subject in subjects {
        let mut worker = host.worker().unwrap();
        let mut bench = BlockJudge::new(subject, Judging::Mpfr);
        let mut found = BTreeSet::new();
        for asked in VectorSource::all(subject) {
            let vectors = asked.length().at_most(ROWS);
            if vectors == 0 {
                continue;
            }
            let task = Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None };
            let block = Block { task: 0, number: 0, first: 0, rows: vectors as usize };
            let tally = bench.run_block(&task, block, 0, worker.as_mut()).unwrap();
            found.extend(tally.classes.keys().map(|kind| kind.id()));
        }
        let rows = explained.iter().filter(|row| WildMatch::new(row.pattern).matches(subject.id()));
        let wanted: BTreeSet<&str> = rows.map(|row| row.kind).collect();
        if found != wanted {
            wrong.push(format!("{subject}: {found:?}, explained are {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
