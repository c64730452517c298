//! From a table of faults, a line each, to a type.

/// A line: a name, perhaps a parameter and the values that it has; what is wrong in words; and the
/// variants that have what it is about.
macro_rules! faults {
    ($(
        $name:ident $(($parameter:ident: $ty:ty = $($value:expr),+))?: $words:literal, $concerns:expr;
    )*) => {
        /// What can be wrong with one stage. It changes nothing in a variant that does not have what it
        /// is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            $(#[doc = $words] $name $(($ty))?,)*
        }

        /// The names alone, in the table's order.
        enum Name { $($name,)* }

        /// For each name, all that have it.
        const NAMED: &[&[Fault]] = &[$(named!($name $([$($value),+])?),)*];

        impl Fault {
            /// What is wrong, in words.
            pub fn words(self) -> String {
                match self { $(Fault::$name $(($parameter))? => format!($words),)* }
            }

            /// Whether a variant has what it is about. Even then it may change no result.
            pub fn concerns(self, variant: &Variant) -> bool {
                match self {
                    $(Fault::$name $(($parameter))? => {
                        let concerns: fn(&Variant $(, $ty)?) -> bool = $concerns;
                        concerns(variant $(, $parameter)?)
                    })*
                }
            }

            /// Its place in the table.
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

/// All that have one name.
macro_rules! named {
    ($name:ident) => {
        &[Fault::$name]
    };
    ($name:ident [$($value:expr),+]) => {
        &[$(Fault::$name($value)),+]
    };
}
