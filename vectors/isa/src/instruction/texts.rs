//! A macro for enumerations whose values have a text.

/// Defines an enumeration whose values have a text, with its list of values and the lookup by text.
macro_rules! texts {
    ($(#[$outer:meta])* $name:ident { $($(#[doc = $doc:literal])+ $value:ident = $text:literal,)+ }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[doc = $doc])+ $value,)+ }

        impl $name {
            /// Every value, in the order of definition.
            pub const ALL: &[$name] = &[$($name::$value),+];

            /// Returns the text as PTX spells it, without a leading dot.
            pub const fn text(self) -> &'static str {
                match self { $($name::$value => $text),+ }
            }

            /// Returns the value of the given text, or `None` where there is none.
            pub fn named(text: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.text() == text)
            }
        }
    };
}
pub(super) use texts;
