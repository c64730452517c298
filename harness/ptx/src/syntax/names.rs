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
    CountLeadingZeros "clz"
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
