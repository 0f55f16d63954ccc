// SPDX-License-Identifier: MIT
//! The host object: policy, limits and warm workers.
use std::fmt;
use std::time::Duration;

use improv_core_model::{Value, ValueType};

use crate::sys::{CancelHandle, HostHandle};
use crate::{
    CallOptions, Cells, Column, ExtFnError, Function, HostOptions, Measure, Output, Stats,
};

/// What a row may take unless anybody says otherwise.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

/// Evaluates functions, by policy and limits of its own; keeps workers warm. Any number of threads
/// may use one at once. Dropping it ends every worker and waits until nothing of them is left.
/// A forked child cannot use it: there each call fails.
pub struct Host {
    handle: HostHandle,
    timeout: Duration,
}

impl Host {
    /// Starts nothing yet. Fails for options out of range.
    pub fn new(options: &HostOptions) -> Result<Self, ExtFnError> {
        let timeout = options.timeout.unwrap_or(DEFAULT_TIMEOUT);
        Ok(Host {
            handle: HostHandle::new(options)?,
            timeout,
        })
    }

    /// Evaluates once. Number and types of the arguments are checked before anything starts.
    pub fn eval(
        &self,
        function: &Function,
        args: &[Value],
        options: &CallOptions,
    ) -> Result<Value, ExtFnError> {
        self.eval_output(function, args, options).0
    }

    /// The same, and what the body printed.
    pub fn eval_output(
        &self,
        function: &Function,
        args: &[Value],
        options: &CallOptions,
    ) -> (Result<Value, ExtFnError>, Output) {
        if let Err(error) = check_args(&function.name(), &function.arg_types(), args) {
            return (Err(error), Output::default());
        }
        let (result, output) = self.handle.eval(function.handle(), args, options);
        (self.told(result, &output, options), output)
    }

    /// Evaluates every row of the columns, in order. Fails for what is wrong with the function or
    /// the request as a whole; a row that fails is an error in the result, and a row with an error
    /// among its arguments is not evaluated: the leftmost is its result.
    pub fn apply(
        &self,
        function: &Function,
        columns: &[&Column],
        options: &CallOptions,
    ) -> Result<Column, ExtFnError> {
        self.apply_output(function, columns, options).0
    }

    /// The same, and what the body printed.
    pub fn apply_output(
        &self,
        function: &Function,
        columns: &[&Column],
        options: &CallOptions,
    ) -> (Result<Column, ExtFnError>, Output) {
        let types: Vec<_> = columns
            .iter()
            .map(|column| Some(column.value_type()))
            .collect();
        if let Err(error) = check_types(&function.name(), &function.arg_types(), &types) {
            return (Err(error), Output::default());
        }
        let rows = columns.first().map_or(options.rows, |column| column.len());
        let handles: Vec<_> = columns.iter().map(|column| column.handle()).collect();
        let (result, output) = self
            .handle
            .apply(function.handle(), &handles, rows, options);
        (
            self.told(result, &output, options).map(Column::owning),
            output,
        )
    }

    /// Joins one measure for each argument on the dimensions that they share (a measure over fewer
    /// dimensions counts for all items of the others), evaluates the function once for all cells
    /// that all of them have, and gives a measure over all dimensions, in the order in which they
    /// first appear, sorted by coordinate. A cell that fails is an error among the values.
    ///
    /// Fails before anything runs for a coordinate that a measure has twice, and for more than
    /// 100,000,000 cells.
    pub fn refresh(
        &self,
        function: &Function,
        args: &[Measure],
        options: &CallOptions,
    ) -> Result<Cells, ExtFnError> {
        let types: Vec<_> = args
            .iter()
            .map(|measure| Some(measure.values.value_type()))
            .collect();
        check_types(&function.name(), &function.arg_types(), &types)?;
        let (result, output) = self.handle.refresh(function.handle(), args, options);
        self.told(result, &output, options).map(Cells::owning)
    }

    /// Compiles the function in a worker, without running it.
    pub fn check(&self, function: &Function, options: &CallOptions) -> Result<(), ExtFnError> {
        let result = self.handle.check(function.handle(), options);
        self.told(result, &Output::default(), options)
    }

    /// Whether the sandbox that the policy demands can be had; if not, why and what to do.
    pub fn probe_sandbox(&self) -> Result<(), ExtFnError> {
        Ok(self.handle.probe_sandbox()?)
    }

    /// What it has done so far.
    pub fn stats(&self) -> Stats {
        self.handle.stats()
    }

    fn told<T>(
        &self,
        result: Result<T, crate::sys::Failure>,
        output: &Output,
        options: &CallOptions,
    ) -> Result<T, ExtFnError> {
        let limit = options.timeout.unwrap_or(self.timeout);
        result.map_err(|failure| ExtFnError::of_call(failure, &output.stderr, limit))
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

/// Ends every call that was given it, now and later. Any thread may trigger it.
pub struct Cancel(CancelHandle);

impl Cancel {
    /// One that is not triggered.
    pub fn new() -> Result<Self, ExtFnError> {
        Ok(Cancel(CancelHandle::new()?))
    }

    /// The calls end with a Runtime error, `canceled by the host`.
    pub fn trigger(&self) {
        self.0.trigger();
    }

    pub(crate) fn handle(&self) -> &CancelHandle {
        &self.0
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cancel")
    }
}

/// Number and types of arguments, in the contract's order.
pub(crate) fn check_args(
    name: &str,
    expected: &[ValueType],
    args: &[Value],
) -> Result<(), ExtFnError> {
    let types: Vec<_> = args.iter().map(Value::type_of).collect();
    check_types(name, expected, &types)
}

fn check_types(
    name: &str,
    expected: &[ValueType],
    got: &[Option<ValueType>],
) -> Result<(), ExtFnError> {
    if got.len() != expected.len() {
        return Err(ExtFnError::ArityMismatch {
            name: name.to_string(),
            expected: expected.len(),
            got: got.len(),
        });
    }
    let pairs = expected.iter().zip(got).enumerate();
    for (position, (&expected, &got)) in pairs {
        if got != Some(expected) {
            return Err(ExtFnError::TypeMismatch {
                name: name.to_string(),
                position,
                expected,
                got,
            });
        }
    }
    Ok(())
}
