// SPDX-License-Identifier: MIT
//! Hosts, libraries, limits, output: what the crate has beyond its predecessor.
mod common;
use common::{named, one_number, python, skip};
use improv_core_model::{Value, ValueError, ValueErrorKind};
use improv_extfn::*;
use std::time::Duration;

#[test]
fn all_can_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Host>();
    shared::<Function>();
    shared::<Library>();
    shared::<Column>();
    shared::<Cells>();
    shared::<Measure>();
    shared::<Cancel>();
    shared::<Registry>();
    shared::<ExtFnError>();
}

#[test]
fn what_a_body_prints_comes_with_its_result_and_with_its_error() {
    let Some(host) = python() else { return };
    let body = "import sys\nprint('out')\nprint('err', file=sys.stderr)\nresult = 1 / x";
    let (result, output) =
        host.eval_output(&named(body), &[Value::Number(4.0)], &CallOptions::default());
    assert_eq!(result.expect("a value"), Value::Number(0.25));
    assert_eq!(
        (&output.stdout[..], &output.stderr[..]),
        (&b"out\n"[..], &b"err\n"[..])
    );
    let (result, output) =
        host.eval_output(&named(body), &[Value::Number(0.0)], &CallOptions::default());
    assert_eq!(
        result.unwrap_err().to_string(),
        "runtime error: ZeroDivisionError: float division by zero (line 4)\n\
         --- stderr ---\nerr\n"
    );
    assert_eq!(output.stdout, b"out\n");
}

#[test]
fn canceling_ends_a_call_from_another_thread() {
    let Some(host) = python() else { return };
    let spin = named("while True: pass");
    let cancel = Cancel::new().expect("a cancel object");
    let options = CallOptions {
        cancel: Some(&cancel),
        timeout: Some(Duration::from_secs(60)),
        ..CallOptions::default()
    };
    std::thread::scope(|scope| {
        let call = scope.spawn(|| host.eval(&spin, &[Value::Number(1.0)], &options));
        cancel.trigger();
        match call.join().expect("no panic") {
            Err(ExtFnError::Runtime { message, .. }) => assert_eq!(message, "canceled by the host"),
            other => panic!("expected Runtime, got {other:?}"),
        }
    });
}

#[test]
fn a_timeout_tells_the_limit_as_it_was_given() {
    let Some(host) = python() else { return };
    let limit = Duration::from_millis(300);
    let options = CallOptions {
        timeout: Some(limit),
        ..CallOptions::default()
    };
    let error = host.eval(&named("while True: pass"), &[Value::Number(1.0)], &options);
    assert_eq!(
        error.unwrap_err().to_string(),
        "function timed out after 300ms"
    );
}

#[test]
fn a_pure_function_stays_warm() {
    let Some(host) = python() else { return };
    let double = named("result = 2 * x");
    for x in [1.0, 2.0] {
        let result = host.eval(&double, &[Value::Number(x)], &CallOptions::default());
        assert_eq!(result.expect("a value"), Value::Number(2.0 * x));
    }
    let stats = host.stats();
    assert_eq!(stats.workers_started, 2); // one for the look whether there is Python
    assert_eq!(stats.workers_ended, stats.workers_proven_gone);
}

#[test]
fn nothing_is_left_of_a_dropped_host() {
    let options = HostOptions {
        policy: SandboxPolicy::Trusted,
        ..HostOptions::from_environment()
    };
    let host = Host::new(&options).expect("a host object");
    let pid = named("import os\nresult = os.getpid()");
    if let Err(error) = host.check(&pid, &CallOptions::default()) {
        return skip("python", error).unwrap_or_default();
    }
    let pid = host.eval(&pid, &[Value::Number(1.0)], &CallOptions::default());
    let Ok(Value::Number(pid)) = pid else {
        panic!("expected a number, got {pid:?}")
    };
    let process = std::path::PathBuf::from(format!("/proc/{pid}"));
    assert!(process.exists(), "it is kept warm");
    drop(host);
    assert!(!process.exists());
}

