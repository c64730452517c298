//! Tests that a description of a class is true of the whole class, or says for which vectors it is true.

use model::Fault;

use super::{ElementFault, Reported, report};

fn classes(element: ElementFault, variant: &str) -> Vec<reports::Class> {
    report(Reported::Element(element), variant).variants[0].classes.clone()
}

/// Returns the largest error that the description of a class tells, in ulp.
fn told(class: &reports::Class) -> Option<f64> {
    let (_, behind) = class.diagnosis.split_once("by up to ")?;
    behind.split_once(" ulp")?.0.parse().ok()
}

/// The largest error that is told covers every mismatch in the report: here the worst lies behind the mismatches
/// that are run again first, in packed registers too.
#[test]
fn no_error_that_a_report_shows_is_larger_than_the_largest_that_is_told() {
    #[rustfmt::skip] // a table
    let cases: &[(ElementFault, &str)] = &[
        (|a, right| if (0x100_0000..0x7e80_0000).contains(&right) { right + (a[0] >> 9 & 0x1ff) } else { right }, "rcp.approx.f32"),
        (|a, right| if (0x3800..0x3bff).contains(&right) { right + (a[0] >> 3 & 0x7f) } else { right }, "tanh.approx.f16x2"),
    ];
    for (element, variant) in cases {
        let report = report(Reported::Element(*element), variant);
        let worst = report.variants[0].worst().unwrap();
        let classes = &report.variants[0].classes;
        let most = classes.iter().filter_map(told).reduce(f64::max).expect("it is told");
        // The number that is told has four digits.
        assert!((most / worst - 1.0).abs() < 1e-3, "{variant}: {most} ulp, not {worst}: {classes:#?}");
    }
}

/// A description made from few re-run vectors says so: all numbers from 16 on overflow, of which only the first are
/// run again.
#[test]
fn where_few_were_run_again_it_is_said_of_those() {
    let element: ElementFault = |_, right| if right == 0x7c00 { 0x0001 } else { right };
    let large: Vec<_> =
        classes(element, "ex2.approx.f16").into_iter().filter(|class| class.count > 2000).collect();
    assert!(!large.is_empty());
    for class in large {
        let (_, description) = class.diagnosis.split_once(": ").unwrap();
        assert!(description.starts_with("of the "), "{class:#?}");
        assert!(description.contains(" re-run: "), "{class:#?}");
    }
    // Where all vectors were run again, the description is that of the class.
    let element: ElementFault = |a, right| if a[0] == 0x4049_0fdb { right - 9 } else { right };
    for class in classes(element, "rcp.approx.f32") {
        let all = format!("a is 3.142, where {} of {0} re-run are wrong", class.count);
        let few =
            class.diagnosis.split_once("of the ").and_then(|(_, behind)| behind.split_once(" re-run: "));
        match few {
            Some((some, _)) => {
                assert!(some.parse().is_ok_and(|some: u64| some < class.count), "{class:#?}");
            }
            None => assert!(class.diagnosis.ends_with(&all), "{class:#?}"),
        }
    }
}

/// Results in the place of NaN are not called too small or too large: no number is too small where NaN is due.
#[test]
fn numbers_in_the_place_of_nan_have_no_size() {
    let element: ElementFault = |a, right| if a[0] & 0x7fff > 0x7f80 { 0x3f80 } else { right };
    let classes = classes(element, "tanh.approx.bf16");
    assert!(!classes.is_empty());
    for class in classes {
        assert!(class.diagnosis.contains("all are finite; "), "{class:#?}");
        assert!(!class.diagnosis.contains("magnitude"), "{class:#?}");
    }
}

/// Other explanations, which fit as well, are told in words.
#[test]
fn other_explanations_are_told_in_words() {
    let report = report(Reported::Model(Fault::DownTowardZero.into()), "sub.rm.f32.bf16");
    let explanations = report.variants[0].classes.iter().filter_map(|class| class.explanation.as_ref());
    let mut seen = 0;
    let text = reports::summary(&report, &reports::Style::default());
    for explanation in explanations {
        for other in &explanation.others {
            seen += 1;
            let words = &explanation.other_words[other];
            assert!(words.contains(' ') && !text.contains(other.as_str()), "{other}: {words}\n{text}");
        }
    }
    assert!(seen > 0, "{text}");
}

/// What nothing explains is described by what all of it has in common: its results, and its operands.
#[test]
fn what_is_unexplained_of_exact_variants_is_described() {
    #[rustfmt::skip] // a table
    let cases: &[(ElementFault, &str, &str, &str)] = &[
        // Half of the right result where that is a power of two above 1, in f16; no fault of the table does so.
        (|_, right| if right & 0x3ff == 0 && (0x4000..0x7c00).contains(&right) { right - 0x400 } else { right },
         "mul.rn.f16", "the actual result is half the right one", "where a power of two is right"),
        // Above 2^15 alone.
        (|a, right| if a[0] & 0x7fff_ffff >= 0x4700_0000 && right & 0x7fff < 0x7c00 { right ^ 0x40 } else { right },
         "cvt.rn.f16.f32", "|a| from 32768 to", "re-run are wrong"),
        (|a, right| if a[0] & 0x7fff > 0x7c00 && a[1] & 0x7fff > 0x7c00 { 0x1234 } else { right },
         "max.f16", "every actual result is 0x1234", "every operand is NaN"),
    ];
    for (element, variant, results, operands) in cases {
        let classes = classes(*element, variant);
        assert!(!classes.is_empty());
        for class in classes {
            assert!(class.explanation.is_none(), "{class:#?}");
            assert!(
                class.diagnosis.contains(results) && class.diagnosis.contains(operands),
                "{class:#?}"
            );
        }
    }
}

/// Unexplained classes of one operation and kind are put together by what they have in common, and never by their
/// names alone.
#[test]
fn unexplained_classes_with_different_patterns_are_different_causes() {
    let [zero, largest]: [ElementFault; 2] = [
        |_, right| if right == 0x4200 { 0x0042 } else { right },
        |_, right| if right == 0x4300 { 0x0043 } else { right },
    ];
    let variants = |element, variant| report(Reported::Element(element), variant).variants.remove(0);
    let alike = [variants(zero, "mul.rn.f16"), variants(zero, "mul.rn.ftz.f16")];
    let causes = reports::RootCause::all(&alike);
    assert_eq!(causes.len(), 1, "{causes:#?}");
    assert!(causes[0].words.contains("every actual result is 0x42"), "{causes:#?}");
    let [_, ftz] = alike;
    let causes = reports::RootCause::all(&[ftz, variants(largest, "mul.rn.f16")]);
    assert_eq!(causes.len(), 2, "{causes:#?}");
}
