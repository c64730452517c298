//! Mutation of JSON that leaves it JSON.

use serde_json::{Value, json};

use crate::Random;

/// Returns JSON with one to three of its values changed, taken out, doubled or replaced by others.
///
/// Bytes that are not JSON get one bit of one byte changed.
pub fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let Ok(mut tree) = serde_json::from_slice::<Value>(bytes) else {
        let mut bytes = bytes.to_vec();
        let at = random.below(bytes.len().max(1));
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
        return bytes;
    };
    for _ in 0..1 + random.below(3) {
        let [to, from] = [(); 2].map(|()| random.below(size(&tree)));
        // A copy, since the place of the change may be inside of the other value, or around it.
        let other = node(&mut tree, &mut { from }).cloned().unwrap_or_default();
        if let Some(value) = node(&mut tree, &mut { to }) {
            change(value, other, random);
        }
    }
    serde_json::to_vec(&tree).unwrap_or_default()
}

/// Returns the number of values in a tree, its root included.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(fields) => fields.values().map(size).sum(),
        _ => 0,
    }
}

/// Returns value number `left` of a tree, or `None` if it has fewer; `left` is counted down to 0 on the way.
fn node<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| node(item, left)),
        Value::Object(fields) => fields.values_mut().find_map(|field| node(field, left)),
        _ => None,
    }
}

/// Changes a value; `other` is another value of the tree, which may replace it or be added to it.
fn change(value: &mut Value, other: Value, random: &mut Random) {
    if random.below(4) == 0 {
        *value = other;
        return;
    }
    match value {
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            match random.below(3) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[at].clone()),
                _ => items.push(other),
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            let name = fields.keys().nth(random.below(fields.len())).cloned().unwrap_or_default();
            match random.below(3) {
                0 => drop(fields.remove(&name)),
                1 => drop(fields.insert(name + "x", other)),
                _ => drop(fields.insert(name, Value::Null)),
            }
        }
        Value::Number(number) => {
            let near = number.as_u64().unwrap_or_default().wrapping_add(random.below(5) as u64);
            let fraction = f64::from_bits(random.bits());
            let list = [
                json!(near.wrapping_sub(2)),
                json!(random.bits()),
                json!(u64::MAX),
                json!(-1),
                json!(fraction),
                json!(fraction.abs().fract()),
                json!(1.0),
            ];
            *value = random.pick(&list).cloned().unwrap_or_default();
        }
        Value::String(text) => {
            let long = text.repeat(40);
            let controls = format!("{text}\u{1b}[2J\r\n\u{0}");
            let strange = format!("\u{200f}é{text}\u{10ffff}");
            let list = ["", "0x0", "0X1", "fail", "pass", &long, &controls, &strange];
            *text = random.pick(&list).map_or(String::new(), |text| (*text).to_owned());
        }
        _ => *value = [json!([]), json!({}), json!(true), json!(0)][random.below(4)].clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Checks that some seed changes each value of a tree, and that the tree stays JSON.
    #[test]
    fn every_value_is_changed() {
        let tree = json!({"a": [1, {"b": "two"}], "c": null, "d": 4.5});
        let bytes = serde_json::to_vec(&tree).unwrap();
        assert_eq!(size(&tree), 7);
        let pointers = ["", "/a", "/a/0", "/a/1", "/a/1/b", "/c", "/d"];
        let mut changed: HashSet<&str> = HashSet::new();
        for seed in 0..2000 {
            let bytes = mutate(&bytes, &mut Random::new(seed));
            let new: Value = serde_json::from_slice(&bytes).unwrap();
            changed.extend(pointers.iter().filter(|p| new.pointer(p) != tree.pointer(p)));
        }
        assert_eq!(changed.len(), pointers.len());
    }
}
