//! The sweep `boundary`: special values and their neighbours, crossed completely.

use formats::{Column, FormatId, Scale};
use isa::{Family, Op};

use super::fill::FillJob;
use super::shape::{Lane, Shape};
use super::tables::{
    RANDOM, SCALES, compared, integers, landmarks, magnitudes, magnitudes_next_to, points, selected,
    signed,
};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "boundary",
    targets: "Special cases and range limits: zeros, subnormals, one, limits whose products leave the \
            range, the limits of what is converted to, infinities and NaN, each with its neighbours, in \
            every combination of operands.",
    length: |shape| Length::Finite(tables(shape).iter().map(|table| table.len() as u64).product()),
    fill,
};

/// Returns the table of values of each input.
fn tables(shape: &Shape) -> Vec<Vec<u64>> {
    (0..shape.arity).map(|number| table(shape, number)).collect()
}

/// Returns the special values of one input: of the rules in `SWEEPS.md`, the first that fits decides.
fn table(shape: &Shape, number: usize) -> Vec<u64> {
    let format = shape.formats[number];
    match (shape.family, number, format.scale) {
        // There are at most 256 encodings, so all of them are tried.
        (Family::Convert, 0, _) if format.width() <= 8 => (0..=format.mask()).collect(),
        (Family::Convert, 1, Scale::Fixed) => RANDOM.to_vec(),
        (_, _, Scale::Power) => SCALES.to_vec(),
        (_, _, Scale::Fixed) if format.id == FormatId::Pred => vec![0, 1],
        // Data that an operation only selects from.
        (_, 0 | 1, _) if shape.op == Op::Select => selected(format),
        (Family::Compare, _, Scale::Fixed) => signed(format, &compared(format)),
        (_, _, Scale::Fixed) => signed(format, &integers(format, shape)),
        (Family::Convert, _, _) => {
            let mut table = magnitudes(format, None);
            table.extend(points(shape).iter().flat_map(|point| magnitudes_next_to(point, format)));
            signed(format, &table)
        }
        // The largest part of the table is products of such formats: a short list for the addend.
        (Family::SumsAndProducts, 2, _) if format.width() <= 8 => signed(format, &landmarks(format)),
        _ => {
            // Limits of the narrowest operand are special values of a wider one beside it.
            let floats = shape.operands().iter().filter(|format| format.scale == Scale::Floating);
            let narrowest = floats.min_by_key(|format| format.width()).expect("this one");
            let narrow = (narrowest.width() < format.width()).then_some(*narrowest);
            signed(format, &magnitudes(format, narrow))
        }
    }
}

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = &job.shape;
    let tables = tables(shape);
    let size = |shared: bool| -> u64 {
        let of = tables.iter().zip(shape.shared).filter(|(_, is_shared)| *is_shared == shared);
        of.map(|(table, _)| table.len() as u64).product()
    };
    let (own, shared) = (size(false), size(true));
    // Lanes walk the same cycle, each about a golden section further along: in integers, as `SWEEPS.md` defines it.
    let ahead = own * 618 / 1000;
    job.numbered_lanes(columns, |number, index| {
        // What lanes share is the last digits, the same in all lanes; only a lane's own digits are moved ahead.
        let mut rest = (index / shared + number as u64 * ahead) % own * shared + index % shared;
        let mut lane = Lane::default();
        // The number's last digit is the place of the last input in its table.
        for (operand, table) in lane.iter_mut().zip(&tables).rev() {
            let size = table.len() as u64;
            *operand = table[(rest % size) as usize];
            rest /= size;
        }
        lane
    });
}
