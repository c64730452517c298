//! The points where the manual leaves a choice about a sum of products.

use formats::FormatId;

use super::variant::MatrixVariant;

macro_rules! relaxations {
    ($(
        $(#[$doc:meta])+
        $relaxation:ident = $name:literal, $answers:expr, $reason:literal;
    )+) => {
        /// A choice that the manual leaves about a sum of products. A report counts how often it arose and what
        /// the implementation chose.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum SumRelaxation { $($(#[$doc])+ $relaxation,)+ }

        impl SumRelaxation {
            /// Every relaxation.
            pub const ALL: &[SumRelaxation] = &[$(SumRelaxation::$relaxation),+];

            /// Returns the name in reports.
            pub const fn name(self) -> &'static str {
                match self { $(SumRelaxation::$relaxation => $name,)+ }
            }

            /// Returns the answers that a report counts.
            pub const fn answers(self) -> &'static [&'static str] {
                match self { $(SumRelaxation::$relaxation => &$answers,)+ }
            }

            /// Returns what the manual says about the choice, and what it does not.
            pub const fn reason(self) -> &'static str {
                match self { $(SumRelaxation::$relaxation => $reason,)+ }
            }
        }
    };
}

relaxations! {
    /// Which NaN a sum is.
    Nan = "sum-nan", ["canonical", "other"],
        "the sections on matrix instructions (PTX ISA 9.7.16 to 9.7.18) say nothing of NaN; that a sum is NaN \
         where an operand or a scale is, an infinity is multiplied by zero, or infinities of both signs are \
         added, is IEEE 754's rule, and its bits are open";
    /// Which sign a sum has where it is zero, or is rounded to zero.
    ZeroSign = "sum-zero-sign", ["positive", "negative"],
        "the manual says nothing of the sign of a sum that is zero, or that is rounded to zero";
    /// Which result a sum has where a part of it overflows.
    Overflow = "sum-overflow", ["number", "infinity", "nan"],
        "\"The accumulation order, rounding … are unspecified\" (PTX ISA 9.7.16.5.14): where the positive terms \
         alone or the negative ones are beyond the largest number, some order of adding overflows and another \
         does not";
    /// Whether subnormal operands count as they are, or as zero.
    Subnormal = "sum-subnormal", ["kept", "flushed", "either"],
        "\"handling of subnormal inputs [is] unspecified\" (PTX ISA 9.7.16.5.14): they may be zero, and where \
         they count, products may be aligned as if they were normal; what agrees with both is `kept`, and what \
         less precision explains as well is `either`";
    /// Whether 8-bit operands are accumulated in fewer bits than single precision has.
    Reduced = "reduced-accumulation", ["single", "reduced", "either"],
        "\"current implementation does accumulation at higher than half precision but lower than single \
         precision\" (PTX ISA 9.7.17.5.2, of wgmma), which is held here to 12 bits; of mma the manual says single \
         precision (9.7.16.5.14), and it is held to 14";
    /// Whether 8-bit operands are accumulated in half precision where C and D are f16.
    Half = "half-accumulation", ["single", "half", "either"],
        "accumulation \"with at least single precision\" is said of 8-bit operands whatever D is (PTX ISA \
         9.7.16.5.14), and \"at least half precision\" where C and D are .f16 only of operands of .f16; chains \
         of f16 were found in machine code for sm_90 and sm_100";
    /// Whether elements that a sparse A does not store are multiplied.
    SparseZero = "sparse-zero", ["skipped", "multiplied"],
        "\"The metadata specifies the mapping of the K/2 non-zero elements to the K elements before performing \
         the MMA operation\" (PTX ISA 9.7.18.10.9); of mma and wgmma not even that is said: whether zeros that \
         are not stored are multiplied is open, so that a sum may be NaN where such a zero meets NaN or an \
         infinity";
    /// How precise an accumulation is where the manual says nothing about it.
    Unstated = "unstated-precision", ["single"],
        "the section on tcgen05.mma (PTX ISA 9.7.18.10.10) says nothing of precision, order or rounding; it is \
         held to what mma promises: the suite's own minimum";
    /// Which order the fused operations of f64 take products in.
    Order = "sum-order", ["any"],
        "\"Precision … is identical to that of .f64 precision fused multiply-add\" (PTX ISA 9.7.16.5.14), of \
         which the order of the products is not said: any is right. K products take K fused operations, of which \
         the first takes the addend, since no operation is left that could add it later";
}

impl SumRelaxation {
    /// Whether the choice is about how many bits are enough.
    pub const fn is_of_precision(self) -> bool {
        matches!(self, SumRelaxation::Reduced | SumRelaxation::Half)
    }
}

impl MatrixVariant {
    /// Returns the choices that the manual leaves about the variant's sums.
    pub fn relaxations(&self) -> Vec<SumRelaxation> {
        let dot = self.dot();
        let eight = |format: FormatId| matches!(format, FormatId::E4m3 | FormatId::E5m2);
        let small = eight(dot.a.id) && eight(dot.b.id) && dot.scales.is_none();
        let has = |relaxation: &SumRelaxation| match relaxation {
            SumRelaxation::Reduced => small && dot.d.id == FormatId::F32 && self.mnemonic() != "tcgen05",
            SumRelaxation::Half => {
                small && dot.d.id == FormatId::F16 && !self.is_promised_half_precision()
            }
            SumRelaxation::SparseZero => {
                dot.sparsity.is_some() && (dot.b.nan().is_some() || dot.b.infinity().is_some())
            }
            SumRelaxation::Unstated => self.mnemonic() == "tcgen05",
            SumRelaxation::Order => dot.d.id == FormatId::F64,
            SumRelaxation::Subnormal => dot.d.id != FormatId::F64,
            SumRelaxation::Nan | SumRelaxation::ZeroSign | SumRelaxation::Overflow => true,
        };
        SumRelaxation::ALL.iter().copied().filter(has).collect()
    }

    /// Whether the manual promises an accumulation of half precision and no more. It does where C, D and the operands
    /// are f16 (9.7.16.5.14), and for `wgmma` with C and D of f16 whatever the operands are (9.7.17.5.2).
    pub fn is_promised_half_precision(&self) -> bool {
        let [a, c, d] = [self.dot().a.id, self.dot().c.id, self.dot().d.id];
        [c, d] == [FormatId::F16; 2] && (a == FormatId::F16 || self.mnemonic() == "wgmma")
    }

    /// Returns the first word of the name.
    pub fn mnemonic(&self) -> &str {
        self.text().split('.').next().unwrap_or_default()
    }
}
