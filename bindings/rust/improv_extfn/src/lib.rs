// SPDX-License-Identifier: MIT
//! Functions that other people wrote in Python, R, Julia, Pure or WebAssembly, evaluated in a
//! sandbox: over libextfn, with the names of the crate that it took the place of.
//!
//! - [`ExternalFn`] describes a function, [`eval`] evaluates it on typed [`Value`]s, [`Registry`]
//!   knows functions by name.
//! - [`FnOptions`] is what a function can have beyond the fields of `ExternalFn`.
//! - [`Host`] is for all else: limits, columns ([`Column`]), what a body printed, canceling,
//!   folders of function files ([`Library`]), and tables of coordinates ([`Measure`]).
//!
//! The host picks how strictly a body is confined, never the model: every body runs
//! [`SandboxPolicy::Restricted`] unless the operator sets `IMPROV_EXTFN_TRUSTED=1`. Where the
//! sandbox cannot be had, evaluation is refused ([`ExtFnError::Sandbox`]).
//! [`ExternalFn::pure`] only affects caching.
//!
//! All of it is `Send` and `Sync`; a [`Column`] grows by `&mut` alone. Nothing prints or aborts;
//! unsafe code is in one module.
//!
//! [`Value`]: improv_core_model::Value
#![deny(unsafe_code)]

mod column;
mod error;
mod function;
mod host;
mod marshal;
mod measure;
mod options;
mod registry;
mod sandbox;
mod shared;
mod sys;
#[cfg(test)]
mod tests;
#[cfg(test)]
use tests::stand_ins::{python, runner};

pub use column::Column;
pub use error::ExtFnError;
pub use function::{Function, Library};
pub use host::{Cancel, Host};
pub use improv_core_model::{ExternalFn, Language};
pub use marshal::{error_value, value_to_json};
pub use measure::{Cells, Measure};
pub use options::{CallOptions, FnOptions, HostOptions, Output, Stats};
pub use registry::{eval, Registry};
pub use sandbox::SandboxPolicy;

/// The version of the C library, `MAJOR.MINOR.PATCH`.
pub fn library_version() -> String {
    sys::version()
}
