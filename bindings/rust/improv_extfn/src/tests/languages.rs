// SPDX-License-Identifier: MIT
//! R, Julia, Pure and WebAssembly.
use super::*;

// ---- Interpreter availability probe (shared) ----

/// True if a trivial `language` body (`body` sets `result` to 1) runs
/// under the host sandbox policy, like [`python_available`]. R/Julia/Pure
/// tests early-return (logging a skip) when false: the interpreter is
/// missing, or `Restricted` fails closed (no working `bwrap`), or it is
/// too slow to start within `timeout`.
fn sandboxed_available(language: Language, body: &str, timeout: Duration) -> bool {
    let probe = ExternalFn {
        name: "probe".into(),
        language,
        body: body.into(),
        arg_types: vec![],
        return_type: ValueType::Number,
        pure: true,
    };
    let is_there = eval(&probe, &[], timeout).is_ok_and(|v| v == Value::Number(1.0));
    required(&format!("{language:?}").to_lowercase(), is_there)
}

// ---- R (guarded) ----

#[test]
fn r_hypot() {
    if !sandboxed_available(Language::R, "result <- 1", Duration::from_secs(10)) {
        println!("skipped: Rscript not found (or no sandbox)");
        return;
    }
    let f = ExternalFn {
        name: "hyp".into(),
        language: Language::R,
        body: "result <- sqrt(args[[1]]^2 + args[[2]]^2)".into(),
        arg_types: vec![ValueType::Number, ValueType::Number],
        return_type: ValueType::Number,
        pure: true,
    };
    let out = eval(
        &f,
        &[Value::Number(3.0), Value::Number(4.0)],
        Duration::from_secs(10),
    )
    .expect("eval");
    assert_eq!(out, Value::Number(5.0));
}

// ---- Julia (guarded) ----

#[test]
fn julia_sum() {
    if !sandboxed_available(Language::Julia, "    result = 1", Duration::from_secs(30)) {
        println!("skipped: julia not found (or no sandbox)");
        return;
    }
    let f = ExternalFn {
        name: "add".into(),
        language: Language::Julia,
        body: "    result = args[1] + args[2]".into(),
        arg_types: vec![ValueType::Number, ValueType::Number],
        return_type: ValueType::Number,
        pure: true,
    };
    let out = eval(
        &f,
        &[Value::Number(2.0), Value::Number(40.0)],
        Duration::from_secs(30),
    )
    .expect("eval");
    assert_eq!(out, Value::Number(42.0));
}

// ---- Pure-lang (guarded) ----

#[test]
fn pure_sum() {
    if !sandboxed_available(Language::Pure, "let result = 1;", Duration::from_secs(10)) {
        println!("skipped: pure not found (or no sandbox)");
        return;
    }
    let f = ExternalFn {
        name: "add".into(),
        language: Language::Pure,
        body: "let result = args!0 + args!1;".into(),
        arg_types: vec![ValueType::Number, ValueType::Number],
        return_type: ValueType::Number,
        pure: true,
    };
    let out = eval(
        &f,
        &[Value::Number(19.0), Value::Number(23.0)],
        Duration::from_secs(10),
    )
    .expect("eval");
    assert_eq!(out, Value::Number(42.0));
}

// ---- WASM (no external tool; wasmi + wat assembled at test time) ----

/// True if this build has the engine.
fn wasm_available() -> bool {
    let body = "wat:(module (func (export \"improv_call\") (result f64) f64.const 1))";
    sandboxed_available(Language::Wasm, body, Duration::from_secs(5))
}

#[test]
fn wasm_doubles_input() {
    if !wasm_available() {
        println!("skipped: the engine of WebAssembly is not in this build");
        return;
    }
    // A 3-line module exporting `improv_call(f64) -> f64` = x + x.
    let wat = "(module (func (export \"improv_call\") (param f64) (result f64) \
         local.get 0 local.get 0 f64.add))";
    let f = ExternalFn {
        name: "double".into(),
        language: Language::Wasm,
        body: format!("wat:{wat}"),
        arg_types: vec![ValueType::Number],
        return_type: ValueType::Number,
        pure: true,
    };
    let out = eval(&f, &[Value::Number(21.0)], Duration::from_secs(5)).expect("eval");
    assert_eq!(out, Value::Number(42.0));
}

#[test]
fn wasm_two_args() {
    if !wasm_available() {
        println!("skipped: the engine of WebAssembly is not in this build");
        return;
    }
    // a*a + b*b, exercising a 2-arg numeric ABI.
    let wat = "(module (func (export \"improv_call\") (param f64 f64) (result f64) \
         local.get 0 local.get 0 f64.mul local.get 1 local.get 1 f64.mul f64.add))";
    let f = ExternalFn {
        name: "sqsum".into(),
        language: Language::Wasm,
        body: format!("wat:{wat}"),
        arg_types: vec![ValueType::Number, ValueType::Number],
        return_type: ValueType::Number,
        pure: true,
    };
    let out = eval(
        &f,
        &[Value::Number(3.0), Value::Number(4.0)],
        Duration::from_secs(5),
    )
    .expect("eval");
    assert_eq!(out, Value::Number(25.0));
}

#[test]
fn wasm_missing_export_is_runtime_error() {
    if !wasm_available() {
        println!("skipped: the engine of WebAssembly is not in this build");
        return;
    }
    let f = ExternalFn {
        name: "nope".into(),
        language: Language::Wasm,
        body: "wat:(module)".into(),
        arg_types: vec![],
        return_type: ValueType::Number,
        pure: true,
    };
    let err = eval(&f, &[], Duration::from_secs(5)).unwrap_err();
    match err {
        ExtFnError::Runtime { message, .. } => assert!(message.contains("improv_call")),
        other => panic!("expected Runtime, got {other:?}"),
    }
}

#[test]
fn wasm_rejects_non_numeric_abi() {
    if !wasm_available() {
        println!("skipped: the engine of WebAssembly is not in this build");
        return;
    }
    let f = ExternalFn {
        name: "bad".into(),
        language: Language::Wasm,
        body: "wat:(module)".into(),
        arg_types: vec![ValueType::Text],
        return_type: ValueType::Text,
        pure: true,
    };
    let err = eval(&f, &[Value::Text("x".into())], Duration::from_secs(5)).unwrap_err();
    assert!(matches!(err, ExtFnError::Runtime { .. }), "got {err:?}");
}

// ---- Unavailable runtime does not panic ----

#[test]
fn absent_interpreter_is_error_not_panic() {
    // A language whose interpreter may not be installed yields an error, not
    // a panic. If the runtime happens to be present, a benign body still
    // succeeds — either way, no panic.
    for lang in [Language::R, Language::Julia, Language::Pure] {
        let body = match lang {
            Language::R => "result <- 1",
            Language::Julia => "    result = 1",
            Language::Pure => "let result = 1;",
            _ => unreachable!(),
        };
        let f = ExternalFn {
            name: "probe".into(),
            language: lang,
            body: body.into(),
            arg_types: vec![],
            return_type: ValueType::Number,
            pure: true,
        };
        // Must return a Result (no panic); Ok or Err both acceptable.
        let _ = eval(&f, &[], Duration::from_secs(5));
    }
}
