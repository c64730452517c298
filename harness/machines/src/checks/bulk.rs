//! Tests what a kernel of `cp.reduce.async.bulk` must not leave out.

use std::collections::{BTreeMap, HashMap};

use isa::Variant;
use ptx::kernel;
use ptx::syntax::Entry;

use super::ALONE;
use crate::interpreter::{EntryProgram, Error, Memory, Problem, STEPS, Surroundings, Values, WARP};

/// Runs a kernel, with parts of its text replaced, on one row, and returns a word of the result. The word is 7 before;
/// whatever operation is done leaves 9.
fn left(replaced: &[(&str, &str)]) -> Result<u64, Error> {
    let variant: Variant = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32".parse().unwrap();
    let mut text = kernel(&variant).to_string();
    for (part, other) in replaced {
        assert!(text.contains(part), "no {part} in {text}");
        text = text.replace(part, other);
    }
    let entry: Entry = text.parse().unwrap();
    let columns = [("column_m", 0x1000u64), ("column_a", 0x2000), ("column_b", 0x3000)];
    let mut parameters: HashMap<String, u64> =
        columns.iter().map(|(name, at)| ((*name).to_owned(), *at)).collect();
    parameters.insert("rows".into(), 1);
    let mut memory: BTreeMap<u64, u8> = BTreeMap::new();
    for (_, at) in columns {
        [at, at + 8].iter().for_each(|at| memory.store(*at, 8, 7).unwrap());
    }
    EntryProgram::of(&entry)?.run(&mut Surroundings {
        parameters: &parameters,
        place: ALONE,
        memory: &mut memory,
        execute: &mut |_, given| {
            assert_eq!(given.len(), 4);
            let nine: Values = [9; WARP];
            Ok(vec![nine; 2])
        },
        steps: STEPS,
    })?;
    Ok(memory.load(0x1000, 8).unwrap())
}

#[test]
fn a_block_is_fenced_committed_and_waited_for() {
    assert_eq!(left(&[]), Ok(9));
    // Nobody waited: the word is as it was.
    assert_eq!(left(&[("cp.async.bulk.wait_group 0;", "")]), Ok(7));
    assert_eq!(left(&[("cp.async.bulk.commit_group;", "")]), Ok(7));
    let unfenced = left(&[("fence.proxy.async;", "")]).unwrap_err();
    assert_eq!(unfenced.problem, Problem::Unfenced);
}

#[test]
fn what_has_other_operands_is_refused() {
    for (part, other) in [(", 16;", ", 32;"), ("wait_group 0;", "wait_group 1;")] {
        let refused = left(&[(part, other)]).unwrap_err();
        assert!(matches!(refused.problem, Problem::Unsupported(_)), "{refused}");
    }
    for (part, other) in [("[%other], 16;", "%other, 16;"), ("[%other], 16;", "[%other];")] {
        let refused = left(&[(part, other)]).unwrap_err();
        assert!(matches!(refused.problem, Problem::Operands(_)), "{refused}");
    }
}
