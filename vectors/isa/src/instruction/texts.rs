//! Enumerations whose values have a text.

/// An enumeration whose values have a text.
macro_rules! texts {
    ($(#[$outer:meta])* $name:ident { $($(#[doc = $doc:literal])+ $value:ident = $text:literal,)+ }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[doc = $doc])+ $value,)+ }

        impl $name {
            /// Every one.
            pub const ALL: &[$name] = &[$($name::$value),+];

            /// As PTX spells it, without a leading dot.
            pub const fn text(self) -> &'static str {
                match self { $($name::$value => $text),+ }
            }

            /// The one of this text, if there is one.
            pub fn named(text: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.text() == text)
            }
        }
    };
}
pub(super) use texts;
