//! The pages of the variants, compressed, to be unpacked in a browser when one is opened.

use std::collections::HashMap;
use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use maud::{Markup, html};
use serde_json::Value;

use super::table;
use crate::{Report, Status, VariantReport};

/// The size in bytes, before compression, at which a part is closed: few enough to be unpacked at once, and more
/// than zlib looks back.
const PART: usize = 1 << 17;

/// The largest number of rows of the table of variants, some more than the suite has variants.
const ROWS: usize = 20_000;

/// The packed table and pages of the variants, as base64 of zlib of JSON.
pub struct Packed {
    /// The rows of the table of variants: see [`table::row`].
    index: String,
    /// Pages of variants, an array of HTML each.
    parts: Vec<String>,
    /// The number of rows of the table.
    pub rows: usize,
    /// The number of variants that have a page.
    pub pages: usize,
    /// The number of variants that would have a page if there were room.
    pub wanted: usize,
}

/// The pages of variants to pack, and the room for them.
#[derive(Clone, Copy)]
pub struct Pages<'a> {
    /// The variants' numbers in the report, in the order in which they get their pages and rows.
    pub order: &'a [usize],
    /// The largest number of bytes of all that is packed.
    pub room: usize,
    /// Whether all variants have to get their pages, or as many as there is room for.
    pub is_whole: bool,
}

/// Packs the pages of the variants that have one. Returns `None` if all are asked for and there is no room for them.
///
/// `causes` has, by the names of failing variants, the numbers of the causes of each.
pub fn pack(
    report: &Report,
    causes: &HashMap<&str, Vec<usize>>,
    pages: Pages,
    page: impl Fn(&VariantReport) -> Option<String>,
) -> Option<Packed> {
    let Pages { order, room, is_whole } = pages;
    let order = if is_whole { order } else { &order[..order.len().min(ROWS)] };
    let index = |places: &HashMap<usize, [usize; 2]>| {
        let mut numbers = order.to_vec();
        // The table has the order of the report, whatever the order of the pages is.
        numbers.sort_unstable();
        let row = |&number: &usize| {
            let variant = &report.variants[number];
            let causes = causes.get(&*variant.variant).map_or(&[][..], Vec::as_slice);
            table::row(variant, places.get(&number).copied(), causes)
        };
        packed(&Value::Array(numbers.iter().map(row).collect()))
    };
    let mut places = HashMap::new();
    // The places of the pages add some digits to each row.
    let mut left = room.checked_sub(index(&places).len() + order.len() * PLACE);
    let (mut parts, mut part, mut bytes, mut wanted) = (Vec::new(), Vec::new(), 0, 0);
    // Closes a part, if there is room for it.
    let mut close = |part: &mut Vec<Value>, left: &mut Option<usize>| {
        let packed = packed(&Value::Array(std::mem::take(part)));
        *left = left.and_then(|left| left.checked_sub(packed.len() + MARKUP));
        let has_room = left.is_some();
        parts.extend(has_room.then_some(packed));
        has_room
    };
    let mut closed = 0;
    let mut waiting = Vec::new();
    for &number in order {
        let variant = &report.variants[number];
        if left.is_none() {
            if is_whole {
                return None;
            }
            wanted += usize::from(variant.status != Status::Pass);
            continue;
        }
        let Some(page) = page(variant) else { continue };
        wanted += 1;
        bytes += page.len();
        waiting.push((number, [closed, part.len()]));
        part.push(Value::String(page));
        if bytes >= PART {
            if close(&mut part, &mut left) {
                places.extend(waiting.drain(..));
                closed += 1;
            }
            bytes = 0;
        }
    }
    if !part.is_empty() && close(&mut part, &mut left) {
        places.extend(waiting);
    }
    if is_whole && left.is_none() {
        return None;
    }
    let index = index(&places);
    Some(Packed { index, parts, rows: order.len(), pages: places.len(), wanted })
}

/// The bytes that the place of a page adds to a row of the table, after compression, at most.
const PLACE: usize = 8;
/// The bytes of the markup around a packed part.
const MARKUP: usize = 100;

impl Packed {
    /// Returns elements of HTML that hold the packed parts and that no browser runs.
    pub fn markup(&self) -> Markup {
        html! {
            script #index type="application/octet-stream" { (self.index) }
            @for (number, part) in self.parts.iter().enumerate() {
                script id={ "part" (number) } type="application/octet-stream" { (part) }
            }
        }
    }
}

/// Packs a value: its JSON, compressed by zlib, as base64.
fn packed(value: &Value) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(value.to_string().as_bytes()).expect("a vector takes everything");
    BASE64_STANDARD.encode(encoder.finish().expect("a vector takes everything"))
}
