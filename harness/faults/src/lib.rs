//! Wrong results on purpose: mutations of variants. The model's faults are one kind of them. The other is
//! faults that are put into right results, for approximations, which have no model. The crate uses no opinion;
//! it is plain Rust, no C.

mod injection;
mod localized;
mod mutation;
mod tolerated;

pub use injection::inject;
pub use localized::LocalizedFault;
pub use mutation::Mutation;
pub use tolerated::is_tolerated;
