// SPDX-License-Identifier: MIT
//! Hosts and functions that these tests share, and how they skip.
#![allow(dead_code)] // each program uses some of it
use improv_core_model::ValueType;
use improv_extfn::*;

const WASM_SQUARE: &str = "wat:(module (func (export \"improv_call\") (param f64) (result f64) \
     local.get 0 local.get 0 f64.mul))";

pub fn one_number(language: Language, body: &str) -> ExternalFn {
    ExternalFn {
        name: "f".into(),
        language,
        body: body.into(),
        arg_types: vec![ValueType::Number],
        return_type: ValueType::Number,
        pure: true,
    }
}

pub fn named(body: &str) -> Function {
    let options = FnOptions {
        arg_names: vec!["x".into()],
        ..FnOptions::default()
    };
    Function::new(&one_number(Language::Python, body), &options).expect("a function")
}

pub fn host() -> Host {
    Host::new(&HostOptions::from_environment()).expect("a host object")
}

/// Python under the host's policy, or a skip, which `EXTFN_TEST_REQUIRE` makes a failure.
pub fn python() -> Option<Host> {
    let host = host();
    match host.check(&named("result = x"), &CallOptions::default()) {
        Ok(()) => Some(host),
        Err(error) => skip("python", error),
    }
}

pub fn wasm() -> Option<(Host, Function)> {
    let host = host();
    let square = one_number(Language::Wasm, WASM_SQUARE);
    let square = Function::new(&square, &FnOptions::default()).expect("a function");
    match host.check(&square, &CallOptions::default()) {
        Ok(()) => Some((host, square)),
        Err(error) => skip("wasm", error),
    }
}

pub fn skip<T>(name: &str, error: ExtFnError) -> Option<T> {
    let required = std::env::var("EXTFN_TEST_REQUIRE").unwrap_or_default();
    assert!(
        !required.split(',').any(|word| word == name),
        "{name} is required: {error}"
    );
    println!("skipped: {name}: {error}");
    None
}
