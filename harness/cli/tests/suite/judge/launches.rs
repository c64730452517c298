//! Tests of `judge` on how a kernel is launched: which further launches are tried, and what is said where a launch is not
//! possible.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::kernels::{NEGATES, SUM, in_one_line};
use super::{Folder, printed, said};
use crate::common::assert_refused;

/// A kernel whose threads go over the grid.
fn looping(stride: &str) -> String {
    let text = NEGATES.replace(
        "setp.ge.s32",
        &format!("mov.u32 %r6, %nctaid.x; mul.lo.s32 %r6, %r6, %r3; {stride}\nNEXT:\nsetp.ge.s32"),
    );
    text.replace("DONE:", "add.s32 %r5, %r5, %r6;\nbra NEXT;\nDONE:")
}

/// A kernel of one thread with this body, whose parameters are `x` and `y`.
fn simple(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 y)\n{{\n\
         .reg .f32 %f<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\n{body}\nret;\n}}\n"
    )
}

#[test]
fn a_wrong_stride_over_the_grid_is_found() {
    let right = Folder::with(&looping(""));
    let output = right.judge(&["--as", "neg.f32"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    assert!(said(&output).contains("`threads=32, blocks=2, rows=53` (or 197)"), "{}", said(&output));
    let wrong = Folder::with(&looping("add.s32 %r6, %r6, %r6;"));
    let output = wrong.judge(&["--as", "neg.f32"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", printed(&output), said(&output));
    let name = "code:own.ptx#negates(a, &d, rows; threads=32, blocks=2, rows=197)";
    assert_eq!(wrong.report().implementation.name, name);
    let again = wrong.run(&["replay", "out/report.json", "--impl", name]);
    assert_eq!(again.status.code(), Some(1), "{}", printed(&again));
}

/// A run whose vectors take long is stopped between pieces of a batch, and goes on later.
#[test]
fn ctrl_c_ends_what_is_executed_slowly() {
    let rounds = "mov.u32 %r6, 0;\nROUND:\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 12000;\n@%p2 bra ROUND;\nneg.f32";
    let folder = Folder::with(&NEGATES.replacen("neg.f32", rounds, 1));
    let mut run = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .current_dir(folder.0.path())
        .args(["judge", "own.ptx", "--as", "neg.f32", "--tier", "quick", "--out", "out"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(run.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("If no result is wrong")));
    // The signal is caught from the first vector on.
    std::thread::sleep(Duration::from_secs(2));
    let begun = Instant::now();
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let said: Vec<String> = lines.map(Result::unwrap).collect();
    let status = run.wait().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(status.code(), Some(2), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("The run is not finished.")), "{said:?}");
}

#[test]
fn a_size_of_blocks_that_no_gpu_launches_is_refused() {
    let with = |directive: &str| Folder::with(&NEGATES.replace(")\n{", &format!(")\n{directive}\n{{")));
    for (directive, options, why) in [
        (".reqntid 0", &[][..], "has `.reqntid 0, 1, 1`, and no GPU launches such blocks"),
        (".reqntid 1000000000", &[], "has `.reqntid 1000000000, 1, 1`, and no GPU"),
        (".maxntid 65536, 65536, 65536", &[], "and no GPU launches such blocks: a block has 1 to 1024"),
        (".reqntid 64", &["--threads", "32"], "it cannot be launched with 32 threads in a block"),
        (".maxntid 64", &["--threads", "65"], "with 65 threads in a block: 64 are the most"),
    ] {
        let output = with(directive).judge(&[&["--as", "neg.f32"], options].concat());
        assert_refused(&output, &[why]);
    }
    let fits = with(".maxntid 64").judge(&["--as", "neg.f32", "--threads", "8"]);
    assert_eq!(fits.status.code(), Some(0), "{}", said(&fits));
}

/// A number that the user has said is the number of elements, so nothing is known of threads beyond it.
#[test]
fn a_number_of_elements_that_is_said_keeps_threads_from_being_tried() {
    let output = Folder::with(NEGATES).judge(&["--as", "neg.f32", "--launch", "a, &d, 5"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    assert!(said(&output).contains("Results of other threads are not judged"), "{}", said(&output));
    // One thread takes all of them, as each would.
    let output = Folder::with(&looping("")).judge(&["--as", "neg.f32", "--launch", "a, &d, 5"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    // A number that bounds nothing keeps no launch from being tried.
    let output = Folder::with(NEGATES).judge(&["--as", "neg.f32", "--launch", "a, &d, 1000"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    assert!(said(&output).contains("threads=32, blocks=2"), "{}", said(&output));
}

#[test]
fn what_one_of_the_trials_reached_is_reached() {
    let output = Folder::with(NEGATES).judge(&["--as", "neg.f32"]);
    let text = in_one_line(&output);
    // The first thread is never beyond the last element, and a thread of the last block is.
    assert!(text.contains("All 16 instructions were executed, with every choice both ways."), "{text}");
    let never = NEGATES.replace("DONE:\n", "setp.eq.s32 %p2, %r1, -7;\n@%p2 trap;\nDONE:\n");
    let text = in_one_line(&Folder::with(&never).judge(&["--as", "neg.f32"]));
    assert!(text.contains("`@%p2 trap;`: its predicate holds for no vector"), "{text}");
    assert!(!text.contains("@%p1 bra DONE"), "{text}");
}

#[test]
fn a_field_that_is_used_as_a_number_with_a_point_is_no_number_of_elements() {
    let text = |load: &str| {
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .align 8 .b8 p[24])\n{\n.reg .f32 %f<4>;\n\
         .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [p+8];\nLOAD\n\
         ld.global.f32 %f1, [%rd1];\nmul.rn.f32 %f1, %f1, %f2;\nst.global.f32 [%rd2], %f1;\nret;\n}\n"
            .replace("LOAD", load)
    };
    for load in ["ld.param.f32 %f2, [p+16];", "ld.param.b32 %r1, [p+16];\nmov.b32 %f2, %r1;"] {
        let output = Folder::with(&text(load)).judge(&["--as", "mul.rn.f32"]);
        assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
        assert!(said(&output).contains("--launch '{0:a, 8:&d, 16:b}'"), "{}", said(&output));
    }
    let beyond = Folder::with(&text("ld.param.f32 %f2, [p+24];")).judge(&["--as", "mul.rn.f32"]);
    assert_refused(&beyond, &["line 11", "`ld.param.f32 %f2, [p+24];`", "memory that is not allocated"]);
}

#[test]
fn a_kernel_that_fails_with_the_launch_that_is_said_is_to_blame() {
    let text = simple("ld.global.f32 %f1, [%rd1+65536];\nneg.f32 %f2, %f1;\nst.global.f32 [%rd2], %f2;");
    let options = ["--as", "neg.f32", "--launch", "a, &d"];
    let output = Folder::with(&text).judge(&options);
    assert_refused(&output, &["the kernel itself fails", "line 10", "memory that is not allocated"]);
    let guessed = Folder::with(&text).judge(&options[..2]);
    assert_refused(&guessed, &["how the kernel is launched could not be found out"]);
}

#[test]
fn words_of_what_is_refused_say_what_to_do() {
    let back = simple(
        "ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\nld.global.f32 %f2, [%rd2];\nneg.f32 %f2, %f2;\n\
         st.global.f32 [%rd2], %f2;",
    );
    let folder = Folder::with(&back);
    let output = folder.judge(&["--as", "neg.f32"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("if the code reads back what it has written"), "{}", said(&output));
    assert!(said(&output).trim_end().ends_with("with --launch 'a, &d'"), "{}", said(&output));
    let output = folder.judge(&["--as", "neg.f32", "--launch", "a, &d"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    let large = Folder::with(&SUM.replace("words[256]", "words[65536]")).judge(&["--as", "neg.f32"]);
    assert_refused(&large, &["the shared memory `words`", "at most 49,152 bytes"]);
    assert!(!said(&large).contains("is not declared"), "{}", said(&large));
    let far = Folder::with(NEGATES).judge(&["--as", "mul.rn.f32(a, 1e999)"]);
    assert_refused(
        &far,
        &["expected a number that is not far beyond those of f32, or `inf`, found `1e999`"],
    );
}

/// The places of operands in an array are those of the launch: a sum in another order is another one.
#[test]
fn places_of_operands_that_are_tried_are_said() {
    let few = "1 <= |a| < 256 and 1 <= |b| < 256";
    let options = ["--as", "add.rn.f32", "--where", few, "--launch"];
    let folder = Folder::with(SUM);
    let output = folder.judge(&[&options[..], &["[a, b, 0x80000000...], &d"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    let words = "Of 64 elements, the operands are a at 0, b at 1. They are tried at no other places. Further ones are tried by \
                 another launch, such as --launch '[0x80000000*62, a, b], &d; threads=64', with the meaning of these places.";
    assert!(said(&output).contains(words), "{}", said(&output));
    let other = folder.judge(&[&options[..], &["[0x80000000*62, a, b], &d; threads=64"]].concat());
    assert_eq!(other.status.code(), Some(0), "{}{}", printed(&other), said(&other));
    assert!(
        said(&other).contains("the operands are a at 62, b at 63. They are tried at no other places.")
    );
}

#[test]
fn other_commands_than_judge_try_other_threads_too() {
    let options = |folder: &Folder| {
        folder.run(&["conformance", "--impl", "code:own.ptx", "--only", "neg.f32", "--out", "conformed"])
    };
    let right = options(&Folder::with(NEGATES));
    assert_eq!(right.status.code(), Some(0), "{}{}", printed(&right), said(&right));
    let second =
        Folder::with(&NEGATES.replace("mad.lo.s32 %r5, %r2, %r3, %r4", "mul.lo.s32 %r5, %r2, %r3"));
    let wrong = options(&second);
    assert_eq!(wrong.status.code(), Some(1), "{}{}", printed(&wrong), said(&wrong));
    let text = in_one_line(&wrong);
    assert!(
        text.contains("with --launch 'a, &d, rows; threads=32, blocks=2': no result is stored"),
        "{text}"
    );
    // The function that gives the right bits is executed by its first thread, and the other one by all of them.
    std::fs::write(second.0.path().join("right.ptx"), NEGATES).unwrap();
    let against = second.judge(&["--against", "right.ptx"]);
    assert_eq!(against.status.code(), Some(1), "{}{}", printed(&against), said(&against));
}
