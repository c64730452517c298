//! The definition of one element of a matrix instruction's result: what it is computed from. Section numbers are those
//! of PTX ISA 9.4.

use formats::Format;

use crate::Rounding;

/// A dot product `d = Σ a[k] × b[k] + c`, with what scales, selects or rounds its parts. The sum's order and precision
/// are not included: the manual leaves them open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dot {
    /// The number of terms. For a sparse A it counts all terms that A stands for, zeros included.
    pub k: u32,
    /// The format of the result.
    pub d: &'static Format,
    /// The format of the elements of A.
    pub a: &'static Format,
    /// The format of the elements of B.
    pub b: &'static Format,
    /// The format of the addend.
    pub c: &'static Format,
    /// The rounding of each fused operation, where the manual states it: for f64 only.
    pub rounding: Option<Rounding>,
    /// The scales of A's row and of B's column.
    pub scales: Option<Scales>,
    /// The pattern of A's elements that are stored; `None` where all are.
    pub sparsity: Option<Sparsity>,
    /// Whether operands may scale the addend: `scale-input-d` of `tcgen05.mma` (9.7.18.10.10.1), which is "only
    /// valid for `.kind::tf32` and `.kind::f16`", and which `.ws` lacks.
    pub scaled_addend: bool,
}

/// Scales: powers of two, or small numbers, by which elements are multiplied, a block at a time (9.7.16.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scales {
    /// The format of the scales.
    pub format: &'static Format,
    /// The number of scales in a row of A, and in a column of B: each is for K / `count` terms.
    pub count: u32,
}

/// A pattern of stored elements (9.7.16.6.1): the metadata say where in each chunk they belong, and the other elements
/// are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sparsity {
    /// A single element of each two is stored.
    OneOfTwo,
    /// Two of each four elements are stored.
    TwoOfFour,
    /// Two of each four pairs of elements are stored.
    PairsOfEight,
}

impl Sparsity {
    /// Returns the places of a row's elements that are stored; where there is room, zeros are among them. `None` where
    /// more elements than can be stored are not zero. `row` has the bits of its K elements, and −0 counts as not zero.
    ///
    /// # Panics
    /// If the number of elements is not a multiple of [`Sparsity::chunk`].
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
            // The sort is stable: behind the units that are not zero come the first of the others, to make up half.
            units.sort_by_key(|at| !full(at));
            units.truncate(half);
            units.sort_unstable();
            places.extend(units.iter().flat_map(|&at| at..at + unit));
        }
        Some(places)
    }

    /// Returns the metadata of each chunk whose stored elements belong in these places, in the order of
    /// [`DotData::places`](super::DotData::places).
    pub fn metadata(self, places: &[usize]) -> Vec<u64> {
        let chunk = self.chunk() as usize;
        let index = |place: usize| (place % chunk) as u64;
        let of_chunk = |places: &[usize]| match (self, places) {
            // The indices are those of the halves of an element: 0 and 1, or 2 and 3 (9.7.16.6.1).
            (Sparsity::OneOfTwo, &[place]) => [0b0100, 0b1110][place % 2],
            (Sparsity::TwoOfFour, &[low, high]) => index(low) | index(high) << 2,
            (Sparsity::PairsOfEight, &[low, _, high, _]) => (index(low) / 2) | ((index(high) / 2) << 2),
            _ => unreachable!("half of a chunk is stored"),
        };
        places.chunks(chunk / 2).map(of_chunk).collect()
    }

    /// Whether four bits are valid metadata of a chunk (9.7.16.6.1): the two indices differ. If `ordered` is true, as
    /// for an instruction with `.sp::ordered_metadata`, the smaller index also has to stand first. For one element of
    /// two, the indices are those of the element's halves, and their order is fixed whatever `ordered` is.
    pub const fn is_valid_metadata(self, bits: u64, ordered: bool) -> bool {
        let (low, high) = (bits & 3, bits >> 2);
        match self {
            Sparsity::OneOfTwo => bits == 0b0100 || bits == 0b1110,
            _ => low != high && high < 4 && (low < high || !ordered),
        }
    }

    /// Returns the number of elements of a chunk, of which half are stored.
    pub const fn chunk(self) -> u32 {
        match self {
            Sparsity::OneOfTwo => 2,
            Sparsity::TwoOfFour => 4,
            Sparsity::PairsOfEight => 8,
        }
    }
}

