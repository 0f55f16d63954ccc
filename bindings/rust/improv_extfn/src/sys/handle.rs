// SPDX-License-Identifier: MIT
//! Owned pointers to the library's objects.
use std::ptr::{null_mut, NonNull};

use super::{abi, attempt, Failure};

/// Declares an owner of one kind of object, and what its drop calls.
macro_rules! handle {
    ($(#[$about:meta])* $name:ident($object:ident) dropped by $free:ident) => {
        $(#[$about])*
        pub(crate) struct $name(std::ptr::NonNull<$crate::sys::abi::$object>);

        impl $name {
            pub(super) fn as_ptr(&self) -> *mut $crate::sys::abi::$object {
                self.0.as_ptr()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the object is ours, and nobody can use it any more.
                unsafe { $crate::sys::abi::$free(self.0.as_ptr()) }
            }
        }
    };
}
pub(super) use handle;

/// Calls what makes an object, and takes the object.
pub(super) fn made<T>(
    call: impl FnOnce(*mut *mut T, *mut abi::Error) -> abi::Status,
) -> Result<NonNull<T>, Failure> {
    let mut object = null_mut();
    attempt(|err| call(&mut object, err))?;
    NonNull::new(object).ok_or_else(|| Failure::invalid("the library gave nothing"))
}
