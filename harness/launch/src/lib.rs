#![doc = include_str!("../README.md")]

mod blocks;
mod file;
mod floats;
mod grid;
mod launched;
mod others;
mod places;
mod roles;
mod slots;
mod text;

pub use file::CodeFile;
pub use grid::{Elements, GridLaunch, RoleUnit};
pub use launched::Launched;
pub use roles::{CallShape, FourthThread, ParameterRoles, Probed, Role};
pub use slots::{Slot, Slots};
pub use text::{Element, ElementValue, Field, LaunchShape, LaunchText, LaunchWord, OPERANDS};
