//! `conformance cluster kubernetes`: writes an Indexed Job for Kubernetes, and the job that merges its parts.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use serde_json::{Value, json};

use super::{Parts, Run, path_word, write};
use crate::command::{AGREE, Ending, make_directory, print};

/// The folder in which pods see the volume claim.
const FOLDER: &str = "/ptx-conformance";
/// The field with the label by which a pod knows its job, which Kubernetes sets from 1.27 on.
const JOB: &str = "metadata.labels['batch.kubernetes.io/controller-uid']";
/// The largest number of parts: for more, Kubernetes refuses a limit of retries for each index.
const PARTS_MAX: u64 = 100_000;
/// The most times that Kubernetes tries an index of the job again.
const RETRIES: u64 = 10;

/// Write an Indexed Job for Kubernetes and the job that merges its parts.
///
/// The image is built from harness/cluster/Containerfile.
///
/// Exit code: 0 on success; 2 if the files could not be written.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    parts: Parts,
    /// Directory of the manifests.
    #[arg(long, value_name = "DIR", default_value = "target/cluster")]
    out: PathBuf,
    /// Container image.
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    image: String,
    /// Volume claim (ReadWriteMany) for the parts and the merged report.
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    claim: String,
    /// Name of the job and of its folder in the volume.
    #[arg(long, value_parser = name, default_value = "ptx-conformance")]
    name: String,
    /// Number of GPUs for each part.
    #[arg(long, value_name = "N", default_value_t = 0)]
    gpus: u64,
    /// Run at most N parts at once [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    parallelism: Option<u64>,
}

/// Runs `conformance cluster kubernetes`.
pub fn run(arguments: &Arguments) -> Ending {
    let run = arguments.parts.looked_at()?;
    ensure!(
        run.parts <= PARTS_MAX,
        "a Kubernetes job has at most {PARTS_MAX} indices: use fewer --shards"
    );
    let out = &arguments.out;
    make_directory(out)?;
    for (file, job) in [("job.json", parts(arguments, &run)), ("merge.json", merge(arguments, &run))] {
        write(&out.join(file), &format!("{job:#}\n"))?;
    }
    let shown = |file| path_word(&out.join(file));
    print(&format!(
        "{}Submit: kubectl apply --filename {}\n\
         When job/{} is complete or failed, merge: kubectl apply --filename {}\n",
        run.said(),
        shown("job.json"),
        arguments.name,
        shown("merge.json"),
    ))?;
    Ok(ExitCode::from(AGREE))
}

/// Returns the manifest of the job of all parts. Exit codes 1 and 2 are answers, and an index that ends with one is not
/// tried again; pods that the cluster takes away are no failures.
fn parts(arguments: &Arguments, run: &Run) -> Value {
    let variables = [
        json!({ "name": "PARTS", "value": run.parts.to_string() }),
        json!({ "name": "PARTS_FOLDER", "value": folder(arguments, "parts") }),
        json!({ "name": "JOB", "valueFrom": { "fieldRef": { "fieldPath": JOB } } }),
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

/// Returns the manifest of the job that merges the parts; its exit code is the verdict.
fn merge(arguments: &Arguments, run: &Run) -> Value {
    let mut options = vec!["--out".to_owned(), folder(arguments, "merged")];
    options.extend(run.merge.iter().cloned());
    let parts = json!({ "name": "PARTS_FOLDER", "value": folder(arguments, "parts") });
    let mut job = job(arguments, &format!("{}-merge", arguments.name), "merge", &options, &[parts]);
    // A verdict of mismatches is an exit code other than 0, and must not have the merge tried again.
    job["spec"]["backoffLimit"] = json!(0);
    job
}

/// Returns the path of the job's folder `of`, in the volume claim as pods see it.
fn folder(arguments: &Arguments, of: &str) -> String {
    format!("{FOLDER}/{}/{of}", arguments.name)
}

/// Returns a text as a name that objects of Kubernetes can have, short enough for what is added to it.
///
/// # Errors
/// If the text is empty, has more than 50 characters, or has others than lower-case letters, digits, and `-` between
/// them.
fn name(text: &str) -> Result<String, String> {
    const MOST: usize = 50;
    let is_letter = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let ends = [text.bytes().next(), text.bytes().last()];
    let fits = text.len() <= MOST
        && ends.iter().all(|end| end.is_some_and(is_letter))
        && text.bytes().all(|letter| is_letter(letter) || letter == b'-');
    match fits {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "a name consists of lower-case letters and digits, with - between them, at most {MOST} \
             characters"
        )),
    }
}

/// Returns the manifest of a job of one container, which runs a program of the image with these words as arguments.
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
