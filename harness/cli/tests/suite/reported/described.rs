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
