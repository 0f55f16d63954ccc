// SPDX-License-Identifier: MIT
//! Values and types, from Rust to C and back.
use std::ffi::CString;
use std::ptr::null_mut;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use improv_core_model::{Language, Value, ValueError, ValueErrorKind, ValueType};

use super::{abi, attempt, text, Failure};

const EMPTY: abi::Value = abi::Value {
    type_: abi::NONE,
    as_: abi::ValueAs { datetime: 0 },
};

/// A value of the library's, which owns what it points to.
pub(super) struct RawValue(abi::Value);

impl Drop for RawValue {
    fn drop(&mut self) {
        // SAFETY: the value is whole, and ours.
        unsafe { abi::extfn_value_clear(&mut self.0) }
    }
}

impl RawValue {
    pub(super) fn empty() -> Self {
        RawValue(EMPTY)
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut abi::Value {
        &mut self.0
    }

    pub(super) fn as_ptr(&self) -> *const abi::Value {
        &self.0
    }

    pub(super) fn of(value: &Value) -> Result<Self, Failure> {
        let mut raw = RawValue::empty();
        let (type_, as_) = match value {
            Value::Number(number) => (abi::NUMBER, abi::ValueAs { number: *number }),
            Value::Boolean(boolean) => (abi::BOOLEAN, abi::ValueAs { boolean: *boolean }),
            Value::Enum(index) => (abi::ENUM, abi::ValueAs { index: *index }),
            Value::DateTime(time) => {
                let datetime = microseconds((*time).into())?;
                (abi::DATETIME, abi::ValueAs { datetime })
            }
            Value::Text(text) => {
                attempt(|err| {
                    // SAFETY: the text's bytes and how many they are; they are copied.
                    unsafe {
                        abi::extfn_value_text(
                            text.as_ptr().cast(),
                            text.len(),
                            raw.as_mut_ptr(),
                            err,
                        )
                    }
                })?;
                return Ok(raw);
            }
            Value::Error(error) => {
                let (kind, message) = told(&error.kind);
                // SAFETY: a text with a NUL at its end; it is copied.
                attempt(|err| unsafe {
                    abi::extfn_value_error(kind, message.as_ptr(), raw.as_mut_ptr(), err)
                })?;
                return Ok(raw);
            }
        };
        raw.0 = abi::Value { type_, as_ };
        Ok(raw)
    }

    pub(super) fn to_value(&self) -> Result<Value, Failure> {
        let as_ = &self.0.as_;
        // SAFETY: the type says which member was written.
        unsafe {
            Ok(match self.0.type_ {
                abi::NUMBER => Value::Number(as_.number),
                abi::BOOLEAN => Value::Boolean(as_.boolean),
                abi::ENUM => Value::Enum(as_.index),
                abi::DATETIME => Value::DateTime(system_time(as_.datetime).into()),
                abi::TEXT => Value::Text(utf8(text::bytes(as_.text.data, as_.text.size))),
                abi::ERROR => {
                    let message = utf8(text::bytes(as_.error.message, as_.error.size));
                    Value::Error(ValueError::new(kind_of(as_.error.kind, message)))
                }
                other => return Err(Failure::invalid(format!("a value of unknown type {other}"))),
            })
        }
    }

    /// The message of an error.
    pub(super) fn message(&self) -> Option<String> {
        // SAFETY: the type says which member was written.
        (self.0.type_ == abi::ERROR)
            .then(|| unsafe { utf8(text::bytes(self.0.as_.error.message, self.0.as_.error.size)) })
    }
}

/// Arguments in a row, as the library reads them.
pub(super) struct RawValues(Vec<abi::Value>);

impl RawValues {
    pub(super) fn of(values: &[Value]) -> Result<Self, Failure> {
        let mut raw = RawValues(Vec::with_capacity(values.len()));
        for value in values {
            let mut one = RawValue::of(value)?;
            raw.0.push(std::mem::replace(&mut one.0, EMPTY));
        }
        Ok(raw)
    }

