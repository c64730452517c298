//! Tests of the store of files that a run goes on from: what was saved is loaded again, and any other content of a file
//! is refused with its reason in words.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

/// The content of a file of the store, for tests.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    version: u32,
    suite: String,
    count: u64,
}

impl StoreContent for Sample {
    const FORM: u32 = 3;
    const LARGEST: u64 = 1;
}

/// Returns a content in the form that this build reads.
fn sample() -> Sample {
    Sample { version: 3, suite: "1.0".into(), count: 12 }
}

/// Returns a path in a folder that does not yet exist, and the folder above it, which is removed when it is dropped.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/kept.json");
    (folder, path)
}

/// Tests that files of earlier builds stay readable: the checksum is the last field, of the text without it.
#[test]
fn what_is_saved_is_loaded() {
    let (_folder, path) = place();
    save(&path, &sample()).expect("a folder that can be written to");
    assert_eq!(load::<Sample>(&path).expect("what was saved"), sample());
    let json = r#"{"version":3,"suite":"1.0","count":12}"#;
    let digest = xxhash_rust::xxh3::xxh3_64(json.as_bytes());
    let expected = format!("{},\"checksum\":\"{digest:#018x}\"}}", &json[..json.len() - 1]);
    assert_eq!(fs::read_to_string(&path).expect("a file"), expected);
}

#[test]
fn each_reason_has_its_sentence() {
    let (_folder, path) = place();
    let told = |purpose| {
        let refusal = load::<Sample>(&path).expect_err("refused");
        refusal.to_error(Path::new("FILE"), purpose).to_string()
    };
    assert_eq!(
        told(Purpose::Resume),
        "there is nothing to resume: FILE does not exist; run without --resume"
    );
    assert_eq!(told(Purpose::Merge), "FILE does not exist; name the directories of finished parts");
    save(&path, &sample()).expect("a folder that can be written to");
    let whole = fs::read_to_string(&path).expect("a file");
    let write = |text: &str| fs::write(&path, text).expect("a file");
    write(&whole.replacen("12", "13", 1));
    assert_eq!(
        told(Purpose::Merge),
        "FILE is damaged: it was changed after it was written: its checksum does not match its content; run that part again"
    );
    write(&whole[..whole.len() / 2]);
    let cut = told(Purpose::Resume);
    assert!(cut.starts_with("FILE is damaged: it has no checksum: it is cut short"), "{cut}");
    assert!(cut.ends_with("; run without --resume"), "{cut}");
    write(&" ".repeat((1 << 20) + 1));
    assert!(told(Purpose::Resume).contains("could not be read: it is larger than the limit of 1 MiB"));
    fs::remove_file(&path).expect("a file");
    fs::create_dir(&path).expect("a folder");
    assert!(told(Purpose::Merge).starts_with("FILE could not be read: "));
}

/// Tests that another form is named before its fields are looked at, since it may have other fields.
#[test]
fn the_form_is_asked_before_the_fields() {
    let told = |json: &str| {
        let refusal = parsed::<Sample>(json.as_bytes()).expect_err("refused");
        refusal.to_error(Path::new("FILE"), Purpose::Resume).to_string()
    };
    let ours = env!("CARGO_PKG_VERSION");
    let remedy = "resume with the build that wrote it, or run without --resume";
    assert_eq!(
        told(r#"{"version":2,"suite":"0\u001b[2J","since":1}"#),
        format!(
            "FILE was written by another version of the suite: by 0\u{fffd}[2J, in form 2, while this version, {ours}, \
             reads form 3; {remedy}"
        )
    );
    assert!(told(r#"{"form":4}"#).contains("of the suite: in form 4, while this version"));
    let other = told(r#"{"version":3,"suite":"1.0","since":1}"#);
    assert!(
        other.starts_with("FILE is damaged or from another version (unknown field `since`"),
        "{other}"
    );
    assert!(other.ends_with(remedy), "{other}");
    let stamp = stamp_of_identity(br#"{"identity":{"version":7,"suite":"2","more":[]},"progress":{}}"#);
    let Stamp { version, suite } = stamp.expect("a stamp");
    assert_eq!((version, suite.as_deref()), (7, Some("2")));
}

#[test]
fn what_is_of_another_says_in_what() {
    let difference = "its --seed is `0x1`, and this run's is `0x2`".to_owned();
    let refusal = StoreRefusal::OfAnother { job: "run", difference };
    assert_eq!(
        refusal.to_error(Path::new("FILE"), Purpose::Resume).to_string(),
        "FILE belongs to another run: its --seed is `0x1`, and this run's is `0x2`; give the same arguments, another --out, \
         or run without --resume"
    );
}
