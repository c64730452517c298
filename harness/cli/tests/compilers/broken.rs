//! Tests of what clients of compilers do, and of what they must not do.

use compilers::{BrokenProtocol, CompileOutcome, CompileRequest, Compiler};
use implementations::FailureKind;

use super::{fake, request, suite};

fn requests(sources: &[&str]) -> Vec<CompileRequest> {
    sources.iter().map(|source| request("cuda", source, &["-O3", "-a \"b\""], "compute_90")).collect()
}

#[test]
fn an_introduction_says_what_there_is() {
    let compiler = fake("right", 1).unwrap();
    let introduction = compiler.introduction();
    assert_eq!((&*introduction.name, &*introduction.version), ("fake", "1 of 2026"));
    let targets = introduction.targets.iter().map(|target| (&*target.name, &*target.compiler));
    assert_eq!(targets.collect::<Vec<_>>(), [("compute_90", "old"), ("compute_100", "new")]);
    assert_eq!(introduction.options[0].name, "-O{0|3}");
}

#[test]
fn every_request_has_its_outcome() {
    let asked = |source: &str| {
        let source = serde_json::to_string(source).unwrap();
        CompileOutcome::Ptx(format!(r#"["cuda", {source}, ["-O3", "-a \"b\""], "compute_90", "ptx"]"#))
    };
    let source = "float f()\n{ return 1; } // \\u0007 \"\t";
    let sources = [source, "refused no f", "died signal 11", "code FADD R1, R2", ""];
    let expected = [
        asked(source),
        CompileOutcome::Refused("no f".into()),
        CompileOutcome::Died("signal 11".into()),
        CompileOutcome::Code("FADD R1, R2".into()),
        asked(""),
    ];
    assert_eq!(fake("right", 1).unwrap().compile(&requests(&sources)).unwrap(), expected);
    assert_eq!(fake("right", 2).unwrap().compile(&[]).unwrap(), []);
    // One process is asked, so that two answers come together.
    let outcomes =
        fake("backwards", 1).unwrap().compile(&requests(&["a", "b", "c", "d", "e", "f", "g", "h"]));
    assert_eq!(outcomes.unwrap(), ["a", "b", "c", "d", "e", "f", "g", "h"].map(asked));
}

/// Requests and answers do not wait for each other, though there are more of them, and larger ones, than fit into a
/// pipe; by several processes, and by them again.
#[test]
fn requests_and_answers_do_not_wait_for_each_other() {
    let sources: Vec<String> =
        (0..300).map(|number| format!("{number} {}", "x".repeat(10_000))).collect();
    let requests = requests(&sources.iter().map(String::as_str).collect::<Vec<_>>());
    for jobs in [1, 3] {
        let compiler = fake("right", jobs).unwrap();
        for _ in 0..2 {
            let outcomes = compiler.compile(&requests).unwrap();
            assert_eq!(outcomes.len(), requests.len());
            for (outcome, source) in outcomes.iter().zip(&sources) {
                assert!(matches!(outcome, CompileOutcome::Ptx(text) if text.contains(source)));
            }
        }
    }
}

/// Returns what a client is blamed for.
fn blamed(error: anyhow::Error) -> BrokenProtocol {
    error.downcast::<BrokenProtocol>().expect("the client is to blame")
}

#[test]
fn a_client_that_breaks_the_protocol_is_told_so() {
    let sources = requests(&["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
    for (manner, kind, words) in [
        ("garbage", FailureKind::Nonsense, "it answered `no JSON \u{fffd}[2J` instead of"),
        ("both", FailureKind::Nonsense, "one of ptx, code, refused and died"),
        ("neither", FailureKind::Nonsense, "one of ptx, code, refused and died"),
        ("more", FailureKind::Nonsense, "unknown field `bytes`"),
        ("wide", FailureKind::Nonsense, "unknown field `xxx"),
        ("other", FailureKind::Nonsense, "it answered request 1000, of 3 counted from 0"),
        ("twice", FailureKind::Nonsense, "it answered request 0 twice"),
        ("negative", FailureKind::Nonsense, "invalid value: integer `-1`"),
        ("list", FailureKind::Nonsense, "instead of"),
        ("deep", FailureKind::Nonsense, "instead of"),
        ("long", FailureKind::Nonsense, "a line without end"),
        (
            "ends",
            FailureKind::Crashed,
            "(exit status: 1) after 1 of 3 answers; it said: no more of this",
        ),
    ] {
        let broken = blamed(fake(manner, 1).unwrap().compile(&sources).unwrap_err());
        assert_eq!(broken.kind, kind, "{manner}: {broken}");
        assert!(broken.words.contains(words), "{manner}: {broken}");
        assert!(broken.to_string().contains("harness/protocol/compilers.md"), "{broken}");
        assert!(broken.words.len() < 1000, "{manner}");
    }
}

/// An answer that comes before it is asked for is noticed, since it belongs to no request.
#[test]
fn an_answer_too_many_is_noticed() {
    let compiler = fake("ahead", 1).unwrap();
    let one = requests(&["a"]);
    let mut broken = None;
    // The second answer may come a little after the first.
    for _ in 0..100 {
        broken = compiler.compile(&one).err();
        if broken.is_some() {
            break;
        }
    }
    let broken = blamed(broken.expect("an answer too many"));
    assert_eq!(broken.kind, FailureKind::Nonsense, "{broken}");
}

#[test]
fn a_client_that_does_not_introduce_itself_is_no_compiler() {
    suite();
    // Only a client that never answers is late, however busy the machine is.
    let fake = |manner: &str| {
        let start = if manner == "mute" { 1 } else { 60 };
        format!("exec,start={start}:python3 harness/cli/tests/compilers/fake.py {manner}")
    };
    for (name, kind, words) in [
        (fake("old"), FailureKind::Nonsense, "instead of an introduction of ptx-compiler 1"),
        (fake("short"), FailureKind::Nonsense, "missing field `targets`"),
        (fake("mute"), FailureKind::Timeout, "no answer in 1 s (start=1)"),
        ("exec:true".into(), FailureKind::Crashed, "it ended (exit status: 0)"),
        ("exec:echo ptx-conformance 1 x 1".into(), FailureKind::Nonsense, "`ptx-conformance 1 x 1`"),
    ] {
        let broken = blamed(Compiler::connect(&name, 1).err().expect(&name));
        assert_eq!(broken.kind, kind, "{broken}");
        assert!(broken.words.contains(words), "{broken}");
    }
}

#[test]
fn a_client_that_hangs_is_late() {
    suite();
    let name = "exec,deadline=1:python3 harness/cli/tests/compilers/fake.py hangs";
    let broken = blamed(Compiler::connect(name, 2).unwrap().compile(&requests(&["a"; 20])).unwrap_err());
    assert_eq!(broken.kind, FailureKind::Timeout, "{broken}");
    assert!(broken.words.contains("no answer in 1 s (deadline=1)"), "{broken}");
}

/// Names that mean no compiler are refused, each in one line that says what to do.
#[test]
fn names_that_mean_no_compiler_are_refused() {
    suite();
    for (name, words) in [
        ("nvcc", &["unknown compiler `nvcc`", "nvrtc, nvvm, llvm, ptxas, tile", "exec:COMMAND"][..]),
        ("nvrtc@11.0.1", &["nvrtc is not available in version `11.0.1`", "13.5.37", "12.8.93"]),
        ("llvm@12.8.93", &["llvm is not available in version `12.8.93`: choose one of 22.1.0, 20.1.8"]),
        ("nvrtc@", &["nvrtc is not available in version ``"]),
        ("exec:/no/such/command", &["command not found: `/no/such/command`"]),
        ("exec:'sh", &["quotation mark"]),
        ("exec:", &["has no command or path"]),
        ("exec,vectors=3:sh", &["`vectors` is an option of implementations"]),
    ] {
        let error = Compiler::connect(name, 1).err().expect(name).to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
