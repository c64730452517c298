//! Tests of launches that show what one round over few elements does not: rests behind vectors, loops over the grid, and
//! blocks of another size.

use super::grids::{GUARD, INDEX, negating, others};
use super::{POINTERS, kernel};

/// Each thread negates four elements: by vectors, or one after the other where fewer are left. `{bound}` is added to the
/// index of the first for the last that a vector has, and `{again}` follows each element of the rest.
fn with_rest(bound: u32, again: &str) -> String {
    kernel(
        POINTERS,
        &format!(
            "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x; \
             mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; {INDEX} shl.b32 %r5, %r5, 2; mul.wide.u32 %rd3, %r5, 4; \
             add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; add.u32 %r6, %r5, {bound}; \
             setp.lt.u32 %p1, %r6, %r1; @%p1 bra VECTOR;\n\
             REST: {GUARD} ld.global.f32 %f1, [%rd1]; neg.f32 %f2, %f1; st.global.f32 [%rd2], %f2; {again} \
             add.u32 %r5, %r5, 1; add.u64 %rd1, %rd1, 4; add.u64 %rd2, %rd2, 4; bra REST;\n\
             VECTOR: ld.global.v4.f32 {{%f1, %f2, %f3, %f4}}, [%rd1]; neg.f32 %f1, %f1; neg.f32 %f2, %f2; \
             neg.f32 %f3, %f3; neg.f32 %f4, %f4; st.global.v4.f32 [%rd2], {{%f1, %f2, %f3, %f4}};"
        ),
    )
}

/// Each thread goes over the grid. `{stride}` sets `%r6`, and `{again}` stands before the next round.
fn looping(stride: &str, again: &str) -> String {
    kernel(
        POINTERS,
        &format!(
            "ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; \
             mov.u32 %r7, %nctaid.x; {INDEX} mul.lo.u32 %r6, %r3, %r7; {stride}\n\
             NEXT: {GUARD} ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mul.wide.u32 %rd3, %r5, 4; \
             add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; ld.global.f32 %f1, [%rd1]; neg.f32 %f2, %f1; \
             st.global.f32 [%rd2], %f2; add.u32 %r5, %r5, %r6; {again} bra NEXT;"
        ),
    )
}

/// Returns the numbers of elements of the launches of a kernel, each with how many of 200 vectors go wrong.
fn wrong(text: &str) -> Vec<(String, usize)> {
    let rows = |launch: &str| launch.rsplit_once("; ").map_or("", |(_, shape)| shape).to_owned();
    others(text).into_iter().map(|(launch, wrong, _)| (rows(&launch), wrong)).collect()
}

#[test]
fn a_rest_behind_vectors_is_tried_at_each_length() {
    let names = ["", ", rows=209", ", rows=210", ", rows=211", ", rows=208"]
        .map(|rows| format!("threads=32, blocks=2{rows}"));
    let right = wrong(&with_rest(3, ""));
    let launches: Vec<&String> = right.iter().map(|(launch, _)| launch).collect();
    assert_eq!(launches[..5], names.iter().collect::<Vec<_>>(), "{right:?}");
    assert!(right.iter().all(|(_, wrong)| *wrong == 0), "{right:?}");
    // One element of the rest alone: rests of two and three are wrong.
    let one = wrong(&with_rest(3, "ret;"));
    let is_wrong: Vec<bool> = one.iter().take(5).map(|(_, wrong)| *wrong > 2).collect();
    assert_eq!(is_wrong, [false, false, true, true, false], "{one:?}");
    // A vector where only three elements are left.
    let far = wrong(&with_rest(2, ""));
    let is_wrong: Vec<bool> = far.iter().take(5).map(|(_, wrong)| *wrong == 200).collect();
    assert_eq!(is_wrong, [false, false, false, true, false], "{far:?}");
}

/// Vectors without a rest, for numbers of elements that are multiples of four: the number is compared with the first
/// element of a vector.
#[test]
fn vectors_without_a_rest_are_told_of_whole_vectors() {
    let body = format!(
        "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x; \
         mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; {INDEX} shl.b32 %r5, %r5, 2; {GUARD} mul.wide.u32 %rd3, %r5, 4; \
         add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; ld.global.v4.f32 {{%f1, %f2, %f3, %f4}}, [%rd1]; \
         neg.f32 %f1, %f1; neg.f32 %f2, %f2; neg.f32 %f3, %f3; neg.f32 %f4, %f4; \
         st.global.v4.f32 [%rd2], {{%f1, %f2, %f3, %f4}};"
    );
    let all = wrong(&kernel(POINTERS, &body));
    assert!(all.len() >= 2 && all.iter().all(|(_, wrong)| *wrong == 0), "{all:?}");
}

