//! `cluster`: what it refuses, and what it writes. `.ci/slurm` runs it on a real Slurm.

use std::process::Command;

use super::plain;
use crate::common::assert_refused;

#[test]
fn what_cannot_be_cut_into_parts_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let slurm = |run: &[&str]| {
        let asked = ["cluster", "slurm", "--shards", "4"];
        let out = folder.path().join("cluster");
        let out = ["--out", out.to_str().unwrap(), "--"];
        plain(&[&asked[..], &out, run].concat())
    };
    assert_refused(&slurm(&["replay", "x"]), &["a run of `conformance`", "-- conformance"]);
    assert_refused(&slurm(&["conformance", "--shard", "1/2"]), &["--shard is different for each part"]);
    assert_refused(&slurm(&["conformance", "--out=x"]), &["--out=x is different for each part"]);
    assert_refused(&slurm(&["conformance", "--tier", "daily"]), &["daily"]);
    assert_refused(&slurm(&["conformance", "--only", "nothing.*"]), &["matches no variant"]);
    assert!(!folder.path().join("cluster").exists(), "what is refused leaves nothing");
    assert_eq!(slurm(&["conformance", "--only", "abs.*"]).status.code(), Some(0));
}

/// Words with a meaning for a shell are handed on as they are, and who has no Slurm is told so.
#[test]
fn scripts_have_the_run_as_it_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let client = "exec:./a 'client' $HOME; \"b\"";
    let run = ["conformance", "--only", "mul.r?.f16", "--impl", client, "--waivers=a b.json"];
    let asked = ["cluster", "slurm", "--shards", "4", "--gres", "gpu:1", "--option=--partition=g p"];
    let out = ["--out", folder.path().to_str().unwrap(), "--"];
    let made = plain(&[&asked[..], &out, &run].concat());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let said = String::from_utf8(made.stdout).unwrap();
    assert!(
        said.starts_with("4 parts, of which the dearest costs 1.") && said.contains("submit.sh"),
        "{said}"
    );
    let show = "source settings.sh; printf '%s\\n' \"$PARTS\" \"${RUN[@]}\" - \"${MERGE[@]}\" - \"${OPTIONS[@]}\"";
    let shown = Command::new("bash").args(["-c", show]).current_dir(folder.path()).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    let merge = ["--impl", client, "--waivers", "a b.json"];
    let options = ["--gres=gpu:1", "--partition=g p"];
    let wanted = [&["4"][..], &run, &["-"], &merge, &["-"], &options].concat();
    assert_eq!(shown.lines().collect::<Vec<_>>(), wanted);
    let mut submit = Command::new("/bin/bash");
    let nowhere = submit.arg(folder.path().join("submit.sh")).env("PATH", "/usr/bin/nowhere:/bin");
    let nowhere = nowhere.output().unwrap();
    if !std::path::Path::new("/usr/bin/sbatch").exists() {
        assert_refused(&nowhere, &["there is no sbatch here"]);
    }
    let elsewhere =
        [&["cluster", "slurm", "--shards", "4", "--merge-elsewhere"][..], &out, &run].concat();
    assert!(plain(&elsewhere).status.success());
    let settings = std::fs::read_to_string(folder.path().join("settings.sh")).unwrap();
    assert!(settings.contains("MERGE=('--waivers' 'a b.json')"), "{settings}");
}

/// Parts cost the same: their number alone would not do that.
#[test]
fn parts_cost_about_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for shards in ["2", "8", "64"] {
        let asked = ["cluster", "slurm", "--shards", shards, "--out", folder.path().to_str().unwrap()];
        let said = plain(&[&asked[..], &["--", "conformance"]].concat());
        let said = String::from_utf8(said.stdout).unwrap();
        let cost = said.split("costs ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(cost.parse::<f64>().unwrap() < 1.1, "{shards}: {said}");
    }
}
