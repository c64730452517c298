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
        said.starts_with("4 parts, about 1 second of one processor each") && said.contains("submit.sh"),
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

/// The script of a pod, stopped and started again in its place, comes to the answer of the part.
#[test]
fn a_pod_goes_on_where_another_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_conformance"), folder.path().join("conformance"))
        .unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let pod = |index: u64| {
        let mut pod = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cluster/part.sh"));
        pod.args(["conformance", "--quiet", "--jobs", "1", "--judge", "mpfr"]);
        pod.args(["--only", "fma.rn.*f16", "--only", "fma.rn.ftz*f16x2"]);
        pod.env("JOB_COMPLETION_INDEX", index.to_string()).env("PARTS", "2").env("PATH", &path);
        pod.env("PARTS_FOLDER", folder.path());
        pod
    };
    let mut stopped = pod(0).spawn().unwrap();
    let state = folder.path().join("parts/1/state.json");
    while !state.exists() {
        assert!(stopped.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").arg(stopped.id().to_string()).status().unwrap().success());
    assert_eq!(stopped.wait().unwrap().code(), Some(143));
    assert_eq!([0, 1].map(|index| pod(index).status().unwrap().code()), [Some(0), Some(0)]);
    let merged = folder.path().join("merged");
    let parts = folder.path().join("parts");
    let merge = ["report", "merge", parts.to_str().unwrap(), "--out", merged.to_str().unwrap()];
    assert_eq!(plain(&merge).status.code(), Some(0));
    assert_eq!(super::report(&merged)["times"]["resumed"], 1);
}

#[test]
fn manifests_have_every_part_and_what_is_no_retry() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let made = |shards: &str, more: &[&str]| {
        let asked =
            ["cluster", "kubernetes", "--shards", shards, "--image", "i", "--claim", "c", "--out", out];
        plain(
            &[&asked[..], more, &["--", "conformance", "--only", "abs.*", "--impl", "exec:./a $(B)"]]
                .concat(),
        )
    };
    assert!(made("64", &["--gpus", "1", "--parallelism", "8"]).status.success());
    let job: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("job.json")).unwrap()).unwrap();
    let spec = &job["spec"];
    assert_eq!((&spec["completions"], &spec["parallelism"]), (&64.into(), &8.into()));
    let rules = spec["podFailurePolicy"]["rules"].to_string();
    assert!(
        rules.contains("\"FailIndex\"") && rules.contains("[1,2]") && rules.contains("DisruptionTarget")
    );
    let container = &spec["template"]["spec"]["containers"][0];
    assert_eq!(container["args"][4], "exec:./a $$(B)");
    assert_eq!(container["resources"]["limits"]["nvidia.com/gpu"], 1);
    assert_refused(&made("100001", &[]), &["100000 indices at most"]);
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