#[test]
fn a_loop_over_the_grid_goes_round_several_times() {
    let round = "threads=32, blocks=2, rows=197".to_owned();
    let right = wrong(&looping("", ""));
    assert!(right.contains(&(round.clone(), 0)), "{right:?}");
    assert!(right.iter().all(|(_, wrong)| *wrong == 0), "{right:?}");
    let of_round = |text: &str| {
        let all = wrong(text);
        all.iter().find(|(launch, _)| *launch == round).map(|(_, wrong)| *wrong).unwrap()
    };
    // Elements between rounds that are one too far from each other, and rounds that are left out.
    assert!(of_round(&looping("add.u32 %r6, %r6, 1;", "")) > 0);
    assert!(of_round(&looping("add.u32 %r6, %r6, %r6;", "")) > 50);
    let last = "add.u32 %r8, %r5, %r6; setp.ge.u32 %p2, %r8, %r1; @%p2 ret;";
    assert!(of_round(&looping("", last)) > 20);
    // A thread beyond the last element.
    let late = looping("", "").replace("setp.ge.u32 %p1, %r5, %r1", "setp.gt.u32 %p1, %r5, %r1");
    assert!(wrong(&late).iter().all(|(_, wrong)| *wrong > 50));
    // A kernel whose threads have two elements each, one of each half, has no third round, and is right.
    let two = looping("mov.u32 %r8, 0;", "add.u32 %r8, %r8, 1; setp.eq.u32 %p2, %r8, 2; @%p2 ret;");
    let two = wrong(&two);
    assert!(two.iter().all(|(launch, wrong)| *wrong == 0 && *launch != round), "{two:?}");
    // So has one without a loop.
    assert!(!wrong(&negating(INDEX, GUARD, "")).iter().any(|(launch, _)| *launch == round));
}

#[test]
fn blocks_of_another_size_are_tried_where_the_text_says_none() {
    let other = |text: &str| {
        let all = wrong(text);
        all.iter().find(|(launch, _)| launch.contains("threads=96")).map(|(_, wrong)| *wrong)
    };
    assert_eq!(other(&negating(INDEX, GUARD, "")), Some(0));
    // The text has the size that is tried at first in one place, and reads it in another.
    let mixed = "mov.u32 %r3, %ntid.x; mad.lo.u32 %r5, %r2, 32, %r4; max.u32 %r5, %r5, %r5;";
    assert!(other(&negating(mixed, GUARD, "")).unwrap() > 20);
    let constant = negating("mad.lo.u32 %r5, %r2, 128, %r4;", GUARD, "");
    assert_eq!(other(&constant.replace("mov.u32 %r3, %ntid.x;", "")), None);
    let declared = negating(INDEX, GUARD, "").replace(")\n{", ")\n.reqntid 64, 1, 1\n{");
    assert_eq!(other(&declared), None);
}

/// The number of elements is that of a row of a matrix, of which each block or each thread has one: two blocks have more
/// elements than that.
#[test]
fn rows_of_a_matrix_are_not_taken_for_elements_of_all_threads() {
    let rows = |row: &str, first: &str, step: &str| {
        kernel(
            POINTERS,
            &format!(
                "ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; {row} \
                 mul.lo.u32 %r6, %r6, %r1; {first}\n\
                 NEXT: {GUARD} ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; add.u32 %r7, %r5, %r6; \
                 mul.wide.u32 %rd3, %r7, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; \
                 ld.global.f32 %f1, [%rd1]; neg.f32 %f2, %f1; st.global.f32 [%rd2], %f2; \
                 add.u32 %r5, %r5, {step}; bra NEXT;"
            ),
        )
    };
    let of_block = wrong(&rows("mov.u32 %r6, %r2;", "mov.u32 %r5, %r4;", "%r3"));
    let first = ("threads=32, blocks=1".to_owned(), 0);
    assert!(of_block.contains(&first) && of_block.iter().all(|(_, wrong)| *wrong == 0), "{of_block:?}");
    let of_thread = wrong(&rows(&INDEX.replace("%r5", "%r6"), "mov.u32 %r5, 0;", "1"));
    assert_eq!(of_thread, []);
    // A thread that is compared by its number in the block, and should be by that of the grid, is no row.
    let by_block = wrong(&negating(INDEX, "setp.ge.u32 %p1, %r4, %r1; @%p1 ret;", ""));
    assert!(by_block.iter().any(|(_, wrong)| *wrong > 0), "{by_block:?}");
}
