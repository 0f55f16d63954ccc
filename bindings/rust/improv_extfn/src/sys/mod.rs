// SPDX-License-Identifier: MIT
//! The border to C, and the only place with unsafe code: what goes out of this module is safe to
//! use, owns what it holds, and gives it back when dropped.
#![allow(unsafe_code)]

mod abi;
mod call;
mod column;
mod convert;
mod function;
mod handle;
mod host;
#[cfg(test)]
mod layout;
mod refresh;
mod text;

pub(crate) use column::ColumnHandle;
pub(crate) use convert::value_to_json;
pub(crate) use function::{FunctionHandle, RegistryHandle};
pub(crate) use host::{CancelHandle, HostHandle};
pub(crate) use refresh::CellsHandle;
pub(crate) use text::version;

/// Why a call of the library failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    NotFound,
    Unavailable,
    Timeout,
    Sandbox,
    Other,
}

/// A failed call: what kind of failure, and the library's words for it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) message: String,
}

impl Failure {
    /// A request that cannot even be put to the library.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Failure {
            kind: Kind::Other,
            message: message.into(),
        }
    }
}

/// Makes a call that fills an error record when it fails.
fn attempt(call: impl FnOnce(*mut abi::Error) -> abi::Status) -> Result<(), Failure> {
    let mut err = abi::Error {
        status: abi::OK,
        os_errno: 0,
        message: [0; abi::MESSAGE_SIZE],
    };
    let status = call(&mut err);
    let kind = match status {
        abi::OK => return Ok(()),
        abi::ENOTFOUND => Kind::NotFound,
        abi::EUNAVAILABLE => Kind::Unavailable,
        abi::ETIMEOUT => Kind::Timeout,
        abi::ESANDBOX => Kind::Sandbox,
        _ => Kind::Other,
    };
    // SAFETY: the library ends every message with a NUL inside the array, which was all NULs before.
    let message = unsafe { text::borrowed(err.message.as_ptr()) };
    Err(Failure { kind, message })
}
