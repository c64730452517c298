//! Words of instructions and registers that stand for themselves.

macro_rules! named {
    ($(#[$about:meta])* $name:ident: $($(#[$each:meta])* $variant:ident $text:literal)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$each])* #[doc = concat!("`", $text, "`")] $variant,)* }

        impl $name {
            /// Each with its text.
            const ALL: &[($name, &str)] = &[$(($name::$variant, $text),)*];

            /// As it is spelled.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The one of this spelling.
            pub fn read(text: &str) -> Option<$name> {
                $name::ALL.iter().find(|(_, one)| *one == text).map(|&(one, _)| one)
            }
        }
    };
}

named! {
    /// With one source.
    Unary:
    Not "not"
    Abs "abs"
    Negate "neg"
    /// 1 of 0, otherwise 0:
    LogicalNot "cnot"
    CountLeadingZeros "clz"
    CountOnes "popc"
    ReverseBits "brev"
    /// The place of the highest bit that is not the sign:
    FindBit "bfind"
    /// … and how far it has to be shifted:
    FindShift "bfind.shiftamt"
}

named! {
    /// With two sources.
    Binary:
    Add "add"
    Sub "sub"
    MulLow "mul.lo"
    MulHigh "mul.hi"
    /// Of twice the width:
    MulWide "mul.wide"
    Div "div"
    Rem "rem"
    AddSaturated "add.sat"
    SubSaturated "sub.sat"
    Min "min"
    Max "max"
    And "and"
    Or "or"
    Xor "xor"
    ShiftLeft "shl"
    ShiftRight "shr"
}

named! {
    /// What a comparison asks.
    Relation:
    Equal "eq"
    NotEqual "ne"
    Less "lt"
    LessOrEqual "le"
    Greater "gt"
    GreaterOrEqual "ge"
    /// Of integers without sign, as the next three:
    Lower "lo"
    LowerOrSame "ls"
    Higher "hi"
    HigherOrSame "hs"
}

named! {
    /// What a comparison is joined to a predicate by.
    Logic:
    And "and"
    Or "or"
    Xor "xor"
}

named! {
    /// An instruction of extended precision, before its carries (PTX ISA 9.4, 9.7.2).
    Carried:
    Add "add"
    Sub "sub"
    MultiplyAddLow "mad.lo"
    MultiplyAddHigh "mad.hi"
}

named! {
    /// A special register (PTX ISA 10).
    Special:
    /// The number of the block:
    BlockIndex "%ctaid.x"
    /// Threads of a block:
    BlockSize "%ntid.x"
    /// The number of the thread in its block:
    ThreadIndex "%tid.x"
    /// … and in its warp:
    Lane "%laneid"
}

impl Unary {
    /// Whether it gives 32 bits, whatever it counts in.
    pub fn counts(self) -> bool {
        matches!(self, Unary::CountLeadingZeros | Unary::CountOnes | Unary::FindBit | Unary::FindShift)
    }
}
