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
use crate::{Report, VariantReport};

/// The size in bytes, before compression, at which a part is closed: few enough to be unpacked at once, and more
/// than zlib looks back.
const PART: usize = 1 << 17;

/// The packed table and pages of the variants, as base64 of zlib of JSON.
pub struct Packed {
    /// The rows of the table of variants: see [`table::row`].
    index: String,
    /// Pages of variants, an array of HTML each, in the order of the index.
    parts: Vec<String>,
}

/// Packs the pages of the variants that have one.
///
/// `causes` has, by the names of failing variants, the numbers of the causes of each.
pub fn pack(
    report: &Report,
    causes: &HashMap<&str, Vec<usize>>,
    page: impl Fn(&VariantReport) -> Option<String>,
) -> Packed {
    let (mut rows, mut parts, mut part, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for variant in &report.variants {
        let page = page(variant);
        // The place that the page is about to get: behind those of the part so far.
        let place = page.as_ref().map(|_| [parts.len(), part.len()]);
        let causes = causes.get(&*variant.variant).map_or(&[][..], Vec::as_slice);
        rows.push(table::row(variant, place, causes));
        bytes += page.as_ref().map_or(0, String::len);
        part.extend(page.map(Value::String));
        if bytes >= PART {
            parts.push(packed(&Value::Array(std::mem::take(&mut part))));
            bytes = 0;
        }
    }
    if !part.is_empty() {
        parts.push(packed(&Value::Array(part)));
    }
    Packed { index: packed(&Value::Array(rows)), parts }
}

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
