//! Tests of the published records of functions, by the interpreter and by a chip, and of the page that is made of
//! them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use functions::{Digest, FunctionRecord, Record, Tally};
use reports::thousands;

fn published(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/published").join(path)
}

fn read(path: &str) -> Record {
    serde_json::from_slice(&std::fs::read(published(path)).unwrap()).unwrap()
}

/// The path of the interpreter's record of functions. Those of a chip's records of all inputs follow, the later
/// ones first.
const INTERPRETED: &str = "functions/nvrtc.json";
const ON_DEVICE: [&str; 3] = [
    "cuda-h200-2026-11-27-2/functions.json",
    "cuda-h200-2026-11-27/functions-2.json",
    "cuda-h200-2026-11-27/functions-1.json",
];

#[test]
fn functions_without_approximations_are_the_same_on_a_chip() {
    let interpreted = read("functions/nvrtc-reduced.json");
    let on_device = read("cuda-h200-2026-11-27/functions-reduced.json");
    assert_eq!((&interpreted.device, &interpreted.compiler), (&None, &on_device.compiler));
    let same = |on_device: &Record, interpreted: &Record| {
        let exact = on_device.functions.iter().filter(|one| one.approximations.is_empty());
        let compared = exact.map(|one| {
            let is_same = |other: &&FunctionRecord| other.name == one.name && other.under == one.under;
            let other = interpreted.functions.iter().find(is_same).unwrap();
            assert_eq!((&other.way, &other.counted), (&None, &one.counted), "{}", one.name);
            assert_ne!(one.counted.digest, Digest::default());
        });
        compared.count()
    };
    assert_eq!(same(&on_device, &interpreted), 36);
    assert_eq!(interpreted.functions.iter().filter(|one| one.way.is_none()).count(), 36);
    let exceeding = |one: &&FunctionRecord| one.counted.exceeding > 0;
    let names = on_device.functions.iter().filter(exceeding).map(|one| &*one.name);
    assert_eq!(names.collect::<Vec<_>>(), ["hsin.bf16", "hcos.bf16", "htanh.f16"]);
    let all = read(ON_DEVICE[0]);
    let names = all.functions.iter().filter(exceeding).map(|one| &*one.name);
    assert_eq!(names.collect::<Vec<_>>(), ["__log10f", "log10f"]);
    let interpreted = read(INTERPRETED);
    assert_eq!(ON_DEVICE.map(|path| same(&read(path), &interpreted)), [2, 0, 2]);
}

/// Returns a table of the worst results of a chip and of the interpreter, over all inputs of the functions of f32
/// with approximations, under the usual options. Functions with results that no unit measures are left out.
fn of_chip_and_interpreter() -> String {
    let mut text = String::from(
        "| function | documented | H200 | not correctly rounded there | nearest | lowest | highest |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    let usual = |entry: &FunctionRecord| {
        entry.exhaustive
            && !entry.name.contains('.')
            && entry.under.iter().any(|of| of == "default compute_90")
    };
    let mut chip: BTreeMap<String, Tally> = BTreeMap::new();
    for entry in ON_DEVICE.iter().flat_map(|path| read(path).functions).filter(|entry| usual(entry)) {
        chip.entry(entry.name).or_insert(entry.counted);
    }
    let interpreted: Vec<FunctionRecord> =
        read(INTERPRETED).functions.into_iter().filter(usual).collect();
    for ways in interpreted.chunk_by(|one, next| one.name == next.name) {
        let Some(on_chip) = chip.get(&ways[0].name) else { continue };
        let tallies = || [on_chip].into_iter().chain(ways.iter().map(|entry| &entry.counted));
        let measured = |tally: &Tally| tally.worst.as_ref().is_none_or(|worst| worst.error < 1e4);
        if ways.len() == 1 || !tallies().all(measured) {
            continue;
        }
        let mut cells = tallies().map(|tally| match &tally.worst {
            None => "0".into(),
            Some(worst) => format!("{} ({:.2})", worst.distance, worst.error),
        });
        let (name, documented, on_device) = (&ways[0].name, &ways[0].documented, cells.next().unwrap());
        let rest: Vec<String> = [thousands(on_chip.wrong)].into_iter().chain(cells).collect();
        text += &format!("| `{name}` | {documented} | {on_device} | {} |\n", rest.join(" | "));
    }
    text
}

/// The published tables, which people read, are those of the published records, which programs write.
#[test]
fn the_published_tables_are_those_of_the_published_records() {
    let path = published("FUNCTIONS.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let record = read(INTERPRETED);
    let mut made = page.clone();
    for (heading, table) in [
        ("\n## What is beyond the documented maximum\n", record.beyond_documented().unwrap()),
        ("\n## On an H200\n", of_chip_and_interpreter()),
        ("\n## All that was measured\n", record.table()),
    ] {
        assert!(table.lines().count() > 25, "{table}");
        let start = made.find(heading).unwrap();
        let start = start + made[start..].find("\n|").unwrap() + 1;
        let end = start + made[start..].find("\n\n").unwrap() + 1;
        // The page says elsewhere which target it is.
        made.replace_range(start..end, &table.replace(" compute_90", ""));
    }
    if std::env::var_os("UPDATE_FUNCTIONS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert!(
        made == page,
        "{} does not belong to its records any more; renew it: UPDATE_FUNCTIONS=1 cargo test -p ptx-conformance-cli exactness",
        path.display()
    );
}
