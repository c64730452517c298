//! Tests of what PTX leaves open: code may use it, and no result may depend on it.

use super::blocks::{failure, run};
use super::{column, function, results};
use crate::functions::Grid;
use crate::interpreter::Problem;

/// Returns what each of 64 threads writes whose words are their numbers.
fn given(body: &str) -> Vec<u32> {
    let rows = [(0..64).collect()];
    run(body, Grid::block(64), &rows).unwrap_or_else(|error| panic!("{body}: {error}")).remove(0)
}

/// Returns the words of the choice that a result depends on.
fn open(body: &str) -> String {
    match failure(body, 64).problem {
        Problem::Open(words) => words,
        problem => panic!("{body}: {problem}"),
    }
}

#[test]
fn a_result_must_not_depend_on_what_is_open() {
    for name in
        ["%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%clock", "%globaltimer_lo", "%clock_hi"]
    {
        assert_eq!(open(&format!("mov.u32 %r3, {name};")), format!("what `{name}` holds is open"));
        assert_eq!(given(&format!("mov.u32 %r6, {name}; mov.u32 %r3, 5;")), [5; 64]);
    }
    // A difference of times is open, too, and a loop that waits for some time comes to an end.
    let difference = "mov.u64 %rd4, %clock64; mov.u64 %rd5, %clock64; sub.u64 %rd6, %rd5, %rd4; cvt.u32.u64 %r3, %rd6;";
    assert_eq!(open(difference), "what `%clock64` holds is open");
    let waits = "mov.u64 %rd4, %globaltimer; L: mov.u64 %rd5, %globaltimer; sub.u64 %rd6, %rd5, %rd4; \
                 setp.lt.u64 %p1, %rd6, 100000; @%p1 bra L; mov.u32 %r3, %r2;";
    assert_eq!(given(waits), (0..64).collect::<Vec<u32>>());
    // Warps have numbers of their own, whichever those are.
    let slots = "mov.u32 %r6, %warpid; mad.lo.u32 %r6, %r6, 4, %r4; setp.eq.u32 %p1, %laneid, 0; \
                 @%p1 st.shared.u32 [%r6], %r2; bar.warp.sync 0xffffffff; ld.shared.u32 %r3, [%r6];";
    assert_eq!(given(slots)[31..33], [0, 32]);
}

#[test]
fn any_thread_may_be_elected() {
    let elected = "elect.sync %r6|%p1, 0xffffffff;";
    assert_eq!(open(&format!("{elected} mov.u32 %r3, %r6;")), "which thread is elected is open");
    let stores = format!(
        "{elected} shr.u32 %r7, %r1, 5; mad.lo.u32 %r7, %r7, 4, %r4; @%p1 st.shared.u32 [%r7], 9; \
                          bar.sync 0; ld.shared.u32 %r3, [%r7];"
    );
    assert_eq!(given(&stores), [9; 64]);
    let alone = "setp.eq.u32 %p2, %r1, 3; @!%p2 bra L; elect.sync _|%p1, 8; selp.u32 %r3, 1, 0, %p1; L:";
    assert_eq!(given(alone)[2..5], [0, 1, 0]);
}

/// A function may read the time as a thread may.
#[test]
fn functions_read_the_time() {
    let text = |result: &str| {
        format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.func (.param .b32 r) f(.param .b32 a)\n{{\n.reg .b32 %r<4>;\n\
             ld.param.b32 %r1, [a];\nmov.u32 %r2, %clock;\nst.param.b32 [r], {result};\nret;\n}}\n"
        )
    };
    let error = results(&function(&text("%r1"), "f"), &[column(4, &[5])], 4).unwrap_err();
    assert!(
        error.to_string().ends_with("row 0: what `%clock` holds is open") && error.problem.is_unset(),
        "{error}"
    );
}
