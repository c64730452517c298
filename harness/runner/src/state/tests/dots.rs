//! Tests of states of matrix instructions, whose registers are rows of elements.

use super::*;

const SPARSE: &str = "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

/// Bytes of a row of A's stored half, of B, of C, and of metadata; `RESULT` is that of the sum.
const OPERANDS: [usize; 4] = [16, 32, 4, 2];
const RESULT: usize = 4;

/// Reads a state with one mismatch, whose rows have so many bytes, each with all its bits set.
fn read(operands: &[usize], expected: &[usize], actual: &[usize]) -> Result<Progress> {
    let request = RunRequest::of(Tier::Quick, vec![SPARSE.into()]);
    let plan = Plan::new(request, &implementations::Emulator::lanes())?;
    let identity = RunIdentity::of(&plan, &Description::default());
    let rows = |widths: &[usize]| {
        widths.iter().map(|&bytes| RowBits::from_bytes(&vec![0xff; bytes])).collect::<Vec<_>>()
    };
    let example = Mismatch {
        index: 0,
        operands: rows(operands),
        expected: rows(expected),
        accepted: Vec::new(),
        actual: rows(actual),
        words: None,
    };
    let mut progress = Progress::new(plan.tasks.len());
    progress.tallies[0].vectors = 1;
    progress.tallies[0].mismatch(MismatchKind::OutOfBound, 0, || example);
    let json = to_json(&identity, &progress)?;
    let read = from_json(&json, Path::new("state.json"), &identity)?;
    assert_eq!(read, progress);
    Ok(read)
}

/// Every digit of a row comes back; a state is refused if a row is longer than its elements, or if one is missing.
#[test]
fn rows_of_elements_have_the_length_of_their_operand() {
    for actual in [&[RESULT][..], &[]] {
        read(&OPERANDS, &[RESULT], actual).unwrap();
    }
    let refused = |operands: &[usize], expected: &[usize], actual: &[usize]| {
        let error = read(operands, expected, actual).unwrap_err().to_string();
        assert!(error.contains("it has a vector that its variant does not have"), "{error}");
    };
    for place in 0..OPERANDS.len() {
        let mut longer = OPERANDS;
        longer[place] += 1;
        refused(&longer, &[RESULT], &[RESULT]);
    }
    refused(&OPERANDS[..3], &[RESULT], &[RESULT]);
    refused(&[&OPERANDS[..], &[1]].concat(), &[RESULT], &[RESULT]);
    for wrong in [&[][..], &[RESULT + 1], &[RESULT, RESULT]] {
        refused(&OPERANDS, wrong, &[RESULT]);
    }
    for wrong in [&[RESULT + 1][..], &[RESULT, RESULT]] {
        refused(&OPERANDS, &[RESULT], wrong);
    }
}
