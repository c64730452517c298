//! The errors of an approximate function, as SVG.

use plotters::coord::combinators::IntoLogRange;
use plotters::prelude::*;

use crate::terminal::thousands;
use crate::{BinadeReport, RangeReport};

const SIZE: (u32, u32) = (560, 190);
/// How many binades a format has at most.
const BINADES: i64 = 1 << 12;
/// How many bars there are at least beside the first.
const BARS: usize = 5;
/// How many times the bound is drawn at most.
const TOP: f64 = 4.0;
/// How many results are the lower end of a bar.
const NONE: f64 = 0.6;

/// How many results had an error up to ½, 1, 2, 4 … units of the last place, on a logarithmic scale; nothing
/// where there is no result.
///
/// Colours are those of a page: black is whatever text is, blue what it accents.
pub fn histogram(range: &RangeReport) -> Option<String> {
    let last = range.histogram.iter().rposition(|count| *count > 0)?;
    let bars: Vec<(usize, u64)> =
        range.histogram.iter().copied().enumerate().take(last.max(BARS) + 1).collect();
    let highest = bars.iter().map(|(_, count)| *count).max().unwrap_or(1) as f64;
    let label = |bin: i32| match usize::try_from(bin) {
        Ok(0) => "½".to_owned(),
        Ok(bin) if bin + 1 == range.histogram.len() => "more".to_owned(),
        Ok(bin) => (1u64 << (bin - 1).min(62)).to_string(),
        Err(_) => String::new(),
    };
    let mut out = String::new();
    draw(&mut out, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(6)
            .x_label_area_size(34)
            .y_label_area_size(64)
            .build_cartesian_2d(
                (0..bars.len() as i32 - 1).into_segmented(),
                (NONE..highest * 2.0).log_scale(),
            )?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("error up to, ulp")
            .y_desc("results")
            .x_label_formatter(&|bin| match bin {
                SegmentValue::CenterOf(bin) => label(*bin),
                _ => String::new(),
            })
            .y_label_formatter(&|count| thousands(count.round() as u64))
            .y_labels(5)
            .draw()?;
        let bar = |&(bin, count): &(usize, u64)| {
            let bin = bin as i32;
            let mut bar = Rectangle::new(
                [
                    (SegmentValue::Exact(bin), NONE),
                    (SegmentValue::Exact(bin + 1), (count as f64).max(NONE)),
                ],
                BLUE.filled(),
            );
            bar.set_margin(0, 0, 3, 3);
            bar
        };
        chart.draw_series(bars.iter().filter(|(_, count)| *count > 0).map(bar))?;
        Ok(())
    })?;
    Some(out)
}

/// The largest error in each binade of the operand, as a part of what the bound permits, and the bound; nothing where
/// no range tells it. Those far beyond the bound end at the top.
pub fn profile(ranges: &[RangeReport]) -> Option<String> {
    let binades = || ranges.iter().flat_map(|range| &range.profile);
    let exponent = |binade: &BinadeReport| i64::from(binade.exponent);
    let least = binades().map(exponent).min()?;
    let most = binades().map(exponent).max()?;
    // Zero lies between the smallest magnitudes of either sign.
    let size = Some(most - least).filter(|size| *size < BINADES)? + 1;
    let place = |binade: &BinadeReport| match binade.negative {
        true => least - exponent(binade) - 1,
        false => exponent(binade) - least,
    };
    let left = if binades().any(|binade| binade.negative) { -size } else { 0 };
    let largest = binades().map(|binade| binade.share).fold(1.0, f64::max);
    let top = (largest * 1.1).min(TOP);
    let label = |at: &i64| match at {
        0 => "0".to_owned(),
        1.. => format!("2^{}", least + at),
        _ => format!("−2^{}", least - at),
    };
    let mut out = String::new();
    draw(&mut out, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(6)
            .x_label_area_size(34)
            .y_label_area_size(64)
            .build_cartesian_2d(left..size, 0.0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("operand")
            .y_desc("of the bound")
            .x_labels(9)
            .x_label_formatter(&label)
            .y_labels(5)
            .y_label_formatter(&|share| format!("{:.0} %", share * 100.0))
            .draw()?;
        let bar = |binade: &BinadeReport| {
            let at = place(binade);
            Rectangle::new([(at, 0.0), (at + 1, binade.share.clamp(0.0, top))], BLUE.filled())
        };
        chart.draw_series(binades().map(bar))?;
        chart.draw_series(LineSeries::new([(left, 1.0), (size, 1.0)], RED.stroke_width(2)))?;
        Ok(())
    })?;
    Some(out)
}

type Failure = Box<dyn std::error::Error>;
type Root<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Draws on a page of SVG; one that cannot be drawn is left out.
fn draw(out: &mut String, on: impl FnOnce(&Root) -> Result<(), Failure>) -> Option<()> {
    let root = SVGBackend::with_string(out, SIZE).into_drawing_area();
    on(&root).ok()?;
    root.present().ok()
}

#[cfg(test)]
mod tests {
    use super::profile as profile_of;
    use super::*;

    fn range(histogram: Vec<u64>) -> RangeReport {
        RangeReport {
            range: "everywhere".into(),
            bound: "2 ulp".into(),
            results: 0,
            histogram,
            worst: None,
            profile: Vec::new(),
        }
    }

    #[test]
    fn bars_are_as_many_as_there_are_counts() {
        let bars = |counts| histogram(&range(counts)).map(|drawn| drawn.matches("#0000FF").count());
        assert_eq!(bars(vec![5, 0, 1, 0]), Some(2));
        assert_eq!(bars(vec![0; 16]), None);
    }

    #[test]
    fn a_profile_has_a_bar_for_each_binade_and_the_bound() {
        let binade = |negative, exponent, share| BinadeReport { negative, exponent, share };
        let drawn = |profile: Vec<BinadeReport>| {
            let range = RangeReport { profile, ..range(Vec::new()) };
            profile_of(&[range])
                .map(|drawn| [drawn.matches("#0000FF").count(), drawn.matches("#FF0000").count()])
        };
        assert_eq!(drawn(Vec::new()), None);
        assert_eq!(drawn(vec![binade(true, -127, 0.5), binade(false, 127, 1.5)]), Some([2, 1]));
        // From outside: numbers that no format has.
        let (low, high) = (binade(false, i32::MIN, -1.0), binade(true, i32::MAX, f64::MAX));
        assert_eq!(drawn(vec![low, high]), None);
        assert_eq!(drawn(vec![binade(true, i32::MAX, f64::MAX)]), Some([1, 1]));
    }

    #[test]
    fn any_numbers_can_be_drawn() {
        for counts in [vec![], vec![u64::MAX], vec![1; 100], vec![u64::MAX; 16]] {
            let drawn = histogram(&range(counts.clone()));
            assert_eq!(drawn.is_some(), !counts.is_empty());
        }
    }
}
