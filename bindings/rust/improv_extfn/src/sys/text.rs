// SPDX-License-Identifier: MIT
//! Texts that cross the border.
use std::ffi::{c_char, CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt;

use super::{abi, Failure};

/// A copy of a text that stays C's.
///
/// # Safety
/// `text` ends with a NUL, and is not NULL.
pub(super) unsafe fn borrowed(text: *const c_char) -> String {
    CStr::from_ptr(text).to_string_lossy().into_owned()
}

/// The text itself, or nothing where it is not UTF-8.
///
/// # Safety
/// `text` ends with a NUL, is not NULL, and outlives what is done with it.
pub(super) unsafe fn lent<'a>(text: *const c_char) -> &'a str {
    CStr::from_ptr(text).to_str().unwrap_or_default()
}

/// A copy of a text that the library gave away, which is freed.
///
/// # Safety
/// As for `borrowed`; nobody else has the text.
pub(super) unsafe fn taken(text: *mut c_char) -> String {
    let copy = borrowed(text);
    abi::extfn_text_free(text);
    copy
}

/// The bytes at `data`, which may be NULL where there are none.
///
/// # Safety
/// `size` bytes lie there, unless it is NULL.
pub(super) unsafe fn bytes(data: *const c_char, size: usize) -> Vec<u8> {
    if data.is_null() {
        return Vec::new();
    }
    std::slice::from_raw_parts(data.cast(), size).to_vec()
}

/// The text for C; `what` names it where it has a NUL, which C cannot pass on.
pub(super) fn for_c(text: impl AsRef<OsStr>, what: &str) -> Result<CString, Failure> {
    CString::new(text.as_ref().as_bytes())
        .map_err(|_| Failure::invalid(format!("{what}: has U+0000 in it")))
}

/// The version of the library.
pub(crate) fn version() -> String {
    // SAFETY: a static text.
    unsafe { borrowed(abi::extfn_version()) }
}