#[test]
fn a_folder_of_function_files_is_a_library() {
    let Some(host) = python() else { return };
    let folder = std::env::temp_dir().join(format!("extfn-rust-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("hypot.py");
    let text = "# extfn: hypot(x: number, y: number) -> number\nresult = (x*x + y*y) ** 0.5\n";
    std::fs::write(&file, text).expect("written");
    let library = Library::load(&folder).expect("a library");
    let alone = Function::from_file(&file).expect("a function");
    std::fs::write(folder.join("bad.py"), "# extfn: bad(x: colour) -> number\n").expect("written");
    let error = Library::load(&folder).unwrap_err();
    std::fs::remove_dir_all(&folder).expect("removed");

    assert!(error.to_string().contains("bad.py:1: "), "{error}");
    let hypot = library.get("hypot").expect("there");
    assert_eq!(
        hypot.signature().expect("a text"),
        alone.signature().expect("a text")
    );
    let args = [Value::Number(3.0), Value::Number(4.0)];
    let result = host
        .eval(hypot, &args, &CallOptions::default())
        .expect("a value");
    assert_eq!(result, Value::Number(5.0));
    assert_eq!(
        library.get("nope").unwrap_err().to_string(),
        "external function not found: nope"
    );
}

#[test]
fn a_registry_binds_names_of_arguments() {
    if python().is_none() {
        return;
    }
    let mut registry = Registry::default();
    let options = FnOptions {
        arg_names: vec!["weight".into()],
        ..FnOptions::default()
    };
    let former = registry.register_with(one_number(Language::Python, "return weight * 2"), options);
    assert_eq!(former, None);
    let result = registry.eval("f", &[Value::Number(4.0)]).expect("a value");
    assert_eq!(result, Value::Number(8.0));
    assert_eq!(registry.function("f").expect("there").name(), "f");
}

#[test]
fn a_bad_descriptor_is_an_error() {
    let double = one_number(Language::Python, "result = 2 * x");
    for (f, names, text) in [
        (
            ExternalFn {
                name: String::new(),
                ..double.clone()
            },
            vec![],
            "name",
        ),
        (
            ExternalFn {
                name: "a\0b".into(),
                ..double.clone()
            },
            vec![],
            "name: has U+0000 in it",
        ),
        (double.clone(), vec!["args".to_string()], "args"),
        (
            double.clone(),
            vec!["x".into(), "y".into()],
            "function f: 2 names for 1 argument(s)",
        ),
    ] {
        let options = FnOptions {
            arg_names: names,
            ..FnOptions::default()
        };
        let error = Function::new(&f, &options).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn an_interpreter_that_is_not_there_is_told_once() {
    let options = HostOptions {
        interpreters: vec![(Language::R, "/nonexistent/Rscript".into())],
        ..HostOptions::from_environment()
    };
    let host = Host::new(&options).expect("a host object");
    let f = Function::new(
        &one_number(Language::R, "result <- 1"),
        &FnOptions::default(),
    );
    let error = host.eval(
        &f.expect("a function"),
        &[Value::Number(1.0)],
        &CallOptions::default(),
    );
    let error = error.unwrap_err();
    assert!(
        matches!(error, ExtFnError::LanguageUnavailable(_)),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .starts_with("language runtime unavailable: R (R): "),
        "{error}"
    );
}

#[test]
fn without_bubblewrap_evaluation_is_refused() {
    let options = HostOptions {
        search_path: Some("/nonexistent".into()),
        ..HostOptions::default()
    };
    let host = Host::new(&options).expect("a host object");
    let error = host.probe_sandbox().unwrap_err();
    assert!(matches!(error, ExtFnError::Sandbox(_)), "{error}");
    assert_eq!(
        error.to_string().matches("sandbox unavailable").count(),
        1,
        "{error}"
    );
}

#[test]
fn json_is_the_librarys() {
    let time = std::time::UNIX_EPOCH - Duration::from_micros(1);
    for (value, json) in [
        (
            Value::Number(f64::NAN),
            r#"{"__improv__":"number","value":"NaN"}"#,
        ),
        (Value::Text("a\"\0".into()), r#""a\"\u0000""#),
        (
            Value::DateTime(time.into()),
            r#"{"__improv__":"datetime","value":"1969-12-31T23:59:59.999999Z"}"#,
        ),
        (
            error_value(ExtFnError::NotFound("f".into())),
            r#"{"__improv__":"error","kind":"custom","message":"external function not found: f"}"#,
        ),
        (
            Value::Error(ValueError::new(ValueErrorKind::DivisionByZero)),
            r#"{"__improv__":"error","kind":"division_by_zero","message":"division by zero"}"#,
        ),
    ] {
        assert_eq!(value_to_json(&value), json);
    }
}
