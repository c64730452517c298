//! Draws the errors of an approximate function as SVG.

use plotters::coord::combinators::{BindKeyPoints, IntoLogRange};
use plotters::prelude::*;

use crate::text::thousands;
use crate::{BinadeReport, RangeReport};

const SIZE: (u32, u32) = (640, 220);
/// The largest number of binades of a format.
const BINADES: i64 = 1 << 12;
/// The least number of bars of a histogram beside the first.
const BARS: usize = 5;
/// The largest height of a profile, as a multiple of the bound.
const TOP: f64 = 4.0;
/// The count of results at the lower end of a bar.
const NONE: f64 = 0.6;
/// The largest number of powers of two that are named below a profile, zero left out.
const NAMED: i64 = 8;
/// The size of the mark on a bar that is higher than a profile.
const CLIPPED: i32 = 4;
/// A font that can be read, and the size of its letters.
const LETTERS: (&str, u32) = ("sans-serif", 15);

/// Draws how many results had an error up to ½, 1, 2, 4 … units of the last place, on a logarithmic scale, and
/// returns `None` where there is no result. A bound in such units is a line.
///
/// The page's style replaces the colours: black stands for that of text, blue for that of what the page accents.
pub fn histogram(range: &RangeReport) -> Option<String> {
    let last = range.histogram.iter().rposition(|count| *count > 0)?;
    let bars: Vec<(usize, u64)> =
        range.histogram.iter().copied().enumerate().take(last.max(BARS) + 1).collect();
    let highest = bars.iter().map(|(_, count)| *count).max().unwrap_or(1) as f64;
    let label = |bin: i32| match usize::try_from(bin) {
        Ok(0) => "½".to_owned(),
        Ok(bin) if bin + 1 == range.histogram.len() => "more".to_owned(),
        // Whoever wrote a report may have written any number of bins.
        Ok(bin) => (1u64 << (bin - 1).min(62)).to_string(),
        Err(_) => String::new(),
    };
    let mut out = String::new();
    draw(&mut out, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(6)
            .x_label_area_size(44)
            .y_label_area_size(96)
            .build_cartesian_2d(
                (0..bars.len() as i32 - 1).into_segmented(),
                (NONE..highest * 2.0).log_scale(),
            )?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .label_style(LETTERS)
            .axis_desc_style(LETTERS)
            .x_labels(bars.len())
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
        if let Some(behind) = bound_bin(&range.bound).filter(|bin| (*bin as usize) < bars.len()) {
            let line = [NONE, highest * 2.0].map(|count| (SegmentValue::Exact(behind + 1), count));
            chart.draw_series(LineSeries::new(line, RED.stroke_width(2)))?;
        }
        Ok(())
    })?;
    Some(out)
}

/// Draws the largest error in each binade of the operand, as a part of what the bound permits, and the bound. It
/// returns `None` where no range tells such errors, or where they span more binades than any format has. Errors far
/// beyond the bound end at the top.
pub fn profile(ranges: &[RangeReport]) -> Option<String> {
    let binades = || ranges.iter().flat_map(|range| &range.profile);
    let exponent = |binade: &BinadeReport| i64::from(binade.exponent);
    let least = binades().map(exponent).min()?;
    let most = binades().map(exponent).max()?;
    // Zero lies between the smallest magnitudes of either sign.
    // In i64, where the difference of any two exponents fits; a report may have any.
    let size = Some(most - least).filter(|size| *size < BINADES)? + 1;
    let place = |binade: &BinadeReport| match binade.negative {
        true => least - exponent(binade) - 1,
        false => exponent(binade) - least,
    };
    let left = if binades().any(|binade| binade.negative) { -size } else { 0 };
    let largest = binades().map(|binade| binade.share).fold(1.0, f64::max);
    let top = (largest * 1.1).min(TOP);
    let step = step(if left < 0 { 2 * size } else { size });
    let named =
        (left..size).filter(|at| *at == 0 || (power(least, *at) % step == 0 && 2 * at.abs() > step));
    let named: Vec<i64> = named.collect();
    let label = |at: &i64| match at {
        0 => "0".to_owned(),
        1.. => format!("2^{}", power(least, *at)),
        _ => format!("−2^{}", power(least, *at)),
    };
    let mut out = String::new();
    draw(&mut out, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(6)
            .x_label_area_size(44)
            .y_label_area_size(96)
            .build_cartesian_2d((left..size).with_key_points(named), 0.0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .label_style(LETTERS)
            .axis_desc_style(LETTERS)
            .x_desc("operand")
            .y_desc("of the bound")
            .x_label_formatter(&label)
            .y_labels(5)
            .y_label_formatter(&|share| format!("{:.0} %", share * 100.0))
            .draw()?;
        let bar = |binade: &BinadeReport| {
            let at = place(binade);
            Rectangle::new([(at, 0.0), (at + 1, binade.share.clamp(0.0, top))], BLUE.filled())
        };
        chart.draw_series(binades().map(bar))?;
        // A bar that ends at the top goes on beyond it.
        let clipped = binades().filter(|binade| binade.share > top);
        chart.draw_series(
            clipped.map(|binade| TriangleMarker::new((place(binade), top), CLIPPED, RED.filled())),
        )?;
        chart.draw_series(LineSeries::new([(left, 1.0), (size, 1.0)], RED.stroke_width(2)))?;
        Ok(())
    })?;
    Some(out)
}

/// Returns the exponent of the power of two at a place of a profile that begins with 2^`least`.
fn power(least: i64, at: i64) -> i64 {
    least + at.abs()
}

/// Returns how many binades lie between two that are named: a power of two, which exponents are well known by.
fn step(binades: i64) -> i64 {
    let most = (binades / NAMED).max(1) as u64;
    most.next_power_of_two() as i64
}

/// Returns the bin that ends at a bound in units of the last place, if one does.
fn bound_bin(bound: &str) -> Option<i32> {
    let units: u64 = bound.strip_suffix(" ulp")?.parse().ok()?;
    units.is_power_of_two().then(|| units.ilog2() as i32 + 1)
}

/// Whether bars of the profile of these ranges are higher than the profile is.
pub fn is_clipped(ranges: &[RangeReport]) -> bool {
    ranges.iter().flat_map(|range| &range.profile).any(|binade| binade.share > TOP)
}

type PlotError = Box<dyn std::error::Error>;
type Root<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Draws a picture in SVG, and returns `None` if it cannot be drawn: such a picture is left out.
fn draw(out: &mut String, on: impl FnOnce(&Root) -> Result<(), PlotError>) -> Option<()> {
    let root = SVGBackend::with_string(out, SIZE).into_drawing_area();
    on(&root).ok()?;
    root.present().ok()
}

#[cfg(test)]
mod tests;
