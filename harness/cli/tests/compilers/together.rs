//! Tests of requests that are compiled as one module.

use compilers::{CompileOutcome, CompileRequest};

use super::real::installed;
use super::{fake, request};

#[test]
fn what_makes_a_module_fail_is_found_and_the_others_compile() {
    let compiler = fake("right", 2).unwrap();
    let sources: Vec<String> = (0..100)
        .map(|number| match number {
            7 => "refused seven".into(),
            64 => "died signal 11".into(),
            _ => format!("declare f\nsource {number}\n"),
        })
        .collect();
    let request = |source: &String| request("cuda", source, &[], "compute_90");
    let requests: Vec<CompileRequest> = sources.iter().map(request).collect();
    let done = compiler.compile_together(&requests, 50).unwrap();
    assert_eq!(done.first().map(|(part, _)| part.start), Some(0));
    assert!(done.windows(2).all(|two| two[0].0.end == two[1].0.start), "{done:?}");
    assert_eq!(done.last().map(|(part, _)| part.end), Some(100));
    // These are halves of fifty: six times each, and what is left of them.
    assert!(done.len() <= 2 * 6 + 2, "{}", done.len());
    for (part, outcome) in done {
        match outcome {
            CompileOutcome::Ptx(text) => {
                assert!(!part.contains(&7) && !part.contains(&64), "{part:?}");
                assert!(
                    part.clone().all(|number| text.contains(&format!("source {number}\\n"))),
                    "{text}"
                );
                assert_eq!(text.matches("declare f").count(), 1, "{text}");
            }
            CompileOutcome::Refused(words) => assert_eq!((part, &*words), (7..8, "seven")),
            CompileOutcome::Died(words) => assert_eq!((part, &*words), (64..65, "signal 11")),
            CompileOutcome::Code(_) => panic!("{outcome:?}"),
        }
    }
}

#[test]
fn what_differs_in_more_than_its_source_stands_apart() {
    let compiler = fake("right", 1).unwrap();
    let requests = [("a", "-O0"), ("b", "-O0"), ("c", "-O3"), ("d", "-O3"), ("e", "-O3"), ("f", "-O0")];
    let requests = requests.map(|(source, level)| request("cuda", source, &[level], "compute_90"));
    let parts = |most: usize| {
        let done = compiler.compile_together(&requests, most).unwrap();
        done.into_iter().map(|(part, _)| part).collect::<Vec<_>>()
    };
    assert_eq!(parts(9), [0..2, 2..5, 5..6]);
    assert_eq!(parts(2), [0..2, 2..4, 4..5, 5..6]);
    assert_eq!(parts(0).len(), requests.len());
}

/// A crash is found in a real module, with intrinsics that each of the functions declares.
#[test]
fn a_crash_is_found_in_a_real_module() {
    for (name, target) in [("nvvm", "compute_90"), ("llvm", "sm_90")] {
        let Some(compiler) = installed(name) else { continue };
        let function = |number: usize| {
            let called = if number == 20 { "exp" } else { "sqrt" };
            format!(
                "declare float @llvm.{called}.f32(float)\ndefine float @f{number}(float %a) {{\n  \
                 %d = call float @llvm.{called}.f32(float %a)\n  ret float %d\n}}"
            )
        };
        let language = &compiler.introduction().languages[0];
        let requests: Vec<CompileRequest> =
            (0..32).map(|number| request(language, &function(number), &[], target)).collect();
        for (part, outcome) in compiler.compile_together(&requests, 32).unwrap() {
            match outcome {
                CompileOutcome::Ptx(text) => {
                    assert_eq!(text.matches("sqrt.rn.f32").count(), part.len(), "{name}");
                }
                CompileOutcome::Died(_) => assert_eq!(part, 20..21, "{name}"),
                outcome => panic!("{name}: {part:?} {outcome:?}"),
            }
        }
    }
}
