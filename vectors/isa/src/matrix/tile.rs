//! Tiles: how many elements of a result belong together.

use super::variant::{MatrixVariant, shape};

/// A part of a result: the sums of some rows of A with some columns of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The number of rows of A.
    pub rows: usize,
    /// The number of columns of B.
    pub columns: usize,
}

impl Tile {
    /// The tile of names without a shape: those of `tcgen05`, whose rows and columns stand in a descriptor.
    const SMALL: Tile = Tile { rows: 16, columns: 8 };

    /// Returns the tile of a word like `m16n8k8`, or `None` where the word is no shape.
    fn of(word: &str) -> Option<Tile> {
        let [rows, columns, _] = shape(word)?.map(|side| side as usize);
        Some(Tile { rows, columns })
    }

    /// Returns how many sums the tile has.
    pub const fn elements(self) -> usize {
        self.rows * self.columns
    }
}

impl MatrixVariant {
    /// Returns the tile that vectors of the sweep `tile` fill, row after row: the shape in the name, or 16 × 8.
    pub fn tile(&self) -> Tile {
        self.words().into_iter().find_map(Tile::of).unwrap_or(Tile::SMALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_have_the_shape_of_the_name() {
        let tile = |text: &str| {
            let tile = text.parse::<MatrixVariant>().unwrap().tile();
            (tile.rows, tile.columns)
        };
        for (text, expected) in [
            ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", (16, 8)),
            ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", (8, 8)),
            ("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", (16, 8)),
            ("wmma.mma.sync.aligned.row.col.m32n8k16.f16.f32", (32, 8)),
            ("wmma.mma.sync.aligned.row.col.m8n32k16.f16.f32", (8, 32)),
            ("wgmma.mma_async.sync.aligned.m64n248k8.f32.tf32.tf32(a-desc)", (64, 248)),
            ("tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)", (16, 8)),
        ] {
            assert_eq!(tile(text), expected, "{text}");
        }
        // No name but those of `tcgen05` lacks a shape.
        for variant in MatrixVariant::all() {
            let found = variant.words().into_iter().find_map(Tile::of);
            assert_eq!(found.is_some(), variant.mnemonic() != "tcgen05", "{variant}");
        }
    }
}
