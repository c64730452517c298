//! Rows about programs under test, files and signals where matrix instructions are tried instead of lanes.

use super::super::DefenceRow;
use super::super::client::DOTS;
use super::RowGroup;
use super::clients::{accused, agrees, depends, failing, in_lines};
use super::files::{report_changed, report_cut, report_hostile, state_changed, state_cut};
use super::signals::killed_again_and_again;

const GROUP: RowGroup = RowGroup("Matrix instructions", &DOTS);

/// The rows about dot products.
pub const ROWS: [DefenceRow; 16] = [
    GROUP.row("dots: a right program", "every vector agrees", |sandbox| agrees(sandbox, "none", 10)),
    GROUP.row("dots: it aborts on one", "that vector alone is `crashed`", |sandbox| {
        accused(sandbox, "crash", 10, "crashed")
    }),
    GROUP.row("dots: it hangs on one", "that vector alone is `timeout`", |sandbox| {
        accused(sandbox, "late", 1, "timeout")
    }),
    GROUP.row("dots: it ends in the middle of an answer", "`crashed`", |sandbox| {
        failing(sandbox, "short", "crashed")
    }),
    GROUP.row("dots: it answers a row less than it was asked, and waits", "`timeout`", |sandbox| {
        failing(sandbox, "fewer", "timeout")
    }),
    GROUP.row("dots: it answers a row more than it was asked", "`nonsense`", |sandbox| {
        failing(sandbox, "more", "nonsense")
    }),
    GROUP.row("dots: it answers in the wrong order", "the run says so, and fails", |sandbox| {
        depends(sandbox, "reversed", "batch-dependent")
    }),
    GROUP.row(
        "dots: it answers one differently alone and in its batch",
        "the run says so, and fails",
        |sandbox| depends(sandbox, "batch", "batch-dependent"),
    ),
    GROUP.row(
        "dots: it answers one differently the second time",
        "the run says so, and fails",
        |sandbox| depends(sandbox, "unstable", "unstable"),
    ),
    GROUP.row("dots, in lines: it aborts on one", "that vector alone is `crashed`", |sandbox| {
        in_lines(sandbox, "crash", 10)
    }),
    GROUP.row("dots: the state is cut short", "`--resume` is refused", state_cut),
    GROUP.row("dots: a digit of the state is changed", "`--resume` is refused", state_changed),
    GROUP.row("dots: a report is cut short", "`replay` refuses it", report_cut),
    GROUP.row("dots: a digit of a report is changed", "`replay` refuses it", report_changed),
    GROUP.row(
        "dots: a report has escape sequences in every text",
        "it is replayed and shortened without them",
        report_hostile,
    ),
    GROUP.row(
        "dots: SIGKILL at six moments, each followed by `--resume`",
        "the report of an undisturbed run, byte for byte but for times and checksum",
        killed_again_and_again,
    ),
];
