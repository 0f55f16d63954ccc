// SPDX-License-Identifier: MIT
//! A function over measures: joined on the dimensions that they share.
mod common;
use common::{host, skip};
use improv_core_model::{Value, ValueError, ValueErrorKind, ValueType};
use improv_extfn::*;

/// x / y, in WebAssembly, or a skip.
fn divide() -> Option<(Host, Function)> {
    let body = "wat:(module (func (export \"improv_call\") (param f64 f64) (result f64) \
         local.get 0 local.get 1 f64.div))";
    let f = ExternalFn {
        name: "divide".into(),
        language: Language::Wasm,
        body: body.into(),
        arg_types: vec![ValueType::Number; 2],
        return_type: ValueType::Number,
        pure: true,
    };
    let (host, function) = (host(), Function::new(&f, &FnOptions::default()));
    let function = function.expect("a function");
    match host.check(&function, &CallOptions::default()) {
        Ok(()) => Some((host, function)),
        Err(error) => skip("wasm", error),
    }
}

fn numbers(numbers: &[f64]) -> Column {
    Column::from_numbers(numbers).expect("a column")
}

#[test]
fn measures_are_joined_and_broadcast_and_sorted() {
    let Some((host, divide)) = divide() else {
        return;
    };
    let missing = Value::Error(ValueError::new(ValueErrorKind::MissingInput));
    let sales = [Value::Number(6.0), missing.clone(), Value::Number(8.0)];
    let sales = Column::from_values(ValueType::Number, &sales).expect("a column");
    let days = numbers(&[2.0, 4.0]);
    let args = [
        Measure {
            dimensions: vec!["product", "month"],
            items: vec![&[2, 1, 1], &[7, 7, 9]],
            values: &sales,
        },
        Measure {
            dimensions: vec!["month"],
            items: vec![&[7, 8]],
            values: &days,
        },
    ];
    let options = CallOptions::default();
    let cells = host.refresh(&divide, &args, &options).expect("cells");
    let measure = cells.measure();
    assert_eq!(measure.dimensions, ["product", "month"]);
    assert_eq!(measure.items, [&[1, 2], &[7, 7]]);
    let values: Vec<_> = measure.values.iter().collect();
    assert_eq!(values, [missing, Value::Number(3.0)]);

    // What was made is an argument like any other, and outlives what it was made of.
    drop(days);
    let again = [cells.measure(), cells.measure()];
    let again = host.refresh(&divide, &again, &options).expect("cells");
    drop(cells);
    assert_eq!(again.measure().values.get(1), Some(Value::Number(1.0)));
}

#[test]
fn without_dimensions_there_is_one_cell_and_without_partners_none() {
    let Some((host, divide)) = divide() else {
        return;
    };
    let (one, two) = (numbers(&[1.0]), numbers(&[2.0]));
    let scalar = |values| Measure {
        dimensions: vec![],
        items: vec![],
        values,
    };
    let at = |item, values| Measure {
        dimensions: vec!["d"],
        items: vec![item],
        values,
    };
    let options = CallOptions::default();
    let cells = host.refresh(&divide, &[scalar(&one), scalar(&two)], &options);
    let cells = cells.expect("cells");
    assert_eq!(cells.measure().values.numbers(), Some(&[0.5][..]));
    let cells = host.refresh(&divide, &[at(&[1], &one), at(&[2], &two)], &options);
    let cells = cells.expect("cells");
    assert!(cells.measure().values.is_empty());
    assert_eq!(cells.measure().items, [&[0u32; 0][..]]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let Some((host, divide)) = divide() else {
        return;
    };
    let (one, two) = (numbers(&[1.0]), numbers(&[2.0, 3.0]));
    let measure = |dimensions, items, values| Measure {
        dimensions,
        items,
        values,
    };
    for (bad, text) in [
        (
            measure(vec!["d"], vec![&[1][..]], &two),
            "argument 0: 1 item(s) of dimension 'd' for 2 value(s)",
        ),
        (
            measure(vec!["d"], vec![], &one),
            "argument 0: 1 dimension(s), but items of 0",
        ),
        (
            measure(vec!["d\0"], vec![&[1][..]], &one),
            "dimensions: has U+0000 in it",
        ),
        (measure(vec!["d"], vec![&[5, 5][..]], &two), "5"),
    ] {
        let args = [bad, measure(vec![], vec![], &one)];
        let error = host.refresh(&divide, &args, &CallOptions::default());
        let error = error.unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    let error = host.refresh(&divide, &[], &CallOptions::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "function divide: expected 2 argument(s), got 0"
    );
}
