use formats::F32;
use isa::Contract;
use judge::{Accepted, Truth};
use rug::Float;
use sweeps::CounterRng;

use super::*;
use crate::Oracle;

/// Returns the variants that have series.
fn variants() -> Vec<&'static Variant> {
    let all: Vec<&Variant> =
        Variant::all().iter().filter(|variant| variant.approximates_one_f32()).collect();
    assert_eq!(all.len(), 15);
    all
}

/// Returns first inputs of runs: where something begins or ends, and some anywhere.
fn runs(seed: u64) -> Vec<u32> {
    let pi = std::f32::consts::PI;
    let two = |power: i32| 2f32.powi(power);
    let edges = [
        0.0,
        two(-149),
        two(-140),
        two(-135),
        two(-130),
        two(-128),
        two(-127),
        two(-126),
        two(-125),
        two(-100),
        two(-60),
        two(-30),
        two(-28),
        two(-27),
        two(-26),
        two(-25),
        two(-24),
        two(-23),
        two(-21),
        2f32.powf(-20.5),
        two(-16),
        two(-12),
        two(-11),
        two(-6),
        0.1,
        0.25,
        0.5,
        pi / 4.0,
        0.99,
        1.0,
        1.001,
        1.25,
        1.499,
        pi / 2.0,
        1.75,
        2.0,
        2.5,
        3.0,
        pi,
        4.0,
        3.0 * pi / 2.0,
        2.0 * pi,
        6.5,
        7.5,
        8.0,
        9.0,
        11.5,
        16.0,
        17.0,
        20.0,
        32.0,
        33.9,
        40.0,
        64.0,
        100.0,
        126.0,
        127.9,
        128.0,
        149.0,
        150.0,
        151.0,
        200.0,
        255.99,
        256.0,
        100.0 * pi,
        400.0,
        1023.9,
        1024.0,
        1074.0,
        2000.0,
        2f32.powi(16),
        2f32.powi(24),
        1e10,
        1e20,
        1e30,
        two(126),
        two(127),
        f32::MAX,
        f32::INFINITY,
    ];
    let mut draws = CounterRng::new(seed, 0);
    let anywhere: Vec<u32> = (0..40).map(|_| draws.next() as u32).collect();
    let edges = edges.into_iter().flat_map(|edge| {
        let bits = edge.to_bits();
        [bits, bits.saturating_sub(1), bits | 1 << 31]
    });
    let mut runs: Vec<u32> = edges.chain(anywhere).chain([0x7fc0_0000, 0xffff_f000]).collect();
    runs.iter_mut().for_each(|bits| *bits &= !(RUN as u32 - 1));
    runs.sort_unstable();
    runs.dedup();
    runs
}

fn column(inputs: impl Iterator<Item = u32>) -> Column {
    let inputs: Vec<u32> = inputs.collect();
    let mut column = Column::new(4, inputs.len());
    column.elements_mut().copy_from_slice(&inputs);
    column
}

#[test]
fn series_say_what_mpfr_says() {
    let say_the_same = |seed: u64, variant: &Variant| {
        let mut series = Oracle::by_series(variant).unwrap();
        let mut mpfr = Oracle::new(variant);
        let (mut truth, mut wanted) = (Truth::new(variant), Truth::new(variant));
        for first in runs(seed) {
            let operand = [column((0..RUN as u32).map(|at| first + at))];
            series.expect(&operand, &mut truth);
            mpfr.expect(&operand, &mut wanted);
            if let Some(at) = departure(&truth, &wanted) {
                let (interval, wanted) = (truth.intervals()[at], wanted.intervals()[at]);
                panic!("{variant} {:#x}: {interval:?} {wanted:?}", first + at as u32);
            }
            assert_eq!(truth.results, wanted.results, "{variant} from {first:#x}");
            assert!(truth.alternatives().is_empty() && wanted.alternatives().is_empty());
        }
    };
    std::thread::scope(|scope| {
        for (seed, variant) in (0..).zip(variants()) {
            scope.spawn(move || say_the_same(seed, variant));
        }
    });
}

#[test]
fn inputs_that_do_not_follow_each_other_are_mpfrs() {
    for variant in variants() {
        let mut draws = CounterRng::new(7, 0);
        let scattered: Vec<u32> = (0..5000).map(|_| draws.next() as u32).collect();
        let unaligned = (0..RUN as u32).map(|at| 0x3f80_0001 + at);
        let operand = [column(scattered.into_iter().chain(unaligned))];
        let (mut truth, mut wanted) = (Truth::new(variant), Truth::new(variant));
        Oracle::by_series(variant).unwrap().expect(&operand, &mut truth);
        Oracle::new(variant).expect(&operand, &mut wanted);
        assert_eq!(truth.results, wanted.results, "{variant}");
        let exact = |truth: &Truth| -> Vec<u64> {
            truth.intervals().iter().map(|interval| interval.exact.to_bits()).collect()
        };
        assert_eq!(exact(&truth), exact(&wanted), "{variant}");
    }
}

/// Computes a function to 120 bits by MPFR.
fn by_mpfr(op: Op, argument: f64) -> Float {
    let argument = Float::with_val(120, argument);
    match op {
        Op::Rcp => argument.recip(),
        Op::Sqrt => argument.sqrt(),
        Op::Rsqrt => argument.recip_sqrt(),
        Op::Sin => argument.sin(),
        Op::Cos => argument.cos(),
        Op::Lg2 => argument.log2(),
        Op::Ex2 => argument.exp2(),
        _ => argument.tanh(),
    }
}

