// SPDX-License-Identifier: MIT
//! A value, its type, and the error that may stand in its place.
use crate::DateTime;

/// What a function declares for an argument or its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// IEEE 754 binary64.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Unicode text, U+0000 allowed.
    Text,
    /// An instant in UTC.
    DateTime,
    /// An index from 0.
    Enum,
}

/// One value, or the error of the cell that has none.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// IEEE 754 binary64; compares as an `f64` does, so a NaN is unequal to itself.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// Unicode text, U+0000 allowed.
    Text(String),
    /// An instant in UTC, whole microseconds.
    DateTime(DateTime),
    /// An index from 0.
    Enum(u32),
    /// Why there is no value.
    Error(ValueError),
}

impl Value {
    /// The type of the value; an error has none.
    pub fn type_of(&self) -> Option<ValueType> {
        Some(match self {
            Value::Number(_) => ValueType::Number,
            Value::Boolean(_) => ValueType::Boolean,
            Value::Text(_) => ValueType::Text,
            Value::DateTime(_) => ValueType::DateTime,
            Value::Enum(_) => ValueType::Enum,
            Value::Error(_) => return None,
        })
    }
}

/// What kind of error stands in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueErrorKind {
    /// A value of another type was needed.
    TypeMismatch,
    /// Tables whose dimensions do not fit together.
    DimensionMismatch,
    /// A division by zero.
    DivisionByZero,
    /// A value that the computation needs is not there.
    MissingInput,
    /// Any other, in words.
    Custom(String),
}

/// The error that stands in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValueError {
    /// What went wrong.
    pub kind: ValueErrorKind,
}

impl ValueError {
    /// An error of this kind.
    pub fn new(kind: ValueErrorKind) -> Self {
        ValueError { kind }
    }
}

impl From<ValueError> for Value {
    fn from(error: ValueError) -> Self {
        Value::Error(error)
    }
}
