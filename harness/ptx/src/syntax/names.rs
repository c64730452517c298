//! Words in the spelling of instructions, and special registers: enumerations that are read and printed by their
//! text.

/// Declares an enumeration whose values are read and printed by their text.
macro_rules! named {
    ($(#[$about:meta])* $name:ident: $($(#[$each:meta])* $variant:ident $text:literal)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$each])* #[doc = concat!("`", $text, "`")] $variant,)* }

        impl $name {
            /// Every value with its text.
            const ALL: &[($name, &str)] = &[$(($name::$variant, $text),)*];

            /// Returns the value's spelling.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// Returns the value with this spelling, if there is one.
            pub fn read(text: &str) -> Option<$name> {
                $name::ALL.iter().find(|(_, one)| *one == text).map(|&(one, _)| one)
            }
        }
    };
}
pub(super) use named;

named! {
    /// An operation of integers with one source.
    Unary:
    Not "not"
    Abs "abs"
    Negate "neg"
    /// 1 if the source is 0, otherwise 0:
    LogicalNot "cnot"
    CountLeadingZeros "clz"
    CountOnes "popc"
    ReverseBits "brev"
    /// The position of the highest bit that differs from the sign:
    FindBit "bfind"
    /// How far the highest bit that differs from the sign has to be shifted to the top:
    FindShift "bfind.shiftamt"
}

named! {
    /// An operation of integers with two sources.
    Binary:
    Add "add"
    Sub "sub"
    MulLow "mul.lo"
    MulHigh "mul.hi"
    /// The product in twice the width of the factors:
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
    /// The relation that a comparison tests.
    Relation:
    Equal "eq"
    NotEqual "ne"
    Less "lt"
    LessOrEqual "le"
    Greater "gt"
    GreaterOrEqual "ge"
    /// Less, for integers without sign:
    Lower "lo"
    /// Less or equal, for integers without sign:
    LowerOrSame "ls"
    /// Greater, for integers without sign:
    Higher "hi"
    /// Greater or equal, for integers without sign:
    HigherOrSame "hs"
}

named! {
    /// The operation that combines a comparison with a predicate.
    Logic:
    And "and"
    Or "or"
    Xor "xor"
}

named! {
    /// The arithmetic of an extended-precision instruction, without its carries (PTX ISA 9.4, 9.7.2).
    Carried:
    Add "add"
    Sub "sub"
    MultiplyAddLow "mad.lo"
    MultiplyAddHigh "mad.hi"
}

named! {
    /// A special register (PTX ISA 10).
    Special:
    /// The number of the block in its grid:
    BlockIndex "%ctaid.x"
    BlockIndexY "%ctaid.y"
    BlockIndexZ "%ctaid.z"
    /// The number of threads in a block:
    BlockSize "%ntid.x"
    BlockSizeY "%ntid.y"
    BlockSizeZ "%ntid.z"
    /// The number of blocks in the grid:
    GridSize "%nctaid.x"
    GridSizeY "%nctaid.y"
    GridSizeZ "%nctaid.z"
    /// The number of the thread in its block:
    ThreadIndex "%tid.x"
    ThreadIndexY "%tid.y"
    ThreadIndexZ "%tid.z"
    /// The number of the thread in its warp:
    Lane "%laneid"
    /// A bit at the number of the thread in its warp:
    LaneMaskEqual "%lanemask_eq"
    /// Bits of the threads in the warp up to the thread itself:
    LaneMaskLessOrEqual "%lanemask_le"
    /// Bits of the threads in the warp before the thread:
    LaneMaskLess "%lanemask_lt"
    /// Bits of the threads in the warp from the thread on:
    LaneMaskGreaterOrEqual "%lanemask_ge"
    /// Bits of the threads in the warp behind the thread:
    LaneMaskGreater "%lanemask_gt"
    /// The number of the warp, by which the device knows it:
    Warp "%warpid"
    /// The number of warps that the device may know:
    Warps "%nwarpid"
    /// The number of the multiprocessor that executes the block:
    Processor "%smid"
    Processors "%nsmid"
    /// The number of the launch:
    Launch "%gridid"
    Clock "%clock"
    ClockHigh "%clock_hi"
    Clock64 "%clock64"
    Timer "%globaltimer"
    TimerLow "%globaltimer_lo"
    TimerHigh "%globaltimer_hi"
}

named! {
    /// The way in which `shfl.sync` finds the thread whose word a thread is given.
    ShuffleMode:
    Up "up"
    Down "down"
    Butterfly "bfly"
    Index "idx"
}

named! {
    /// The question that `vote.sync` asks about the predicates of a warp's threads.
    VoteMode:
    All "all"
    Any "any"
    /// Whether all predicates are equal:
    Uniform "uni"
    /// The predicates themselves, a bit for each thread:
    Ballot "ballot"
}

impl Special {
    /// Whether the register holds a time.
    pub fn is_time(self) -> bool {
        matches!(
            self,
            Special::Clock
                | Special::ClockHigh
                | Special::Clock64
                | Special::Timer
                | Special::TimerLow
                | Special::TimerHigh
        )
    }

    /// Whether PTX leaves open what the register holds: nothing that a launch says determines it.
    pub fn is_open(self) -> bool {
        self.is_time()
            || matches!(
                self,
                Special::Warp
                    | Special::Warps
                    | Special::Processor
                    | Special::Processors
                    | Special::Launch
            )
    }
}

impl Unary {
    /// Whether the result has 32 bits, whatever the width of the source.
    pub fn counts(self) -> bool {
        matches!(self, Unary::CountLeadingZeros | Unary::CountOnes | Unary::FindBit | Unary::FindShift)
    }
}
