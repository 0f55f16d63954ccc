// SPDX-License-Identifier: MIT
//! What improv_extfn may rely on in anybody's model, and where another differs from ours.
use std::time::SystemTime;

/// As a crate for dates has it: no microseconds, but conversions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant(SystemTime);

impl From<SystemTime> for Instant {
    fn from(time: SystemTime) -> Self {
        Instant(time)
    }
}

impl From<Instant> for SystemTime {
    fn from(instant: Instant) -> Self {
        instant.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    Number,
    Boolean,
    Text,
    DateTime,
    Enum,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(f64),
    Boolean(bool),
    Text(String),
    DateTime(Instant),
    Enum(u32),
    Error(ValueError),
}

impl Value {
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

#[derive(Debug, Clone, PartialEq)]
pub enum ValueErrorKind {
    TypeMismatch,
    DimensionMismatch,
    DivisionByZero,
    MissingInput,
    Custom(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct ValueError {
    pub kind: ValueErrorKind,
    pub source: Option<u64>,
}

impl ValueError {
    pub fn new(kind: ValueErrorKind) -> Self {
        ValueError { kind, source: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Python,
    R,
    Julia,
    Wasm,
    Pure,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalFn {
    pub name: String,
    pub language: Language,
    pub body: String,
    pub arg_types: Vec<ValueType>,
    pub return_type: ValueType,
    pub pure: bool,
}

impl ExternalFn {
    pub fn arity(&self) -> usize {
        self.arg_types.len()
    }
}
