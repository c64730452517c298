//! Descriptions that a kernel knows when it is compiled, or only when it runs.

/// A description of type `T`: itself a `T`, or a type of no size that stands for a constant one.
///
/// One source serves both. With a constant, what it says folds into the code; a `T` is read once
/// before the loop, and all stages run through, branch-free, with masks that do nothing where there
/// is nothing to do.
pub trait Value<T>: Copy + Send + Sync + 'static {
    /// Whether the description is a constant.
    const CONSTANT: bool;

    /// The description.
    fn get(&self) -> &T;

    /// Whether a stage that has something to do only on this condition must be compiled in.
    #[inline(always)]
    fn may(&self, condition: bool) -> bool {
        !Self::CONSTANT || condition
    }
}
