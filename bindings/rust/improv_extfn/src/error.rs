// SPDX-License-Identifier: MIT
//! Why a function has no result.
use std::fmt;
use std::time::Duration;

use improv_core_model::ValueType;

use crate::sys::{Failure, Kind};

/// Why there is no result. [`error_value`](crate::error_value) makes a cell's value of it.
#[derive(Debug)]
pub enum ExtFnError {
    /// No function of this name is registered.
    NotFound(String),
    /// Another number of arguments than the function declares.
    ArityMismatch {
        /// The function's name.
        name: String,
        /// How many it declares.
        expected: usize,
        /// How many it was given.
        got: usize,
    },
    /// An argument of another type than the function declares.
    TypeMismatch {
        /// The function's name.
        name: String,
        /// Which argument, from 0.
        position: usize,
        /// The type that is declared.
        expected: ValueType,
        /// The type of the argument; an error value has none.
        got: Option<ValueType>,
    },
    /// The interpreter or engine is missing: which, and what to do.
    LanguageUnavailable(String),
    /// The body failed, broke a limit, died, or returned the wrong thing; or the request is bad.
    Runtime {
        /// What went wrong: `ValueError: nope (line 3)`.
        message: String,
        /// What the body wrote there, up to 1 MiB.
        stderr: String,
    },
    /// The time limit was reached, and everything killed.
    Timeout(Duration),
    /// The sandbox that the host's policy demands cannot be had: why, and what to do.
    Sandbox(String),
}

impl fmt::Display for ExtFnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExtFnError::NotFound(name) => write!(f, "external function not found: {name}"),
            ExtFnError::ArityMismatch {
                name,
                expected,
                got,
            } => {
                write!(
                    f,
                    "function {name}: expected {expected} argument(s), got {got}"
                )
            }
            ExtFnError::TypeMismatch {
                name,
                position,
                expected,
                got,
            } => write!(
                f,
                "function {name}: argument {position} type mismatch, \
                 expected {expected:?}, got {got:?}"
            ),
            ExtFnError::LanguageUnavailable(why) => {
                write!(f, "language runtime unavailable: {why}")
            }
            ExtFnError::Runtime { message, stderr } => {
                write!(f, "runtime error: {message}\n--- stderr ---\n{stderr}")
            }
            ExtFnError::Timeout(limit) => write!(f, "function timed out after {limit:?}"),
            ExtFnError::Sandbox(why) => write!(f, "sandbox unavailable: {why}"),
        }
    }
}

impl std::error::Error for ExtFnError {}

impl ExtFnError {
    /// Of a failed call; `stderr` is what the body wrote, `limit` the time limit that was in force.
    pub(crate) fn of_call(failure: Failure, stderr: &[u8], limit: Duration) -> Self {
        let without = |prefix: &str| {
            failure
                .message
                .strip_prefix(prefix)
                .unwrap_or(&failure.message)
                .to_string()
        };
        match failure.kind {
            Kind::NotFound => ExtFnError::NotFound(without("external function not found: ")),
            Kind::Unavailable => {
                ExtFnError::LanguageUnavailable(without("language runtime unavailable: "))
            }
            Kind::Sandbox => ExtFnError::Sandbox(without("sandbox unavailable: ")),
            Kind::Timeout => ExtFnError::Timeout(limit_told(&failure.message, limit)),
            Kind::Other => ExtFnError::Runtime {
                stderr: String::from_utf8_lossy(stderr).into_owned(),
                message: failure.message,
            },
        }
    }
}

/// Of what fails before any body runs.
impl From<Failure> for ExtFnError {
    fn from(failure: Failure) -> Self {
        ExtFnError::of_call(failure, b"", Duration::ZERO)
    }
}

/// The limit that the library's message ends with (a start and a whole batch have limits of their
/// own); the one in force to the digit where it is that one, and where none is told.
fn limit_told(message: &str, limit: Duration) -> Duration {
    match message.rsplit(' ').next().and_then(parse_duration) {
        Some(told) if told.as_micros() != limit.as_micros() => told,
        _ => limit,
    }
}