    pub(super) fn as_ptr(&self) -> *const abi::Value {
        self.0.as_ptr()
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

impl Drop for RawValues {
    fn drop(&mut self) {
        for value in &mut self.0 {
            // SAFETY: each value is whole, and ours.
            unsafe { abi::extfn_value_clear(value) }
        }
    }
}

/// One line of JSON.
pub(crate) fn value_to_json(value: &Value) -> Result<String, Failure> {
    let raw = RawValue::of(value)?;
    let mut json = null_mut();
    // SAFETY: a whole value in, a text with a NUL at its end out, which is ours.
    unsafe {
        attempt(|err| abi::extfn_value_to_json(raw.as_ptr(), &mut json, err))?;
        Ok(text::taken(json))
    }
}

pub(super) fn type_code(value_type: ValueType) -> abi::Type {
    match value_type {
        ValueType::Number => abi::NUMBER,
        ValueType::Boolean => abi::BOOLEAN,
        ValueType::Text => abi::TEXT,
        ValueType::DateTime => abi::DATETIME,
        ValueType::Enum => abi::ENUM,
    }
}

/// Of a function or a column, which have no other types.
pub(super) fn value_type(code: abi::Type) -> ValueType {
    match code {
        abi::NUMBER => ValueType::Number,
        abi::BOOLEAN => ValueType::Boolean,
        abi::TEXT => ValueType::Text,
        abi::DATETIME => ValueType::DateTime,
        abi::ENUM => ValueType::Enum,
        other => unreachable!("a declared type {other}"),
    }
}

pub(super) fn language_code(language: Language) -> abi::Language {
    match language {
        Language::Python => 0,
        Language::R => 1,
        Language::Julia => 2,
        Language::Pure => 3,
        Language::Wasm => 4,
    }
}

/// The kind, and its words; C ends a text at a NUL.
fn told(kind: &ValueErrorKind) -> (abi::ErrorKind, CString) {
    let (code, words) = match kind {
        ValueErrorKind::TypeMismatch => (abi::KIND_TYPE_MISMATCH, "type mismatch"),
        ValueErrorKind::DimensionMismatch => (abi::KIND_DIMENSION_MISMATCH, "dimension mismatch"),
        ValueErrorKind::DivisionByZero => (abi::KIND_DIVISION_BY_ZERO, "division by zero"),
        ValueErrorKind::MissingInput => (abi::KIND_MISSING_INPUT, "missing input"),
        ValueErrorKind::Custom(message) => (abi::KIND_CUSTOM, message.as_str()),
    };
    let words = words.replace('\0', "\u{fffd}");
    (code, CString::new(words).expect("no U+0000 is left"))
}

fn kind_of(code: abi::ErrorKind, message: String) -> ValueErrorKind {
    match code {
        abi::KIND_TYPE_MISMATCH => ValueErrorKind::TypeMismatch,
        abi::KIND_DIMENSION_MISMATCH => ValueErrorKind::DimensionMismatch,
        abi::KIND_DIVISION_BY_ZERO => ValueErrorKind::DivisionByZero,
        abi::KIND_MISSING_INPUT => ValueErrorKind::MissingInput,
        _ => ValueErrorKind::Custom(message),
    }
}

/// The library promises UTF-8; what is not would be shown as such.
fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Since 1970; a part of a microsecond is refused, never cut.
pub(super) fn microseconds(time: SystemTime) -> Result<i64, Failure> {
    let (sign, distance) = match time.duration_since(UNIX_EPOCH) {
        Ok(after) => (1, after),
        Err(before) => (-1, before.duration()),
    };
    if distance.subsec_nanos() % 1000 != 0 {
        return Err(Failure::invalid("a DateTime has more than 6 decimals"));
    }
    i64::try_from(distance.as_micros())
        .map(|count| sign * count)
        .map_err(|_| Failure::invalid("a DateTime is out of range"))
}

pub(super) fn system_time(microseconds: i64) -> SystemTime {
    let distance = Duration::from_micros(microseconds.unsigned_abs());
    if microseconds < 0 {
        UNIX_EPOCH - distance
    } else {
        UNIX_EPOCH + distance
    }
}
