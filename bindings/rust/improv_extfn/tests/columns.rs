// SPDX-License-Identifier: MIT
//! Columns: many rows in one call.
mod common;
use common::{host, named, one_number, python, wasm};
use improv_core_model::{Value, ValueError, ValueErrorKind, ValueType};
use improv_extfn::*;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn threads_share_a_host_a_function_and_a_column() {
    let Some((host, square)) = wasm() else { return };
    let numbers = Column::from_numbers(&[1.0, 2.0, 3.0]).expect("a column");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let squares = host.apply(&square, &[&numbers], &CallOptions::default());
                    assert_eq!(
                        squares.expect("a column").numbers(),
                        Some(&[1.0, 4.0, 9.0][..])
                    );
                }
            });
        }
    });
}

#[test]
fn a_column_and_a_host_go_to_another_thread_and_end_there() {
    let Some((host, square)) = wasm() else { return };
    let numbers = Column::from_numbers(&[4.0]).expect("a column");
    let there = std::thread::spawn(move || {
        host.apply(&square, &[&numbers], &CallOptions::default())
            .expect("a column")
    });
    assert_eq!(
        there.join().expect("no panic").get(0),
        Some(Value::Number(16.0))
    );
}

#[test]
fn a_row_that_fails_fails_alone() {
    let Some(host) = python() else { return };
    let inverse = named("result = 1 / x");
    let rows = [
        Value::Number(2.0),
        Value::Number(0.0),
        Value::Error(ValueError::new(ValueErrorKind::MissingInput)),
    ];
    let column = Column::from_values(ValueType::Number, &rows).expect("a column");
    let result = host
        .apply(&inverse, &[&column], &CallOptions::default())
        .expect("a column");
    assert_eq!(result.numbers(), Some(&[0.5, 0.0, 0.0][..]));
    assert_eq!(result.error_count(), 2);
    assert_eq!(
        result.error_message(1).as_deref(),
        Some("ZeroDivisionError: float division by zero (line 1)")
    );
    assert_eq!(result.get(2), Some(rows[2].clone()));
    assert_eq!(result.error_message(2).as_deref(), Some("missing input"));
}

#[test]
fn a_function_without_arguments_is_told_its_rows() {
    let Some(host) = python() else { return };
    let mut seven = one_number(Language::Python, "result = 7");
    seven.arg_types.clear();
    let seven = Function::new(&seven, &FnOptions::default()).expect("a function");
    let options = CallOptions {
        rows: 3,
        ..CallOptions::default()
    };
    let result = host.apply(&seven, &[], &options).expect("a column");
    assert_eq!(result.numbers(), Some(&[7.0; 3][..]));
}

#[test]
fn columns_that_do_not_fit_are_told_as_arguments_are() {
    let (host, double) = (host(), named("result = 2 * x"));
    let error = host
        .apply(&double, &[], &CallOptions::default())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "function f: expected 1 argument(s), got 0"
    );
    let texts = Column::new(ValueType::Text).expect("a column");
    let error = host
        .apply(&double, &[&texts], &CallOptions::default())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "function f: argument 0 type mismatch, expected Number, got Some(Text)"
    );
    let cell = error_value("why");
    let error = host
        .eval(&double, &[cell], &CallOptions::default())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "function f: argument 0 type mismatch, expected Number, got None"
    );
}

#[test]
fn a_vectorized_body_gets_columns() {
    let Some(host) = python() else { return };
    let options = FnOptions {
        vectorized: true,
        ..FnOptions::default()
    };
    let f = one_number(Language::Python, "result = [2 * x for x in args[0]]");
    let double = Function::new(&f, &options).expect("a function");
    let column = Column::from_numbers(&[1.0, 2.0]).expect("a column");
    let result = host
        .apply(&double, &[&column], &CallOptions::default())
        .expect("a column");
    assert_eq!(result.numbers(), Some(&[2.0, 4.0][..]));
}

#[test]
fn progress_is_told_up_to_all_rows() {
    let Some((host, square)) = wasm() else { return };
    let column = Column::from_numbers(&[3.0; 1000]).expect("a column");
    let last = AtomicUsize::new(0);
    let on_progress = |done, total| {
        assert_eq!(total, 1000);
        last.fetch_max(done, Ordering::Relaxed);
    };
    let options = CallOptions {
        on_progress: Some(&on_progress),
        chunk_rows: 100,
        ..CallOptions::default()
    };
    host.apply(&square, &[&column], &options).expect("a column");
    assert_eq!(last.into_inner(), 1000);
}

#[test]
fn a_panic_while_progress_is_told_goes_on_after_the_call() {
    let Some((host, square)) = wasm() else { return };
    let column = Column::from_numbers(&[3.0; 10]).expect("a column");
    let told = AtomicUsize::new(0);
    let on_progress = |_, _| {
        told.fetch_add(1, Ordering::Relaxed);
        panic!("seen");
    };
    let options = CallOptions {
        on_progress: Some(&on_progress),
        chunk_rows: 1,
        ..CallOptions::default()
    };
    let call = std::panic::AssertUnwindSafe(|| host.apply(&square, &[&column], &options));
    let panic = std::panic::catch_unwind(call).expect_err("a panic");
    assert_eq!(panic.downcast_ref(), Some(&"seen"));
    assert_eq!(told.into_inner(), 1);
    host.apply(&square, &[&column], &CallOptions::default())
        .expect("the host goes on");
}
