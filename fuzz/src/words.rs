//! Mutation of text by its words.

use crate::Random;

/// Returns the text with words between `separators` taken out, doubled, exchanged, or replaced by words of a
/// `vocabulary`, and now and then a byte changed.
pub fn mutate(text: &[u8], separators: &[u8], vocabulary: &[&str], random: &mut Random) -> Vec<u8> {
    let mut words: Vec<Vec<u8>> = text
        // Separators are words of their own, so that they are exchanged and doubled as well.
        .chunk_by(|a, b| !separators.contains(a) && !separators.contains(b))
        .map(<[u8]>::to_vec)
        .collect();
    for _ in 0..1 + random.below(3) {
        let new = random.pick(vocabulary).map_or(Vec::new(), |word| word.as_bytes().to_vec());
        if words.is_empty() {
            words.push(new);
            continue;
        }
        let [at, other] = [(); 2].map(|()| random.below(words.len()));
        match random.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[other].clone()),
            2 => words.swap(at, other),
            3 => words[at] = new,
            4 => words.insert(at, new),
            _ => {
                let word = &mut words[at];
                let byte = random.below(word.len() + 1);
                match word.get_mut(byte) {
                    Some(byte) => *byte ^= 1 << random.below(8),
                    None => word.push(random.bits() as u8),
                }
            }
        }
    }
    words.concat()
}
