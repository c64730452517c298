//! Special values and their neighbours, crossed completely.

use super::exact::Exact;
use super::fill::Job;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};
use crate::column::Column;
use crate::format::Format;

pub const SWEEP: Sweep = Sweep {
    name: "boundary",
    hunts: "Special cases and range limits: zeros, subnormals, one, limits whose products leave the \
            range, infinities and NaN, each with its neighbours, in every combination of operands.",
    length: |shape| Length::Finite(tables(shape).iter().map(|table| table.len() as u64).product()),
    fill,
};

/// The NaN patterns that mark an element outside a tensor, or might be taken for it.
const OOB_MAGNITUDES: [u64; 4] = [0x7ff7, 0x7ff6, 0x7ff8, 0x7eff];

/// The magnitudes of the table of `format`, ascending. Beside narrower formats it has their limits.
pub fn magnitudes(format: &Format, narrow: Option<&Format>) -> Vec<u64> {
    let p = format.precision() as i32;
    let unit = format.exponent_min() - p + 1;
    let power = |exponent: i32| Exact::power(false, exponent).truncate(format);
    let (min_normal, one, max) = (format.min_normal(), format.one(), format.max_finite());
    // Squares of these are the smallest subnormal, the smallest normal number, and out of range.
    let to_subnormal = power(unit.div_euclid(2));
    let to_normal = power(format.exponent_min().div_euclid(2));
    let to_overflow = power((format.exponent_max() + 2).div_euclid(2));
    let mut table = vec![0, 1, 2, min_normal / 2];
    table.extend([min_normal - 2, min_normal - 1, min_normal, min_normal + 1]);
    table.extend([power(-p), power(1 - p), power(-1), one - 1, one, one + 1, power(1)]);
    table.extend([power(p) - 1, power(p)]);
    table.extend([power(unit.div_euclid(2) - 1), to_subnormal, to_subnormal + 1]);
    table.extend([to_normal - 1, to_normal]);
    table.extend([to_overflow - 1, to_overflow, to_overflow + 1, max - 1, max]);
    if let Some(infinity) = format.infinity() {
        let quiet = infinity | 1 << (format.trailing_bits - 1);
        table.extend([infinity, infinity + 1, quiet]);
    }
    table.push(format.magnitude_mask());
    if format.width() == 16 {
        table.extend(OOB_MAGNITUDES);
    }
    if let Some(narrow) = narrow {
        for limit in [1, narrow.min_normal(), narrow.max_finite()] {
            let (significand, exponent) = narrow.decode(limit).expect("limits are finite");
            let wide = Exact::new(false, significand.into(), exponent).truncate(format);
            table.extend([wide, wide + 1]);
        }
    }
    table.sort_unstable();
    table.dedup();
    table
}

/// The values of each operand: every magnitude, positive, then negative.
fn tables(shape: &Shape) -> Vec<Vec<u64>> {
    let operands = shape.operands();
    let narrowest = operands.iter().min_by_key(|format| format.width()).expect("operands");
    let table = |format: &&'static Format| {
        let narrow = (narrowest.width() < format.width()).then_some(*narrowest);
        let magnitudes = magnitudes(format, narrow);
        magnitudes.iter().flat_map(|&magnitude| [magnitude, magnitude | format.sign_mask()]).collect()
    };
    operands.iter().map(table).collect()
}

fn fill(job: &Job, columns: &mut [Column]) {
    let tables = tables(&job.shape);
    let length: u64 = tables.iter().map(|table| table.len() as u64).product();
    // Lanes walk the same cycle, each about a golden section further along.
    let ahead = length * 618 / 1000;
    let widths = job.shape.formats.map(|format| format.width());
    job.rows(columns, |index| {
        let mut row: Lane = [0; 3];
        for lane in 0..job.shape.lanes {
            let mut rest = (index + lane as u64 * ahead) % length;
            for operand in (0..tables.len()).rev() {
                let table = &tables[operand];
                let size = table.len() as u64;
                row[operand] |= table[(rest % size) as usize] << (widths[operand] * lane as u32);
                rest /= size;
            }
        }
        row
    });
}
