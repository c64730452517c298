//! The "fast" integer types of C99, as the C library of the target defines them.

#![no_std]
#![allow(non_camel_case_types)] // C's names

/// At least 8 bits: the same everywhere.
pub type uint_fast8_t = u8;

/// At least 32 bits: with glibc, as many as a `long` has.
#[cfg(target_env = "gnu")]
pub type int_fast32_t = core::ffi::c_long;
/// At least 32 bits: with glibc, as many as a `long` has.
#[cfg(target_env = "gnu")]
pub type uint_fast32_t = core::ffi::c_ulong;

/// At least 32 bits.
#[cfg(not(target_env = "gnu"))]
pub type int_fast32_t = i32;
/// At least 32 bits.
#[cfg(not(target_env = "gnu"))]
pub type uint_fast32_t = u32;

/// At least 64 bits: the same everywhere.
pub type int_fast64_t = i64;
/// At least 64 bits: the same everywhere.
pub type uint_fast64_t = u64;
