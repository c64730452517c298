//! Draws operands of functions, and adds the vectors of sweeps.

use formats::Column;
use isa::{Variant, columns_for};
use sweeps::{CounterRng, Sweep, stream_key};

/// The number of rows that are drawn.
const DRAWN: usize = 4096;
/// The number of rows of each sweep that has as many.
const OF_SWEEP: u64 = 512;
const SEED: u64 = 7;

/// Returns rows for a function with parameters of these widths in bytes.
pub fn rows(function: &str, widths: &[usize], variants: &[&str]) -> Vec<Column> {
    let mut all: Vec<Column> = widths.iter().map(|&bytes| Column::new(bytes, DRAWN)).collect();
    for text in variants {
        let variant: Variant = text.parse().expect("a variant");
        for sweep in Sweep::all() {
            let rows = sweep.length(&variant).at_most(OF_SWEEP) as usize;
            if rows == 0 {
                continue;
            }
            let mut operands = columns_for(&variant, rows);
            sweep.fill(&variant, SEED, 0, &mut operands);
            let before = all[0].rows();
            all.iter_mut().for_each(|column| column.resize(before + rows));
            for (column, more) in all.iter_mut().zip(&operands) {
                assert_eq!(column.row_bytes(), more.row_bytes(), "{function} of {text}");
                column.bytes_of_mut(before..before + rows).copy_from_slice(more.bytes());
            }
            let rest = all.get_mut(operands.len()..).unwrap_or_default();
            draw(rest, function, before);
        }
    }
    draw(&mut all, function, 0);
    all
}

/// Draws the rows from the first on, but for those of sweeps: words of all lengths, half of them dense.
fn draw(columns: &mut [Column], function: &str, first: usize) {
    let key = stream_key(SEED, function, 0);
    let rows = columns.first().map_or(0, Column::rows);
    let rows = if first == 0 { first..DRAWN } else { first..rows };
    for row in rows {
        let mut draws = CounterRng::new(key, row as u64);
        for column in &mut *columns {
            let width = 8 * column.row_bytes() as i32;
            let word = draws.patterned(width);
            column.set(row, if draws.flag() { word } else { word >> draws.below(width) });
        }
    }
}
