// SPDX-License-Identifier: MIT
//! The predecessor's own tests, as close to the letter as this crate allows. What differs: guards
//! also hold `EXTFN_TEST_REQUIRE` against a skip, the tests of WebAssembly have one (the engine may
//! be missing here, it was part of the predecessor), and its internal helpers are `stand_ins`.
use crate::*;
use improv_core_model::{Value, ValueType};
use std::time::Duration;

mod languages;
mod output;
mod sandbox;
pub(crate) mod stand_ins;

/// Whether it is there; where `EXTFN_TEST_REQUIRE` names it, its absence is a failure.
fn required(name: &str, is_there: bool) -> bool {
    let names = std::env::var("EXTFN_TEST_REQUIRE").unwrap_or_default();
    let is_required = names.split(',').any(|required| required == name);
    assert!(
        is_there || !is_required,
        "{name} is required, and is not here"
    );
    is_there
}

fn add_fn() -> ExternalFn {
    ExternalFn {
        name: "add".into(),
        language: Language::Python,
        body: "result = args[0] + args[1]".into(),
        arg_types: vec![ValueType::Number, ValueType::Number],
        return_type: ValueType::Number,
        pure: true,
    }
}

#[test]
fn registry_roundtrip() {
    let mut reg = Registry::new();
    assert_eq!(reg.timeout(), Duration::from_secs(5));
    assert_eq!(
        Registry::new()
            .with_timeout(Duration::from_millis(7))
            .timeout(),
        Duration::from_millis(7)
    );
    assert!(reg.is_empty());
    assert!(reg.register(add_fn()).is_none());
    assert_eq!(reg.len(), 1);
    let got = reg.get("add").expect("registered");
    assert_eq!(got.arity(), 2);
    assert_eq!(got.return_type, ValueType::Number);
    assert!(got.pure);
    // Re-register returns the previous descriptor.
    assert!(reg.register(add_fn()).is_some());
    assert!(reg.get("missing").is_none());
}

#[test]
fn not_found() {
    let reg = Registry::new();
    assert!(matches!(
        reg.eval("nope", &[]),
        Err(ExtFnError::NotFound(_))
    ));
}

#[test]
fn arity_mismatch_without_python() {
    let f = add_fn();
    let err = eval(&f, &[Value::Number(1.0)], Duration::from_secs(2)).unwrap_err();
    match err {
        ExtFnError::ArityMismatch { expected, got, .. } => {
            assert_eq!(expected, 2);
            assert_eq!(got, 1);
        }
        other => panic!("expected ArityMismatch, got {other:?}"),
    }
}

#[test]
fn type_mismatch_without_python() {
    let f = add_fn();
    let err = eval(
        &f,
        &[Value::Number(1.0), Value::Text("nope".into())],
        Duration::from_secs(2),
    )
    .unwrap_err();
    match err {
        ExtFnError::TypeMismatch {
            position, expected, ..
        } => {
            assert_eq!(position, 1);
            assert_eq!(expected, ValueType::Number);
        }
        other => panic!("expected TypeMismatch, got {other:?}"),
    }
}

// ---- Python-dependent tests (guarded) ----

/// True if `python3` runs under the host sandbox policy. Python tests
/// early-return (logging a skip) when false, so CI without Python, or
/// without `bwrap` (where `Restricted` fails closed), still passes.
fn python_available() -> bool {
    let is_there = crate::runner::run_interpreter(
        "python3",
        &["-I", "-S", "-"],
        "print(1)",
        Duration::from_secs(5),
        "python",
        crate::sandbox::policy_for(),
    )
    .is_ok_and(|o| o.stdout.trim() == "1");
    required("python", is_there)
}

#[test]
fn python_add_numbers() {
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    let mut reg = Registry::new().with_timeout(Duration::from_secs(2));
    reg.register(add_fn());
    let out = reg
        .eval("add", &[Value::Number(2.0), Value::Number(3.0)])
        .expect("eval");
    assert_eq!(out, Value::Number(5.0));
}

#[test]
fn python_text_function() {
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    let f = ExternalFn {
        name: "shout".into(),
        language: Language::Python,
        body: "result = args[0].upper() + '!'".into(),
        arg_types: vec![ValueType::Text],
        return_type: ValueType::Text,
        pure: true,
    };
    let out = eval(&f, &[Value::Text("hi".into())], Duration::from_secs(2)).expect("eval");
    assert_eq!(out, Value::Text("HI!".into()));
}

#[test]
fn python_raises_is_runtime_error() {
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    let f = ExternalFn {
        name: "boom".into(),
        language: Language::Python,
        body: "raise ValueError('nope')".into(),
        arg_types: vec![],
        return_type: ValueType::Number,
        pure: true,
    };
    let err = eval(&f, &[], Duration::from_secs(2)).unwrap_err();
    match err {
        ExtFnError::Runtime { message, .. } => assert!(message.contains("ValueError")),
        other => panic!("expected Runtime, got {other:?}"),
    }
}

#[test]
fn python_return_type_mismatch() {
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    // Declares Number but returns a string.
    let f = ExternalFn {
        name: "liar".into(),
        language: Language::Python,
        body: "result = 'not a number'".into(),
        arg_types: vec![],
        return_type: ValueType::Number,
        pure: true,
    };
    let err = eval(&f, &[], Duration::from_secs(2)).unwrap_err();
    assert!(matches!(err, ExtFnError::Runtime { .. }));
}

#[test]
fn python_infinite_loop_times_out() {
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    let f = ExternalFn {
        name: "spin".into(),
        language: Language::Python,
        body: "while True:\n    pass".into(),
        arg_types: vec![],
        return_type: ValueType::Number,
        pure: true,
    };
    let start = std::time::Instant::now();
    let err = eval(&f, &[], Duration::from_secs(2)).unwrap_err();
    assert!(matches!(err, ExtFnError::Timeout(_)), "got {err:?}");
    // Killed near the deadline, not hung forever.
    assert!(start.elapsed() < Duration::from_secs(8));
}
