//! What one element of a matrix instruction's result is computed from.

use formats::Format;

use crate::Rounding;

/// `d = Σ a[k] × b[k] + c`, and what scales, selects or rounds that. The sum's order and precision are no
/// part of it: the manual leaves them open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dot {
    /// Number of terms. Of a sparse A, those that it stands for, zeros included.
    pub k: u32,
    /// Format of the result.
    pub d: &'static Format,
    /// Format of the elements of A.
    pub a: &'static Format,
    /// Format of the elements of B.
    pub b: &'static Format,
    /// Format of the addend.
    pub c: &'static Format,
    /// How each fused operation is rounded, where that is said: for f64 only.
    pub rounding: Option<Rounding>,
    /// The scales of A's row and of B's column.
    pub scales: Option<Scales>,
    /// Which of A's elements are stored.
    pub sparsity: Option<Sparsity>,
    /// Whether operands may scale the addend: `scale-input-d` of `tcgen05.mma` (9.7.18.10.10.1), which is "only
    /// valid for `.kind::tf32` and `.kind::f16`", and which `.ws` lacks.
    pub scaled_addend: bool,
}

/// Powers of two, or small numbers, that elements are multiplied by, a block at a time (9.7.16.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scales {
    /// Their format.
    pub format: &'static Format,
    /// How many there are in a row of A, and in a column of B: each is that of K over so many terms.
    pub count: u32,
}

/// A pattern of stored elements (9.7.16.6.1): the metadata say where in each chunk they belong, and the
/// others are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sparsity {
    /// One of two.
    OneOfTwo,
    /// Two of four.
    TwoOfFour,
    /// Two pairs of four pairs.
    PairsOfEight,
}

impl Sparsity {
    /// The places of the elements that are stored of a row, zeros where there is room; `None` where more than
    /// can be stored are not zero.
    pub fn stored(self, row: &[u64]) -> Option<Vec<usize>> {
        let chunk = self.chunk() as usize;
        let unit = if self == Sparsity::PairsOfEight { 2 } else { 1 };
        let mut places = Vec::new();
        for first in (0..row.len()).step_by(chunk) {
            let mut units: Vec<usize> = (first..first + chunk).step_by(unit).collect();
            let full = |&at: &usize| row[at..at + unit].iter().any(|&bits| bits != 0);
            let half = units.len() / 2;
            if units.iter().filter(|at| full(at)).count() > half {
                return None;
            }
            units.sort_by_key(|at| !full(at));
            units.truncate(half);
            units.sort_unstable();
            places.extend(units.iter().flat_map(|&at| at..at + unit));
        }
        Some(places)
    }

    /// The metadata of each chunk whose stored elements belong in these places, in the order of
    /// [`DotData::places`](super::DotData::places).
    pub fn metadata(self, places: &[usize]) -> Vec<u64> {
        let chunk = self.chunk() as usize;
        let index = |place: usize| (place % chunk) as u64;
        let of_chunk = |places: &[usize]| match (self, places) {
            (Sparsity::OneOfTwo, &[place]) => [0b0100, 0b1110][place % 2],
            (Sparsity::TwoOfFour, &[low, high]) => index(low) | index(high) << 2,
            (Sparsity::PairsOfEight, &[low, _, high, _]) => (index(low) / 2) | ((index(high) / 2) << 2),
            _ => unreachable!("half of a chunk is stored"),
        };
        places.chunks(chunk / 2).map(of_chunk).collect()
    }

    /// Whether four bits are the metadata of a chunk: indices differ, and the smaller stands first where they
    /// are in order; of one element of two, they are those of its halves (9.7.16.6.1).
    pub const fn has_metadata(self, bits: u64, ordered: bool) -> bool {
        let (low, high) = (bits & 3, bits >> 2);
        match self {
            Sparsity::OneOfTwo => bits == 0b0100 || bits == 0b1110,
            _ => low != high && high < 4 && (low < high || !ordered),
        }
    }

