// SPDX-License-Identifier: MIT
//! Values, their types, and function descriptors: what [`improv_extfn`] takes and gives.
//!
//! For programs that have no model of their own. One that has a crate of this name names it in
//! `improv_extfn/Cargo.toml` instead; `improv_extfn` uses of it what is public here, and of a
//! date and time only that it converts from and into [`std::time::SystemTime`].
//!
//! [`improv_extfn`]: ../improv_extfn/index.html
#![forbid(unsafe_code)]

mod datetime;
mod function;
mod value;

pub use datetime::DateTime;
pub use function::{ExternalFn, Language};
pub use value::{Value, ValueError, ValueErrorKind, ValueType};
