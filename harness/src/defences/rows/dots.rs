//! Programs that do with dot products what others do with lanes.

use super::super::Row;
use super::super::client::DOTS;
use super::Group;
use super::clients::{accused, agrees, depends, failing, in_lines};

const GROUP: Group = Group("Matrix instructions", &DOTS);

/// The rows.
pub const ROWS: [Row; 10] = [
    GROUP.row("dots: a right program", "every vector agrees", |ground| agrees(ground, "none", 10)),
    GROUP.row("dots: it aborts on one", "that vector alone is `crashed`", |ground| {
        accused(ground, "crash", 10, "crashed")
    }),
    GROUP.row("dots: it hangs on one", "that vector alone is `timeout`", |ground| {
        accused(ground, "late", 1, "timeout")
    }),
    GROUP.row("dots: it ends in the middle of an answer", "`crashed`", |ground| {
        failing(ground, "short", "crashed")
    }),
    GROUP.row("dots: it answers a row less than it was asked, and waits", "`timeout`", |ground| {
        failing(ground, "fewer", "timeout")
    }),
    GROUP.row("dots: it answers a row more than it was asked", "`nonsense`", |ground| {
        failing(ground, "more", "nonsense")
    }),
    GROUP.row("dots: it answers in the wrong order", "the run says so, and fails", |ground| {
        depends(ground, "reversed", "batch-dependent")
    }),
    GROUP.row(
        "dots: it answers one otherwise alone than in its batch",
        "the run says so, and fails",
        |ground| depends(ground, "batch", "batch-dependent"),
    ),
    GROUP.row(
        "dots: it answers one otherwise the second time",
        "the run says so, and fails",
        |ground| depends(ground, "unstable", "unstable"),
    ),
    GROUP.row("dots, in lines: it aborts on one", "that vector alone is `crashed`", |ground| {
        in_lines(ground, "crash", 10)
    }),
];
