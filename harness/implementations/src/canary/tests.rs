use formats::Column;
use isa::{Variant, columns_for, results_for};
use model::{Fault, Model};
use sweeps::Sweep;

use super::PLANTED;

/// Number of vectors of each sweep that a planted fault is looked for in.
const ROWS: u64 = 1 << 14;

/// Returns the results of a batch.
fn run(variant: &Variant, fault: Option<Fault>, operands: &[Column]) -> Vec<Column> {
    let mut results = results_for(variant, operands[0].rows());
    Model::new(variant, fault).run(operands, &mut results);
    results
}

/// Returns the first vectors of a sweep; nothing, where it has none.
fn operands(variant: &Variant, sweep: &Sweep, most: u64) -> Option<Vec<Column>> {
    let rows = sweep.length(variant).at_most(most);
    if rows == 0 {
        return None;
    }
    let mut columns = columns_for(variant, rows as usize);
    sweep.fill(variant, 23, 0, &mut columns);
    Some(columns)
}

#[test]
fn planted_ones_show_in_their_variants_and_nowhere_else() {
    let variants: Vec<Variant> = PLANTED.iter().map(|(text, _)| text.parse().unwrap()).collect();
    let bare: Variant = "testp.number.f32".parse().unwrap();
    let uniform = Sweep::named("uniform").unwrap();
    for (variant, &(_, fault)) in variants.iter().zip(PLANTED) {
        let shows = |operands: Vec<Column>| {
            run(variant, None, &operands) != run(variant, Some(fault), &operands)
        };
        let batches = Sweep::all().iter().filter_map(|sweep| operands(variant, sweep, ROWS));
        assert!(batches.into_iter().any(shows), "{fault:?} in {variant}");
        // In a variant that has nothing of what the fault is about, the fault changes no result.
        for sweep in Sweep::all() {
            let Some(operands) = operands(&bare, sweep, 200) else { continue };
            assert!(run(&bare, None, &operands) == run(&bare, Some(fault), &operands), "{fault:?}");
        }
        // In any other variant of the table, the fault must give results, whichever they are.
        for other in &variants {
            run(other, Some(fault), &operands(other, uniform, 20).unwrap());
        }
    }
}
