//! The "fast" integer types of C99, as the C library of the target defines them.

#![no_std]
#![allow(non_camel_case_types)] // C's names

/// An unsigned integer of at least 8 bits: the same everywhere.
pub type uint_fast8_t = u8;

/// A signed integer of at least 32 bits: with glibc, as many as a `long` has.
#[cfg(target_env = "gnu")]
pub type int_fast32_t = core::ffi::c_long;
/// An unsigned integer of at least 32 bits: with glibc, as many as a `long` has.
#[cfg(target_env = "gnu")]
pub type uint_fast32_t = core::ffi::c_ulong;

/// A signed integer of at least 32 bits.
#[cfg(not(target_env = "gnu"))]
pub type int_fast32_t = i32;
/// An unsigned integer of at least 32 bits.
#[cfg(not(target_env = "gnu"))]
pub type uint_fast32_t = u32;

/// A signed integer of at least 64 bits: the same everywhere.
pub type int_fast64_t = i64;
/// An unsigned integer of at least 64 bits: the same everywhere.
pub type uint_fast64_t = u64;
