//! The suite's vectors for Python.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, anyhow, bail};
use isa::{Variant, columns_for};
use judge::Truth;
use numpy::PyArray1;
use oracle::Oracle;
use pyo3::prelude::*;
use sweeps::{Length, Sweep};

use crate::compute::Bytes;
use crate::errors::caught;
use crate::layout::{Datum, Layout};
use crate::variants::named;
use crate::waiting::interruptibly;

/// The number of vectors that are made at a time.
const CHUNK: usize = 1 << 14;

/// Returns the names of a variant's sweeps, each with its number of vectors: `None` for a sweep without an end.
#[pyfunction]
pub fn sweep_lengths(name: &str) -> PyResult<Vec<(&'static str, Option<u64>)>> {
    caught(|| {
        let variant = named(name)?;
        let one = |sweep: &Sweep| match sweep.length(variant) {
            Length::None => None,
            Length::Finite(length) => Some((sweep.name, Some(length))),
            Length::Endless => Some((sweep.name, None)),
        };
        Ok(Sweep::all().iter().filter_map(one).collect())
    })
}

/// The arrays of operands, and those of the results that are expected of them by the first interpretation.
type Vectors<'py> = (Vec<Bytes<'py>>, Vec<Bytes<'py>>);

/// Returns vectors `first..first + count` of a sweep.
#[pyfunction]
pub fn vectors<'py>(
    py: Python<'py>,
    name: &str,
    sweep: &str,
    first: u64,
    count: usize,
    seed: u64,
) -> PyResult<Vectors<'py>> {
    let (variant, sweep) = caught(|| {
        let sweep = Sweep::named(sweep).ok_or_else(|| {
            let all: Vec<&str> = Sweep::all().iter().map(|sweep| sweep.name).collect();
            anyhow!("there is no sweep `{sweep}`; the sweeps: {}", all.join(", "))
        })?;
        Ok((named(name)?, sweep))
    })?;
    let [operands, results] = interruptibly(py, |stop| made(variant, sweep, first, count, seed, stop))?;
    let arrays =
        |all: Vec<Vec<u8>>| all.into_iter().map(|bytes| PyArray1::from_vec(py, bytes)).collect();
    Ok((arrays(operands), arrays(results)))
}

/// Makes vectors, and has MPFR compute the results, until `stop` is set.
fn made(
    variant: &'static Variant,
    sweep: &Sweep,
    first: u64,
    count: usize,
    seed: u64,
    stop: &AtomicBool,
) -> Result<[Vec<Vec<u8>>; 2]> {
    let length = sweep.length(variant).at_most(u64::MAX);
    if first.checked_add(count as u64).is_none_or(|end| end > length) {
        bail!("sweep `{}` of {variant} has {length} vectors", sweep.name);
    }
    let layout = Layout::of(variant);
    let mut operands = columns_for(variant, 0);
    let mut truth = Truth::new(variant);
    let mut oracle = Oracle::new(variant);
    let empty = |data: &[Datum]| -> Vec<Vec<u8>> {
        data.iter().map(|datum| vec![0; datum.elements(count) * datum.bytes]).collect()
    };
    let (mut inputs, mut outputs) = (empty(&layout.inputs), empty(&layout.outputs));
    for begin in (0..count).step_by(CHUNK) {
        if stop.load(Ordering::Relaxed) {
            bail!("interrupted");
        }
        let rows = begin..count.min(begin + CHUNK);
        operands.iter_mut().for_each(|column| column.resize(rows.len()));
        sweep.fill(variant, seed, first + begin as u64, &mut operands);
        oracle.expect(&operands, &mut truth);
        layout.take_operands(&operands, rows.clone(), &mut inputs);
        layout.take(&truth.results, rows, &mut outputs);
    }
    Ok([inputs, outputs])
}