/// The facts that the words of a name state.
#[derive(Clone, Copy, Debug, Default)]
struct NameWords<'a> {
    k: Option<u32>,
    /// The number of scales in a row: N of `.scale_vec::NX`.
    vectors: Option<u32>,
    /// The number of stored elements that have one scale in common: N of `.blockN`.
    block: Option<u32>,
    kind: Option<&'a str>,
    rounding: Option<Rounding>,
    sparse: bool,
    scaled: bool,
    /// Whether the instruction is of the fifth generation of tensor cores: `tcgen05`.
    fifth: bool,
    /// Whether `.ws` stands in the name: the weights are stationary.
    stationary: bool,
    /// Whether a sparse A in four bits stores single elements, and not pairs.
    single: bool,
}

impl Dot {
    /// Returns how many elements of A are stored.
    pub const fn stored(&self) -> u32 {
        if self.sparsity.is_some() { self.k / 2 } else { self.k }
    }

    /// Decodes the words of a name. The type of the scales, where there are any, stands behind the types of
    /// [`matrices`].
    ///
    /// # Panics
    /// On a name that lacks a part: the table's own tests decode every name.
    pub(super) fn decode<'a>(words: impl Iterator<Item = &'a str>) -> Dot {
        let (mut said, mut types) = (NameWords::default(), Vec::new());
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
        // The scales' type stands last, so what is left are the types of matrices.
        let scale_format = said.scaled.then(|| types.pop().expect("a type of scales"));
        let [d, a, b, c] = matrices(&types, &formats::F16).expect("two types, three or four");
        let k = said.k.expect("a shape");
        let four_bits = matches!(said.kind, Some("mxf4" | "mxf4nvf4"));
        Dot {
            k,
            d,
            a,
            b,
            c,
            // Only of f64 the manual states how each operation is rounded.
            rounding: (*d == formats::F64).then_some(said.rounding.unwrap_or(Rounding::NearestEven)),
            scales: scale_format.map(|format| Scales { format, count: said.scales(k, four_bits) }),
            sparsity: said.sparse.then_some(match () {
                // Four-bit kinds store pairs, unless the version of sparsity is 1 (9.7.18.10.9.3).
                () if four_bits && !said.single => Sparsity::PairsOfEight,
                () if *a == formats::TF32 => Sparsity::OneOfTwo,
                () => Sparsity::TwoOfFour,
            }),
            scaled_addend: said.fifth && !said.stationary && matches!(said.kind, Some("f16" | "tf32")),
        }
    }
}

impl<'a> NameWords<'a> {
    /// Reads a word that has a value in it: a kind, a number of scales, a size of blocks, or a shape.
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

    /// Returns how many scales a row has. Without a word for it, the number is that of `.scale_vec::1X`, and for four
    /// bits that of `2X` (9.7.16.5.14). Where A is sparse, a block counts stored elements.
    fn scales(&self, k: u32, four_bits: bool) -> u32 {
        let stored = if self.sparse { k / 2 } else { k };
        match (self.vectors, self.block) {
            (Some(vectors), _) => vectors,
            (None, Some(block)) => stored / block,
            (None, None) => 1 + u32::from(four_bits),
        }
    }
}

/// Returns the types of D, A, B and C from the types in a name; `None` where their number fits none. A name has the
/// types of D and C, where A and B are f16; of D, A and B; or of all four.
pub fn matrices<T: Copy>(types: &[T], f16: T) -> Option<[T; 4]> {
    match *types {
        [d, c] => Some([d, f16, f16, c]),
        [d, a, b] => Some([d, a, b, d]),
        [d, a, b, c] => Some([d, a, b, c]),
        _ => None,
    }
}

/// Returns an element's own bits. Callers pass tf32 as a 32-bit register, whose lower 13 bits are dropped here, and
/// every other format, e2m1 in a byte included, as its own bits. [`DotOperand::below`](super::DotOperand::below) says
/// where those lie in memory. The manual says of tf32 "will truncate lower 13 bits" (9.7.17.5.2), and this was observed
/// of `mma` too.
pub fn without_tf32_padding(format: &Format, register: u64) -> u64 {
    let shift = if *format == formats::TF32 { 13 } else { 0 };
    register >> shift & format.mask()
}

/// Returns the floating-point format of the given name, or `None` where there is none.
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