/// Reads `2s`, `2.5s`, `7ms`, `10us`, as the library writes them.
fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (unit, decimals) = match &text[digits.len()..] {
        "s" => (1_000_000, 6),
        "ms" => (1_000, 3),
        "us" => (1, 0),
        _ => return None,
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if part.len() > decimals {
        return None;
    }
    let part: u64 = format!("0{part:0<decimals$}").parse().ok()?;
    let whole: u64 = whole.parse().ok()?;
    whole
        .checked_mul(unit)?
        .checked_add(part)
        .map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_call(kind: Kind, message: &str) -> ExtFnError {
        let failure = Failure {
            kind,
            message: message.into(),
        };
        ExtFnError::of_call(failure, b"warned\n", Duration::from_secs(5))
    }

    #[test]
    fn texts_are_the_predecessors_to_the_letter() {
        let texts = [
            (
                ExtFnError::NotFound("f".into()),
                "external function not found: f",
            ),
            (
                ExtFnError::ArityMismatch {
                    name: "f".into(),
                    expected: 2,
                    got: 1,
                },
                "function f: expected 2 argument(s), got 1",
            ),
            (
                ExtFnError::TypeMismatch {
                    name: "f".into(),
                    position: 1,
                    expected: ValueType::Number,
                    got: Some(ValueType::Text),
                },
                "function f: argument 1 type mismatch, expected Number, got Some(Text)",
            ),
            (
                ExtFnError::LanguageUnavailable("R".into()),
                "language runtime unavailable: R",
            ),
            (
                ExtFnError::Runtime {
                    message: "m".into(),
                    stderr: "e".into(),
                },
                "runtime error: m\n--- stderr ---\ne",
            ),
            (
                ExtFnError::Timeout(Duration::from_millis(2500)),
                "function timed out after 2.5s",
            ),
            (
                ExtFnError::Timeout(Duration::from_micros(7)),
                "function timed out after 7µs",
            ),
            (
                ExtFnError::Sandbox("no bwrap".into()),
                "sandbox unavailable: no bwrap",
            ),
        ];
        for (error, text) in texts {
            assert_eq!(error.to_string(), text);
        }
    }

    #[test]
    fn what_the_text_begins_with_is_not_told_twice() {
        let error = of_call(
            Kind::Unavailable,
            "language runtime unavailable: R (R): not found",
        );
        assert_eq!(
            error.to_string(),
            "language runtime unavailable: R (R): not found"
        );
        let error = of_call(
            Kind::Sandbox,
            "sandbox unavailable: no bwrap; install bubblewrap",
        );
        assert_eq!(
            error.to_string(),
            "sandbox unavailable: no bwrap; install bubblewrap"
        );
    }

    #[test]
    fn a_runtime_error_carries_what_the_body_wrote() {
        let error = of_call(Kind::Other, "ValueError: nope (line 1)");
        assert_eq!(
            error.to_string(),
            "runtime error: ValueError: nope (line 1)\n--- stderr ---\nwarned\n"
        );
    }

    #[test]
    fn the_limit_that_was_reached_is_told() {
        for (message, limit) in [
            ("function timed out after 2.5s", Duration::from_millis(2500)),
            (
                "function start timed out after 30s",
                Duration::from_secs(30),
            ),
            (
                "function timed out after 1.05ms",
                Duration::from_micros(1050),
            ),
            ("function timed out after 10us", Duration::from_micros(10)),
            (
                "the deadline passed while a worker started",
                Duration::from_secs(5),
            ),
        ] {
            match of_call(Kind::Timeout, message) {
                ExtFnError::Timeout(told) => assert_eq!(told, limit, "{message}"),
                other => panic!("expected Timeout, got {other:?}"),
            }
        }
    }
}
