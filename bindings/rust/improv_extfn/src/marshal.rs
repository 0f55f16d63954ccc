// SPDX-License-Identifier: MIT
//! Values for those who store and send them.
use std::fmt::Display;

use improv_core_model::{Value, ValueError, ValueErrorKind};

use crate::sys;

/// The value that stands in the cell of a call that failed: an [`ExtFnError`](crate::ExtFnError)
/// or its text, which is kept as it is.
pub fn error_value(error: impl Display) -> Value {
    Value::Error(ValueError::new(ValueErrorKind::Custom(error.to_string())))
}

/// One line of JSON, from which any part of extfn reads the same value: numbers, booleans and
/// strings as JSON has them; what JSON lacks as an object that is marked `__improv__`.
///
/// ```
/// use improv_core_model::Value;
/// use improv_extfn::value_to_json;
///
/// assert_eq!(value_to_json(&Value::Number(-0.0)), "-0.0");
/// assert_eq!(value_to_json(&Value::Enum(7)), r#"{"__improv__":"enum","value":7}"#);
/// ```
///
/// # Panics
/// For a DateTime of a model other than ours with more than 6 decimals or out of the years 0001 to
/// 9999, and where there is no memory.
pub fn value_to_json(value: &Value) -> String {
    match sys::value_to_json(value) {
        Ok(json) => json,
        Err(failure) => panic!("value_to_json: {}", failure.message),
    }
}
