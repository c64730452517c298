//! The macros that make a type of the table of faults, which has a line for each fault.

/// Defines `Fault` from a table. A line has a name, perhaps with a parameter and its values; what is wrong, in
/// words; and a test for the variants that have what the fault is about.
macro_rules! faults {
    ($(
        $name:ident $(($parameter:ident: $ty:ty = $($value:expr),+))?: $words:literal, $concerns:expr;
    )*) => {
        /// A fault of one stage. It changes nothing in a variant that does not have what it is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            $(#[doc = $words] $name $(($ty))?,)*
        }

        /// The names of faults without their parameters, in the table's order.
        enum Name { $($name,)* }

        /// All faults of each name, in the table's order.
        const NAMED: &[&[Fault]] = &[$(named!($name $([$($value),+])?),)*];

        impl Fault {
            /// Returns what is wrong, in words.
            pub fn words(self) -> String {
                match self { $(Fault::$name $(($parameter))? => format!($words),)* }
            }

            /// Whether a variant has what the fault is about. Even then the fault may change no result.
            pub fn concerns(self, variant: &Variant) -> bool {
                match self {
                    $(Fault::$name $(($parameter))? => {
                        let concerns: fn(&Variant $(, $ty)?) -> bool = $concerns;
                        concerns(variant $(, $parameter)?)
                    })*
                }
            }

            /// Returns the fault's place in the table.
            #[inline(always)]
            fn place(self) -> usize {
                match self {
                    $(Fault::$name $(($parameter))? => {
                        let first = FIRST[Name::$name as usize];
                        $(let first = first + [$($value),+].iter().position(|of| *of == $parameter)
                            .expect("a value of the table");)?
                        first
                    })*
                }
            }
        }
    };
}

/// Lists all faults of one name, one for each value of its parameter.
macro_rules! named {
    ($name:ident) => {
        &[Fault::$name]
    };
    ($name:ident [$($value:expr),+]) => {
        &[$(Fault::$name($value)),+]
    };
}