#[test]
fn values_lie_within_the_proven_bound_and_the_bound_is_not_vacuous() {
    for variant in variants().into_iter().filter(|variant| !variant.meaning().flush.result) {
        let op = variant.meaning().op;
        let mut taylor = Taylor::new(op);
        let mut elements = RunElements::new();
        let (mut worst, mut tightest, mut runs_seen) = (0f64, f64::INFINITY, 0);
        for first in runs(99) {
            let value = |at: usize| f64::from(f32::from_bits(first + at as u32));
            let rooted = matches!(op, Op::Sqrt | Op::Rsqrt | Op::Lg2);
            let far = matches!(op, Op::Sin | Op::Cos) && value(0).abs() >= FAR;
            if !value(RUN - 1).is_finite()
                || value(RUN - 1).abs() < 1e-44
                || far
                || rooted && value(1) < 0.0
            {
                continue;
            }
            let half = (value(1) - value(0)) * (RUN / 2) as f64;
            let Some(polynomial) = taylor.polynomial(value(RUN / 2), half) else { continue };
            let error = elements.evaluate(&polynomial);
            runs_seen += 1;
            tightest = tightest.min(error / polynomial.largest);
            for at in (0..RUN).step_by(7).chain([RUN - 1]) {
                let exact = by_mpfr(op, value(at));
                let apart = (Float::with_val(120, elements.values[at]) - exact).abs().to_f64();
                assert!(apart <= error, "{variant} {:#x}: {apart:e} > {error:e}", first + at as u32);
                worst = worst.max(apart / error);
            }
        }
        assert!(runs_seen > 40, "{variant}: {runs_seen} runs");
        // A larger share of the bound would break it, and a smaller one would show that it is loose.
        assert!((0.05..=1.0).contains(&worst), "{variant}: {worst}");
        assert!(tightest < 2f64.powi(-50), "{variant}: {tightest:e}");
    }
}

#[test]
fn turned_values_lie_within_the_proven_bound() {
    for op in [Op::Sin, Op::Cos] {
        let mut rotation = Rotation::new(op);
        let mut values = [0.0; RUN];
        let mut worst = 0f64;
        for first in runs(5).into_iter().chain((0x4380_0000..0x7f80_0000).step_by(0x0100_3000)) {
            let value = |at: usize| f64::from(f32::from_bits(first + at as u32));
            if !(FAR..f64::INFINITY).contains(&value(RUN - 1).abs()) || value(0).abs() < FAR {
                continue;
            }
            rotation.fill(value(0), value(1) - value(0), &mut values);
            for at in (0..RUN).step_by(13) {
                let apart = Float::with_val(120, values[at]) - by_mpfr(op, value(at));
                worst = worst.max(apart.abs().to_f64());
            }
        }
        assert!((rotation::ERROR / 20.0..rotation::ERROR).contains(&worst), "{worst:e}");
    }
}

/// Checks how few elements are left to MPFR: if it were asked for more, series would be right and of no use.
#[test]
fn few_elements_are_left_to_mpfr() {
    for variant in variants() {
        let Contract::Within(accuracy) = variant.form().contract else { unreachable!() };
        let mut series = Series::new(variant, accuracy);
        let (mut result, mut intervals) = (column(0..RUN as u32), Vec::new());
        let mut draws = CounterRng::new(1, 0);
        let (seen, mut most) = (500, Vec::new());
        for _ in 0..seen {
            let first = draws.next() as u32 & !(RUN as u32 - 1);
            let before = series.asked;
            let operand = column((0..RUN as u32).map(|at| first + at));
            series.column(&operand, &mut result, &mut intervals);
            most.push((series.asked - before, format!("{first:#x}")));
        }
        most.sort_unstable_by(|a, b| b.cmp(a));
        let share = series.asked as f64 / (seen * RUN) as f64;
        assert!(share < 1.0 / 500.0, "{variant}: {share}, most by {:?}", &most[..8]);
    }
}

/// Checks that [`departure`] sees the differences that it is for.
#[test]
fn departures_are_seen() {
    let variant = variants()[0];
    let operand = [column((0..RUN as u32).map(|at| 0x3f80_0000 + at))];
    let (mut truth, mut wanted) = (Truth::new(variant), Truth::new(variant));
    Oracle::by_series(variant).unwrap().expect(&operand, &mut truth);
    Oracle::new(variant).expect(&operand, &mut wanted);
    assert_eq!(departure(&truth, &wanted), None);
    fn fifth(truth: &mut Truth) -> &mut Interval {
        let Accepted::Within(intervals) = &mut truth.accepted else { unreachable!() };
        &mut intervals[5]
    }
    let changes: [fn(&mut Truth); 6] = [
        |truth| truth.results[0].bytes_mut()[5 * 4] ^= 1,
        |truth| fifth(truth).low -= 1,
        |truth| fifth(truth).high -= 1,
        |truth| fifth(truth).range = None,
        |truth| fifth(truth).point = Point::Minimum,
        |truth| fifth(truth).exact *= 1.0 + 2f64.powi(-36),
    ];
    for change in changes {
        let mut changed = truth.clone();
        change(&mut changed);
        assert_eq!(departure(&changed, &wanted), Some(5));
    }
}

#[test]
fn places_are_ordinals() {
    let mut draws = CounterRng::new(3, 0);
    let some = (0..1000).map(|_| draws.next() as u32);
    for bits in some.chain([0, 1, 1 << 31, (1 << 31) + 1]).filter(|&bits| !f32::from_bits(bits).is_nan())
    {
        assert_eq!(i64::from(place(bits)), judge::ordinal(&F32, bits.into()));
    }
}
