//! The table of worked examples in `MATRIX_SWEEPS.md` against the code.

use super::*;

const DOCUMENT: &str = include_str!("../../../../MATRIX_SWEEPS.md");

/// The row of a sweep as hexadecimal numbers, a column each.
fn row(sweep: &str, variant: &str, seed: u64, index: u64) -> String {
    let variant: MatrixVariant = variant.parse().unwrap();
    let sweep = DotSweep::named(sweep).unwrap_or_else(|| panic!("no sweep {sweep}"));
    let mut columns = columns_for(&variant, 1);
    sweep.fill(&variant, seed, index, &mut columns);
    let hex = |column: &Column| {
        let bytes = column.row_bytes_of(0).iter().rev();
        bytes.map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    columns.iter().map(hex).collect::<Vec<_>>().join(" ")
}

#[test]
fn vectors_are_the_documents() {
    let rows: Vec<Vec<&str>> = DOCUMENT
        .lines()
        .skip_while(|line| *line != "| sweep | variant | seed | vector | columns |")
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|c| c.trim().trim_matches('`')).collect())
        .collect();
    for row in &rows {
        let made = self::row(row[0], row[1], row[2].parse().unwrap(), row[3].parse().unwrap());
        assert_eq!(made, row[4], "{row:?}");
    }
    for sweep in DotSweep::all() {
        assert!(rows.iter().filter(|row| row[0] == sweep.name).count() >= 3, "{}", sweep.name);
    }
}

/// Every sweep has its section, in running order.
#[test]
fn sections_are_the_sweeps() {
    let sections: Vec<&str> = DOCUMENT.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!(sections, DotSweep::all().iter().map(|sweep| sweep.name).collect::<Vec<_>>());
}

/// Rows for a generator in another language to compare itself with: `cargo test -p vectors --lib -- --ignored
/// --nocapture print_vectors`.
#[test]
#[ignore = "prints"]
fn print_vectors() {
    for variant in [
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
        "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e2m1.f32",
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e5m2.e3m2.f32.ue8m0",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
        "mma.sync.aligned.m16n8k8.row.col.rz.f64.f64.f64.f64",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16(a-regs)",
        "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32(a-desc)",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16",
        "tcgen05.mma.cta_group::1.kind::f8f6f4(a-desc,f16.e4m3.e2m3,k32)",
        "tcgen05.mma.cta_group::1.kind::f16(a-desc,f16.f16.f16,k16)",
        "tcgen05.mma.sp.cta_group::1.kind::tf32(a-desc,f32.tf32.tf32,k16)",
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
        "mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
    ] {
        let parsed: MatrixVariant = variant.parse().unwrap();
        for sweep in DotSweep::all().iter().filter(|sweep| applies(sweep, &parsed)) {
            let early = (0..60).map(|index| (1, index));
            for (seed, index) in early.chain([(2, 3333), (7, 1 << 40 | 12345), (3, u64::MAX)]) {
                println!(
                    "{} {variant} {seed} {index} {}",
                    sweep.name,
                    row(sweep.name, variant, seed, index)
                );
            }
        }
    }
}
