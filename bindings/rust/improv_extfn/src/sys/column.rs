// SPDX-License-Identifier: MIT
//! Columns of the library's.
use improv_core_model::{Value, ValueType};

use super::convert::{type_code, value_type, RawValue};
use super::handle::{handle, made};
use super::{abi, attempt, Failure};

handle! {
    /// A column; grows only where nobody else looks (`&mut`).
    ColumnHandle(Column) dropped by extfn_column_free
}

// SAFETY: a column is its memory alone. It may go to another thread, and any number of threads may
// read one that does not grow, which takes `&mut`.
unsafe impl Send for ColumnHandle {}
unsafe impl Sync for ColumnHandle {}

/// A typed buffer of all rows, or `None` for a column of another type.
macro_rules! buffers {
    ($($name:ident: $type:ident from $code:ident, $function:ident;)*) => {$(
        pub(crate) fn $name(&self) -> Option<&[$type]> {
            if self.code() != abi::$code {
                return None;
            }
            if self.rows() == 0 {
                return Some(&[]);
            }
            // SAFETY: the buffer has a place for each row, and stays until the column grows, for
            // which this borrow has to end.
            Some(unsafe { std::slice::from_raw_parts(abi::$function(self.as_ptr()), self.rows()) })
        }
    )*};
}

impl ColumnHandle {
    pub(crate) fn new(value_type: ValueType) -> Result<Self, Failure> {
        // SAFETY: the pointers are good for the call.
        made(|column, err| unsafe { abi::extfn_column_new(type_code(value_type), column, err) })
            .map(ColumnHandle)
    }

    pub(crate) fn of_numbers(numbers: &[f64]) -> Result<Self, Failure> {
        let rows = row_number(numbers.len())?;
        // SAFETY: so many numbers lie there; they are copied.
        made(|column, err| unsafe {
            abi::extfn_column_new_numbers(numbers.as_ptr(), rows, column, err)
        })
        .map(ColumnHandle)
    }

    pub(super) fn owning(column: std::ptr::NonNull<abi::Column>) -> Self {
        ColumnHandle(column)
    }

    fn code(&self) -> abi::Type {
        // SAFETY: the column is there.
        unsafe { abi::extfn_column_type(self.as_ptr()) }
    }

    pub(crate) fn value_type(&self) -> ValueType {
        value_type(self.code())
    }

    pub(crate) fn rows(&self) -> usize {
        // SAFETY: the column is there.
        unsafe { abi::extfn_column_rows(self.as_ptr()) }
            .try_into()
            .expect("a number of rows")
    }

    pub(crate) fn error_count(&self) -> usize {
        // SAFETY: the column is there.
        let count = unsafe { abi::extfn_column_error_count(self.as_ptr()) };
        count.try_into().expect("a number of rows")
    }

    pub(crate) fn push(&mut self, value: &Value) -> Result<(), Failure> {
        if let Value::Text(text) = value {
            // SAFETY: the text's bytes and how many they are; they are copied.
            return attempt(|err| unsafe {
                abi::extfn_column_append_text(self.as_ptr(), text.as_ptr().cast(), text.len(), err)
            });
        }
        let raw = RawValue::of(value)?;
        // SAFETY: a whole value, which is copied.
        attempt(|err| unsafe { abi::extfn_column_append(self.as_ptr(), raw.as_ptr(), err) })
    }

    fn raw(&self, row: usize) -> Result<RawValue, Failure> {
        let row = row_number(row)?;
        let mut raw = RawValue::empty();
        // SAFETY: the library looks whether there is such a row.
        attempt(|err| unsafe { abi::extfn_column_get(self.as_ptr(), row, raw.as_mut_ptr(), err) })?;
        Ok(raw)
    }

    pub(crate) fn get(&self, row: usize) -> Result<Value, Failure> {
        self.raw(row)?.to_value()
    }

    pub(crate) fn error_message(&self, row: usize) -> Option<String> {
        self.raw(row).ok()?.message()
    }

    pub(crate) fn is_error(&self, row: usize) -> bool {
        let Ok(number) = row_number(row) else {
            return false;
        };
        // SAFETY: there is such a row.
        row < self.rows() && unsafe { abi::extfn_column_is_error(self.as_ptr(), number) }
    }

    buffers! {
        numbers: f64 from NUMBER, extfn_column_numbers;
        booleans: u8 from BOOLEAN, extfn_column_booleans;
        datetimes: i64 from DATETIME, extfn_column_datetimes;
        enums: u32 from ENUM, extfn_column_enums;
    }

    pub(crate) fn text(&self, row: usize) -> Option<&str> {
        if self.code() != abi::TEXT || row >= self.rows() || self.is_error(row) {
            return None;
        }
        // SAFETY: there are rows + 1 offsets, which rise and lie inside the bytes; those are UTF-8,
        // which is looked at all the same. Both stay until the column grows.
        unsafe {
            let offsets = abi::extfn_column_text_offsets(self.as_ptr()).add(row);
            let begin = usize::try_from(*offsets).ok()?;
            let end = usize::try_from(*offsets.add(1)).ok()?;
            if begin == end {
                return Some("");
            }
            let bytes = abi::extfn_column_text_bytes(self.as_ptr()).add(begin);
            std::str::from_utf8(std::slice::from_raw_parts(bytes.cast(), end - begin)).ok()
        }
    }
}

fn row_number(row: usize) -> Result<i64, Failure> {
    i64::try_from(row).map_err(|_| Failure::invalid("too many rows"))
}
