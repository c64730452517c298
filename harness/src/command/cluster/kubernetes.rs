//! `cargo xtask cluster kubernetes`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use serde_json::{Value, json};

use super::{Parts, Run, write};
use crate::command::{AGREE, Ending, make_directory, print};

/// Where pods see the claim.
const FOLDER: &str = "/ptx-conformance";
/// Above, Kubernetes refuses a limit of retries for each index.
const PARTS_MAX: u64 = 100_000;
/// How often an index is tried again.
const RETRIES: u64 = 10;

/// Write an Indexed Job for Kubernetes, and the job that merges its parts. The image is made of
/// harness/cluster/Containerfile.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    parts: Parts,
    /// Folder of the manifests.
    #[arg(long, value_name = "DIR", default_value = "target/cluster")]
    out: PathBuf,
    /// The image.
    #[arg(long)]
    image: String,
    /// The claim on a volume for the parts and the merged report, which many pods can write (ReadWriteMany).
    #[arg(long)]
    claim: String,
    /// The name of the job, and the beginning of that of the merge.
    #[arg(long, default_value = "ptx-conformance")]
    name: String,
    /// GPUs of each part.
    #[arg(long, value_name = "N", default_value_t = 0)]
    gpus: u64,
    /// How many parts run at once [default: all].
    #[arg(long, value_name = "N")]
    parallelism: Option<u64>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let run = arguments.parts.looked_at()?;
    ensure!(
        run.parts <= PARTS_MAX,
        "a job of Kubernetes has {PARTS_MAX} indices at most: ask for fewer --shards"
    );
    let out = &arguments.out;
    make_directory(out)?;
    for (file, job) in [("job.json", parts(arguments, &run)), ("merge.json", merge(arguments, &run))] {
        write(&out.join(file), &format!("{job:#}\n"))?;
    }
    let (shown, name) =
        (reports::printable(&out.display().to_string()), reports::printable(&arguments.name));
    print(&format!(
        "{}Submit: kubectl apply --filename '{shown}/job.json'\n\
         When job/{name} is complete or failed, merge: kubectl apply --filename '{shown}/merge.json'\n",
        run.said()
    ))?;
    Ok(ExitCode::from(AGREE))
}

/// The job of all parts. Exit codes 1 and 2 are answers, and their index is not tried again; pods that the cluster
/// takes away are no failures.
fn parts(arguments: &Arguments, run: &Run) -> Value {
    let variables = [
        json!({ "name": "PARTS", "value": run.parts.to_string() }),
        json!({ "name": "PARTS_FOLDER", "value": FOLDER }),
    ];
    let answers = json!({ "containerName": "suite", "operator": "In", "values": [1, 2] });
    let disruption = json!([{ "type": "DisruptionTarget", "status": "True" }]);
    let mut job = job(arguments, &arguments.name, "part", run.command, &variables);
    let more = json!({
        "completionMode": "Indexed",
        "completions": run.parts,
        "parallelism": arguments.parallelism.unwrap_or(run.parts).min(run.parts),
        "backoffLimitPerIndex": RETRIES,
        "maxFailedIndexes": run.parts,
        "podReplacementPolicy": "Failed",
        "podFailurePolicy": { "rules": [
            { "action": "Ignore", "onPodConditions": disruption },
            { "action": "FailIndex", "onExitCodes": answers },
        ] },
    });
    let spec = job["spec"].as_object_mut().expect("a job has one");
    spec.extend(more.as_object().cloned().expect("these are fields"));
    job
}

/// The job of the merge, whose exit code is the verdict.
fn merge(arguments: &Arguments, run: &Run) -> Value {
    let [parts, merged] = ["parts", "merged"].map(|name| format!("{FOLDER}/{name}"));
    let mut command = ["report", "merge", &*parts, "--out", &*merged].map(String::from).to_vec();
    command.extend(run.merge.iter().cloned());
    let mut job = job(arguments, &format!("{}-merge", arguments.name), "conformance", &command, &[]);
    job["spec"]["backoffLimit"] = json!(0);
    job
}

/// A job of one container, which runs a program of the image.
fn job(
    arguments: &Arguments,
    name: &str,
    program: &str,
    words: &[String],
    variables: &[Value],
) -> Value {
    // Kubernetes puts a variable in the place of `$(NAME)`, unless the sign stands twice.
    let words: Vec<String> = words.iter().map(|word| word.replace('$', "$$")).collect();
    let mut container = json!({
        "name": "suite",
        "image": arguments.image,
        "command": [program],
        "args": words,
        "env": variables,
        "volumeMounts": [{ "name": "parts", "mountPath": FOLDER }],
    });
    if arguments.gpus > 0 {
        container["resources"] = json!({ "limits": { "nvidia.com/gpu": arguments.gpus } });
    }
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "name": name },
        "spec": { "template": { "spec": {
            "restartPolicy": "Never",
            "containers": [container],
            "volumes": [{ "name": "parts", "persistentVolumeClaim": { "claimName": arguments.claim } }],
        } } },
    })
}
