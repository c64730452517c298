//! Wrong results on purpose: mutations of variants, of which the model's faults are one kind, and faults that are put
//! into right results, for approximations, which have no model. Of no opinion, and plain Rust, no C.

mod injection;
mod localized;
mod mutation;
mod tolerated;

pub use injection::inject;
pub use localized::LocalizedFault;
pub use mutation::Mutation;
pub use tolerated::is_tolerated;