    /// Elements of a chunk, of which half are stored.
    pub const fn chunk(self) -> u32 {
        match self {
            Sparsity::OneOfTwo => 2,
            Sparsity::TwoOfFour => 4,
            Sparsity::PairsOfEight => 8,
        }
    }
}

/// What the words of a name say.
#[derive(Clone, Copy, Debug, Default)]
struct Words<'a> {
    k: Option<u32>,
    vectors: Option<u32>,
    block: Option<u32>,
    kind: Option<&'a str>,
    rounding: Option<Rounding>,
    sparse: bool,
    scaled: bool,
    fifth: bool,
    stationary: bool,
    /// Of a sparse A in four bits, single elements are stored, and not pairs.
    single: bool,
}

impl Dot {
    /// How many elements of A are stored.
    pub const fn stored(&self) -> u32 {
        if self.sparsity.is_some() { self.k / 2 } else { self.k }
    }

    /// What the words of a name mean. Behind the types of [`matrices`] is that of the scales, where there are any.
    ///
    /// # Panics
    /// Where they lack something: the table's own tests decode every name.
    pub(super) fn decode<'a>(words: impl Iterator<Item = &'a str>) -> Dot {
        let (mut said, mut types) = (Words::default(), Vec::new());
        for word in words {
            match word {
                "sp" | "sp::ordered_metadata" => said.sparse = true,
                "block_scale" => said.scaled = true,
                "tcgen05" => said.fifth = true,
                "ws" => said.stationary = true,
                "v1" => said.single = true,
                "rn" => said.rounding = Some(Rounding::NearestEven),
                "rz" => said.rounding = Some(Rounding::TowardZero),
                "rm" => said.rounding = Some(Rounding::Down),
                "rp" => said.rounding = Some(Rounding::Up),
                _ => match format_of(word) {
                    Some(format) => types.push(format),
                    None => said.read(word),
                },
            }
        }
        let stored = said.scaled.then(|| types.pop().expect("a type of scales"));
        let [d, a, b, c] = matrices(&types, &formats::F16).expect("two types, three or four");
        let k = said.k.expect("a shape");
        let four_bits = matches!(said.kind, Some("mxf4" | "mxf4nvf4"));
        Dot {
            k,
            d,
            a,
            b,
            c,
            rounding: (*d == formats::F64).then_some(said.rounding.unwrap_or(Rounding::NearestEven)),
            scales: stored.map(|format| Scales { format, count: said.scales(k, four_bits) }),
            sparsity: said.sparse.then_some(match () {
                () if four_bits && !said.single => Sparsity::PairsOfEight,
                () if *a == formats::TF32 => Sparsity::OneOfTwo,
                () => Sparsity::TwoOfFour,
            }),
            scaled_addend: said.fifth && !said.stationary && matches!(said.kind, Some("f16" | "tf32")),
        }
    }
}

impl<'a> Words<'a> {
    fn read(&mut self, word: &'a str) {
        if let Some(kind) = word.strip_prefix("kind::") {
            self.kind = Some(kind);
        } else if let Some(vectors) = word.strip_prefix("scale_vec::") {
            self.vectors = vectors.strip_suffix('X').and_then(|number| number.parse().ok());
        } else if let Some(block) = word.strip_prefix("block").and_then(|number| number.parse().ok()) {
            self.block = Some(block);
        } else if let Some((_, k)) = word.rsplit_once('k').filter(|_| word.starts_with(['m', 'k'])) {
            self.k = k.parse().ok().or(self.k);
        }
    }

    /// How many scales a row has. Without a word for it, `.scale_vec::1X`, of four bits `2X` (9.7.16.5.14).
    /// A block is of stored elements where A is sparse.
    fn scales(&self, k: u32, four_bits: bool) -> u32 {
        let stored = if self.sparse { k / 2 } else { k };
        match (self.vectors, self.block) {
            (Some(vectors), _) => vectors,
            (None, Some(block)) => stored / block,
            (None, None) => 1 + u32::from(four_bits),
        }
    }
}

