//! Tests of `cluster`: what it refuses, and what it writes. `.ci/slurm` runs it on a real Slurm.

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
    assert_refused(&slurm(&["conformance", "--only", "abs.*", "--"]), &["`--` among the options"]);
    assert_refused(
        &slurm(&["conformance", "--impl", "nonsense"]),
        &["unknown implementation `nonsense`"],
    );
    assert_refused(&slurm(&["conformance", "--only", "abs.*", "--waivers", "/none"]), &["/none"]);
    assert_refused(&slurm(&["conformance", "--help"]), &["unexpected argument '--help'"]);
    assert!(!folder.path().join("cluster").exists(), "what is refused leaves nothing");
    assert_eq!(slurm(&["conformance", "--only", "abs.*"]).status.code(), Some(0));
    std::fs::create_dir(folder.path().join("cluster/parts")).unwrap();
    assert_refused(&slurm(&["conformance", "--only", "neg.*"]), &["has parts of an earlier run"]);
}

/// Scripts have the run as it was asked for: words with a meaning for a shell are handed on as they are, and who
/// has no Slurm is told so.
#[test]
fn scripts_have_the_run_as_it_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let client = "exec:./a 'client' $HOME; \"b\"";
    let waivers = folder.path().join("a b.json");
    std::fs::write(&waivers, "{\"waivers\":[]}").unwrap();
    let (waivers, given) = (waivers.to_str().unwrap(), format!("--waivers={}", waivers.display()));
    let run = ["conformance", "--only", "mul.r?.f16", "--impl", client, &given];
    let asked = ["cluster", "slurm", "--shards", "4", "--gres", "gpu:1", "--option=--partition=g p"];
    let out = ["--out", folder.path().to_str().unwrap(), "--"];
    let made = plain(&[&asked[..], &out, &run].concat());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let said = String::from_utf8(made.stdout).unwrap();
    assert!(
        said.starts_with("4 parts, each about 1 second on one processor") && said.contains("submit.sh"),
        "{said}"
    );
    let show = "source settings.sh; printf '%s\\n' \"$PARTS\" \"${RUN[@]}\" - \"${MERGE[@]}\" - \"${OPTIONS[@]}\"";
    let shown = Command::new("bash").args(["-c", show]).current_dir(folder.path()).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    let merge = ["--impl", client, "--waivers", waivers];
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
    assert!(settings.contains(&format!("MERGE=('--waivers' '{waivers}')")), "{settings}");
}

/// A folder with the scripts of two parts, and programs that stand for Slurm's.
struct Fake(tempfile::TempDir);

impl Fake {
    fn new(most: &str) -> Fake {
        let fake = Fake(tempfile::tempdir().unwrap());
        let out = fake.path("cluster");
        let run = ["--shards", "3", "--out", &out, "--", "conformance", "--only", "abs.f16", "--quiet"];
        assert!(plain(&[&["cluster", "slurm"][..], &run].concat()).status.success());
        std::fs::create_dir(fake.path("bin")).unwrap();
        let count = "[ $(cat count) -lt 2 ] || exit 3; echo $(($(cat count) + 1)) > count; cat count";
        fake.program("sbatch", count);
        fake.program("scontrol", &format!("echo MaxArraySize = {most}"));
        std::fs::write(fake.path("count"), "0").unwrap();
        fake
    }

