//! Runs of the suite with a function of Python as the implementation.

use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use anyhow::Result;
use findings::diagnosis::diagnose;
use implementations::Implementation;
use pyo3::prelude::*;
use reports::Report;
use runner::{Display, Plan, RunRequest, RunSettings};
use selection::budget::Tier;

use crate::callable::Callable;
use crate::errors::caught;
use crate::waiting::interruptibly;

/// Runs the suite's vectors of variants with a function, and returns the report as JSON. The function is given a name of
/// a variant and the bytes of its arrays of operands, and returns the bytes of its arrays of results. If it raises an
/// exception, the run ends with that exception.
#[pyfunction]
#[pyo3(signature = (function, only, *, label, tier, seed, jobs))]
pub fn run(
    py: Python<'_>,
    function: Py<PyAny>,
    only: Vec<String>,
    label: String,
    tier: &str,
    seed: u64,
    jobs: usize,
) -> PyResult<String> {
    let tier = caught(|| Tier::named(tier))?;
    let callable = Callable::new(function, label);
    let done = interruptibly(py, |stop| {
        let request = RunRequest { seed, ..RunRequest::of(tier, only) };
        let plan = Plan::new(request, &callable)?;
        carry_out(&plan, &callable, jobs, stop)
    });
    // The function's own exception says more than that the run was broken off.
    match callable.exception() {
        Some(exception) => Err(exception),
        None => {
            let report = done?;
            caught(|| Ok(serde_json::to_string(&report)?))
        }
    }
}

/// Carries out a plan, finds out what is behind the mismatches, and returns the report.
///
/// # Errors
/// If the implementation breaks, or if the state of the run cannot be written.
pub fn carry_out(
    plan: &Plan,
    implementation: &dyn Implementation,
    jobs: usize,
    stop: &AtomicBool,
) -> Result<Report> {
    let started = SystemTime::now();
    let directory = tempfile::tempdir()?;
    let settings = RunSettings { jobs, directory: directory.path().into(), resume: false };
    let mut outcome = runner::run(plan, implementation, &settings, stop, &Display::hidden())?;
    if let Some(error) = outcome.error.take() {
        return Err(error);
    }
    if outcome.complete {
        let (departures, tried) = runner::recheck(plan, &outcome.progress, implementation, jobs, stop);
        tried?;
        outcome.progress.count_departures(departures);
    }
    let (diagnoses, ended) = diagnose(plan, &outcome.progress, implementation, jobs, stop);
    ended?;
    let report = findings::report::build(plan, implementation, &settings, &outcome, &diagnoses, started);
    Ok(report)
}
