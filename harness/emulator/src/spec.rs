//! Descriptions, such as formats and rules, that a kernel knows when it is compiled, or only when it runs.

/// A description of type `T`: itself a `T`, or a type of no size that stands for a certain `T`.
///
/// The source of a kernel is the same for both. A description that is known folds into the code. A `T` is read once
/// before the loop, and all stages run through, branch-free, with masks that do nothing where there is nothing to do.
pub trait Spec<T: Copy>: Copy + Send + Sync + 'static {
    /// The description, if it is known when a kernel is compiled.
    const KNOWN: Option<T>;

    /// Returns the description.
    fn get(&self) -> &T;

    /// Whether a stage that has something to do only on this condition must be compiled in.
    #[inline(always)]
    fn may_apply(&self, condition: bool) -> bool {
        Self::KNOWN.is_none() || condition
    }
}

/// Defines types of no size, each of which stands for a certain description.
macro_rules! known {
    ($description:ident: $($name:ident = $value:expr;)+) => {
        impl Spec<$description> for $description {
            const KNOWN: Option<$description> = None;

            #[inline(always)]
            fn get(&self) -> &$description {
                self
            }
        }

        $(
            #[doc = concat!("`", stringify!($value), "`, as a type.")]
            #[derive(Clone, Copy, Debug)]
            pub struct $name;

            impl Spec<$description> for $name {
                const KNOWN: Option<$description> = Some($value);

                #[inline(always)]
                fn get(&self) -> &$description {
                    const { &$value }
                }
            }
        )+
    };
}
pub(crate) use known;