    /// Puts a program in the place of Slurm's, or of the system's.
    fn program(&self, name: &str, text: &str) {
        let text = format!("#!/bin/sh\ncd {}\n{text}\n", self.0.path().display());
        crate::common::program(&self.0.path().join("bin").join(name), &text);
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn command(&self, script: &str) -> Command {
        let mut command = Command::new("bash");
        command.arg(format!("cluster/{script}")).current_dir(self.0.path());
        command.env("PATH", format!("{}:{}", self.path("bin"), std::env::var("PATH").unwrap()));
        command.env("CDPATH", ".").env("PTX_FOLDER", self.path("cluster"));
        command
    }

    fn part(&self, index: u64) -> std::process::Output {
        let mut part = self.command("part.sbatch");
        part.env("PTX_FIRST", "1")
            .env("SLURM_ARRAY_TASK_ID", index.to_string())
            .env("SLURM_JOB_ID", "9");
        part.output().unwrap()
    }
}

#[test]
fn a_submission_begins_anew_or_says_that_it_goes_on() {
    let fake = Fake::new("1001");
    let submitted = fake.command("submit.sh").output().unwrap();
    assert!(submitted.status.success(), "{}", String::from_utf8_lossy(&submitted.stderr));
    assert_refused(&fake.command("submit.sh").output().unwrap(), &["earlier submission", "--continue"]);
    std::fs::write(fake.path("count"), "0").unwrap();
    assert!(fake.command("submit.sh").arg("--continue").output().unwrap().status.success());
    for most in ["0", "", "many"] {
        let refused = Fake::new(most).command("submit.sh").output().unwrap();
        assert_refused(&refused, &["MaxArraySize"]);
    }
    // Two arrays are submitted and the third job is refused: nothing is left waiting that nobody knows of.
    let fake = Fake::new("2");
    let broken = fake.command("submit.sh").output().unwrap();
    let said = String::from_utf8(broken.stderr).unwrap();
    assert!(!broken.status.success() && said.contains("without a merge: scancel 1 2"), "{said}");
}

#[test]
fn a_part_whose_findings_have_no_place_fails() {
    let fake = Fake::new("1001");
    std::fs::create_dir(fake.path("cluster/parts")).unwrap();
    assert_eq!(fake.part(0).status.code(), Some(0));
    let lost = |index: u64| {
        let lost = fake.part(index);
        assert_eq!(lost.status.code(), Some(2));
        String::from_utf8(lost.stderr).unwrap()
    };
    std::fs::write(fake.path("cluster/parts/2"), "in the way").unwrap();
    assert!(lost(1).ends_with("error: part 2: there is no place for what it finds\n"));
    fake.program("cp", "exit 1");
    let said = lost(2);
    let kept = said.split(" in ").nth(1).expect("where it is").trim_end();
    assert!(std::path::Path::new(kept).join("report.json").exists(), "{said}");
    std::fs::remove_dir_all(kept).unwrap();
}

/// A pod's script that is stopped and started again in its place comes to the answer of the part.
#[test]
fn a_pod_goes_on_where_another_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_conformance"), folder.path().join("conformance"))
        .unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let pod = |index: u64| {
        let mut pod = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../cluster/part.sh"));
        pod.args(["conformance", "--quiet", "--jobs", "1", "--judge", "mpfr"]);
        pod.args(["--only", "fma.rn.*f16", "--only", "fma.rn.ftz*f16x2"]);
        pod.env("JOB_COMPLETION_INDEX", index.to_string()).env("PARTS", "2").env("PATH", &path);
        pod.env("PARTS_FOLDER", folder.path().join("parts")).env("JOB", "one");
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

    // Another job takes no part of this one, and until all its parts have begun there is nothing to merge.
    let merge = || {
        let mut merge = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../cluster/merge.sh"));
        merge
            .env("PARTS_FOLDER", &parts)
            .env("PATH", &path)
            .arg("--out")
            .arg(folder.path().join("again"));
        merge.output().unwrap()
    };
    let other = |index| pod(index).env("JOB", "two").status().unwrap().code();
    assert_eq!(other(0), Some(0));
    assert_eq!(super::report(&parts.join("1"))["times"]["resumed"], 0);
    assert_refused(&merge(), &["has parts of 2 jobs"]);
    assert_eq!(other(1), Some(0));
    assert_eq!(merge().status.code(), Some(0));
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
    let job = container["env"][2]["valueFrom"]["fieldRef"]["fieldPath"].as_str().unwrap();
    assert!(job.contains("controller-uid"), "{job}");
    assert_refused(&made("100001", &[]), &["at most 100000 indices"]);
    assert_refused(&made("2", &["--parallelism", "0"]), &["--parallelism"]);
    for name in ["", "A", "a b", "-a", "a/b", "$(x)"] {
        let name = format!("--name={name}");
        assert_refused(&made("2", &[&name]), &["a name consists of lower-case letters"]);
    }
}

/// Parts cost about the same, which equal numbers of blocks alone would not achieve.
#[test]
fn parts_cost_about_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for shards in ["2", "8", "64"] {
        let asked = ["cluster", "slurm", "--shards", shards, "--out", folder.path().to_str().unwrap()];
        let said = plain(&[&asked[..], &["--", "conformance"]].concat());
        let said = String::from_utf8(said.stdout).unwrap();
        let cost = said.split("the longest takes ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(cost.parse::<f64>().unwrap() < 1.12, "{shards}: {said}");
    }
}