/// The types of D, A, B and C by those that a name has: of D and C, where A and B are f16; of D, A and B; or of
/// all four.
pub fn matrices<T: Copy>(types: &[T], f16: T) -> Option<[T; 4]> {
    match *types {
        [d, c] => Some([d, f16, f16, c]),
        [d, a, b] => Some([d, a, b, d]),
        [d, a, b, c] => Some([d, a, b, c]),
        _ => None,
    }
}

/// The bits that count of an operand's register, which of tf32 is one of f32: "will truncate lower 13 bits"
/// (9.7.17.5.2), as observed of `mma` too.
pub fn datum(format: &Format, register: u64) -> u64 {
    let shift = if *format == formats::TF32 { 13 } else { 0 };
    register >> shift & format.mask()
}

/// The floating-point format of this name.
fn format_of(name: &str) -> Option<&'static Format> {
    formats::FLOATS.into_iter().find(|format| format.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::MatrixVariant;

    fn dot(text: &str) -> Dot {
        *text.parse::<MatrixVariant>().unwrap().dot()
    }

    #[test]
    fn names_say_what_is_multiplied_and_added() {
        let formats = |text: &str| {
            let Dot { k, d, a, b, c, .. } = dot(text);
            (k, [d, a, b, c].map(|format| format.name))
        };
        for (text, k, expected) in [
            ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", 4, ["f32", "f16", "f16", "f16"]),
            ("wmma.mma.sync.aligned.row.col.m32n8k16.f16.f32", 16, ["f16", "f16", "f16", "f32"]),
            (
                "wgmma.mma_async.sync.aligned.m64n96k8.f32.tf32.tf32(a-regs)",
                8,
                ["f32", "tf32", "tf32", "f32"],
            ),
            (
                "tcgen05.mma.cta_group::1.kind::f8f6f4(a-tmem,f16.e4m3.e2m1,k32)",
                32,
                ["f16", "e4m3", "e2m1", "f16"],
            ),
        ] {
            assert_eq!(formats(text), (k, expected), "{text}");
        }
    }

    #[test]
    fn names_say_how_it_is_scaled_selected_and_rounded() {
        let scales = |text: &str| dot(text).scales.map(|scales| (scales.format.name, scales.count));
        assert_eq!(scales("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32"), None);
        assert_eq!(
            scales("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"),
            Some(("ue8m0", 2))
        );
        assert_eq!(
            scales(
                "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.block16(a-desc,f32.e2m1.e2m1.ue4m3,k96)"
            ),
            Some(("ue4m3", 6))
        );
        let rounding = |modifier: &str| {
            dot(&format!("mma.sync.aligned.m8n8k4.row.col{modifier}.f64.f64.f64.f64")).rounding
        };
        assert_eq!([rounding(""), rounding(".rm")], [Some(Rounding::NearestEven), Some(Rounding::Down)]);
        let sparse = "mma.sp::ordered_metadata.sync.aligned";
        let sparsity = |rest: &str| dot(&format!("{sparse}.{rest}")).sparsity;
        assert_eq!(sparsity("m16n8k16.row.col.f32.tf32.tf32.f32"), Some(Sparsity::OneOfTwo));
        assert_eq!(sparsity("m16n8k16.row.col.f16.f16.f16.f16"), Some(Sparsity::TwoOfFour));
        let pairs = sparsity("m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0");
        assert_eq!(pairs, Some(Sparsity::PairsOfEight));
        let of_version = |version: &str| {
            let types = "(a-desc,f32.e2m1.e2m1.ue8m0,k128";
            dot(&format!("tcgen05.mma.sp.cta_group::1.kind::mxf4.block_scale{types}{version})")).sparsity
        };
        assert_eq!(of_version(""), Some(Sparsity::PairsOfEight));
        assert_eq!(of_version(",v1"), Some(Sparsity::TwoOfFour));
    }
}
