//! `wmma.load` and `wmma.store`, which move a matrix between memory and a warp's registers (PTX ISA
//! 9.7.16.4.3 and 9.7.16.4.4).

use std::fmt;

use isa::matrix::MatrixVariant;
use isa::{PtxVersion, Target};

use super::access::Space;

/// A `wmma.load` or `wmma.store`: which matrix it moves, and how that lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileAccess {
    /// Matrix that is moved. D is stored, the others are loaded.
    pub matrix: Matrix,
    /// Whether each row lies in one piece in memory, rather than each column.
    pub by_rows: bool,
    /// M, N and K of the multiplication.
    pub shape: [u32; 3],
    /// State space of the memory: `.shared` or `.global`
    pub space: Space,
    /// Name of the elements' type, one of those in `TYPES`.
    pub ty: &'static str,
}

/// A matrix of the multiplication D = A × B + C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matrix {
    /// M × K, the left factor
    A,
    /// K × N, the right factor
    B,
    /// M × N, the addend
    C,
    /// M × N, the result
    D,
}

/// A type's name, the bits of an element, the shapes of `wmma` with factors of the type, and the shapes with sums of
/// the type.
type TileType = (&'static str, u32, &'static [[u32; 3]], &'static [[u32; 3]]);

/// Shapes of `wmma` with factors of 16 bits.
const OF_HALVES: &[[u32; 3]] = &[[16, 16, 16], [8, 32, 16], [32, 8, 16]];

/// The floating-point types in the manual's syntax of `wmma`.
const TYPES: &[TileType] = &[
    ("f16", 16, OF_HALVES, OF_HALVES),
    ("bf16", 16, OF_HALVES, &[]),
    ("tf32", 32, &[[16, 16, 8]], &[]),
    ("f32", 32, &[], &[[16, 16, 16], [8, 32, 16], [32, 8, 16], [16, 16, 8]]),
    ("f64", 64, &[[8, 8, 4]], &[[8, 8, 4]]),
];

impl Matrix {
    /// Returns the matrix's letter in PTX.
    pub fn letter(self) -> &'static str {
        match self {
            Matrix::A => "a",
            Matrix::B => "b",
            Matrix::C => "c",
            Matrix::D => "d",
        }
    }

    /// Returns the matrix's rows and columns in a multiplication with these M, N and K.
    pub fn sides(self, [m, n, k]: [u32; 3]) -> [u32; 2] {
        match self {
            Matrix::A => [m, k],
            Matrix::B => [k, n],
            Matrix::C | Matrix::D => [m, n],
        }
    }

    /// Whether the matrix is a factor, that is A or B.
    pub fn is_factor(self) -> bool {
        matches!(self, Matrix::A | Matrix::B)
    }
}

impl TileAccess {
    /// Reads text such as `wmma.load.a.sync.aligned.row.m16n16k16.shared.f16`; `None` if there is no such
    /// instruction.
    pub fn read(text: &str) -> Option<TileAccess> {
        let words: Vec<&str> = text.split('.').collect();
        let &["wmma", does, letter, "sync", "aligned", layout, shape, space, ty] = words.as_slice()
        else {
            return None;
        };
        let matrix = match (does, letter) {
            ("load", "a") => Matrix::A,
            ("load", "b") => Matrix::B,
            ("load", "c") => Matrix::C,
            ("store", "d") => Matrix::D,
            _ => return None,
        };
        let by_rows = match layout {
            "row" => true,
            "col" => false,
            _ => return None,
        };
        let space = match space {
            "shared" => Space::Shared,
            "global" => Space::Global,
            _ => return None,
        };
        let &(ty, _, factors, sums) = TYPES.iter().find(|row| row.0 == ty)?;
        let shapes = if matrix.is_factor() { factors } else { sums };
        let shape = shapes.iter().find(|each| name(**each) == shape)?;
        Some(TileAccess { matrix, by_rows, shape: *shape, space, ty })
    }

    /// Returns the width of an element in bits.
    pub fn bits(&self) -> u32 {
        TYPES.iter().find(|row| row.0 == self.ty).map_or(0, |row| row.1)
    }

    /// Returns the matrix's rows and columns.
    pub fn sides(&self) -> [u32; 2] {
        self.matrix.sides(self.shape)
    }

    /// Whether a module for `target` in version `ptx` may use the instruction. It may where it may use a `wmma.mma`
    /// with such matrices.
    pub fn available(&self, target: Target, ptx: PtxVersion) -> bool {
        let shape = name(self.shape);
        MatrixVariant::all().iter().any(|variant| {
            let dot = variant.dot();
            let format = match self.matrix {
                Matrix::A => dot.a,
                Matrix::B => dot.b,
                Matrix::C => dot.c,
                Matrix::D => dot.d,
            };
            let words = variant.words();
            words.first() == Some(&"wmma")
                && words.contains(&shape.as_str())
                && format.name == self.ty
                && variant.form().available(Some(target), Some(ptx))
        })
    }
}

/// Returns a shape as PTX spells it, such as `m16n16k16`.
fn name([m, n, k]: [u32; 3]) -> String {
    format!("m{m}n{n}k{k}")
}

impl fmt::Display for TileAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileAccess { matrix, by_rows, shape, space, ty } = self;
        let does = if *matrix == Matrix::D { "store" } else { "load" };
        let layout = if *by_rows { "row" } else { "col" };
        write!(f, "wmma.{does}.{}.sync.aligned.{layout}.{}{space}.{ty}", matrix.letter(), name(*shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_read_from_what_it_prints() {
        for text in [
            "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
            "wmma.load.b.sync.aligned.col.m8n32k16.global.bf16",
            "wmma.load.c.sync.aligned.col.m16n16k8.global.f32",
            "wmma.store.d.sync.aligned.row.m8n8k4.shared.f64",
        ] {
            assert_eq!(TileAccess::read(text).expect(text).to_string(), text);
        }
        for text in [
            "wmma.store.a.sync.aligned.row.m16n16k16.shared.f16",
            "wmma.load.a.sync.aligned.row.m16n16k16.f16",
            "wmma.load.a.sync.aligned.row.m16n16k8.shared.f16",
            "wmma.load.a.sync.aligned.row.m16n16k16.shared.f32",
            "wmma.load.c.sync.aligned.row.m16n16k16.shared.bf16",
            "wmma.load.c.sync.aligned.row.m16n16k16.param.f32",
        ] {
            assert_eq!(TileAccess::read(text), None, "{text}");
        }
    }

    /// Every `wmma.mma` of the table has a tile for each of its matrices, available on sm_80 in PTX 7.0 and not in
    /// 6.2.
    #[test]
    fn every_wmma_has_its_tiles() {
        let target = "sm_80".parse().unwrap();
        for variant in MatrixVariant::all().iter().filter(|variant| variant.words()[0] == "wmma") {
            let dot = variant.dot();
            let words = variant.words();
            let shape = words.iter().skip(2).find(|word| word.starts_with('m')).unwrap();
            for (role, ty) in
                [("load.a", dot.a), ("load.b", dot.b), ("load.c", dot.c), ("store.d", dot.d)]
            {
                let text = format!("wmma.{role}.sync.aligned.col.{shape}.global.{}", ty.name);
                let tile = TileAccess::read(&text).expect(&text);
                assert!(tile.available(target, "7.0".parse().unwrap()), "{text}");
                assert!(!tile.available(target, "6.2".parse().unwrap()), "{text}");
            }
        }
    }
}
