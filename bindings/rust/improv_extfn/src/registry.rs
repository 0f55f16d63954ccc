// SPDX-License-Identifier: MIT
//! Functions by name, and evaluation as the predecessor has it: a descriptor, arguments, a limit.
use std::collections::HashMap;
use std::time::Duration;

use improv_core_model::{ExternalFn, Value};

use crate::host::{check_args, DEFAULT_TIMEOUT};
use crate::{sandbox, shared, CallOptions, ExtFnError, FnOptions, Function, SandboxPolicy};

/// Descriptors by name, and the time limit of one evaluation.
#[derive(Debug, Clone)]
pub struct Registry {
    functions: HashMap<String, (ExternalFn, FnOptions)>,
    timeout: Duration,
}

/// As [`Registry::new`].
impl Default for Registry {
    fn default() -> Self {
        Registry::new()
    }
}

impl Registry {
    /// No functions, and a time limit of 5 s.
    pub fn new() -> Self {
        Registry {
            functions: HashMap::new(),
            timeout: DEFAULT_TIMEOUT,
        }
    }

    /// The same with another time limit.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The time limit of one evaluation.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Adds the function under its name, and returns the one that it replaces.
    pub fn register(&mut self, f: ExternalFn) -> Option<ExternalFn> {
        self.register_with(f, FnOptions::default())
    }

    /// The same for a function with names of its arguments and so on.
    pub fn register_with(&mut self, f: ExternalFn, options: FnOptions) -> Option<ExternalFn> {
        let former = self.functions.insert(f.name.clone(), (f, options));
        former.map(|(former, _)| former)
    }

    /// The function of this name.
    pub fn get(&self, name: &str) -> Option<&ExternalFn> {
        self.functions.get(name).map(|(f, _)| f)
    }

    /// How many functions there are.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The function of this name, ready for a [`Host`](crate::Host): for columns, limits and output.
    pub fn function(&self, name: &str) -> Result<Function, ExtFnError> {
        let (f, options) = self.entry(name)?;
        Function::new(f, options)
    }

    /// Evaluates the function of this name, under the policy that the operator sets.
    pub fn eval(&self, name: &str, args: &[Value]) -> Result<Value, ExtFnError> {
        let (f, options) = self.entry(name)?;
        eval_with(f, options, args, self.timeout, sandbox::policy_for())
    }

    fn entry(&self, name: &str) -> Result<&(ExternalFn, FnOptions), ExtFnError> {
        self.functions
            .get(name)
            .ok_or_else(|| ExtFnError::NotFound(name.to_string()))
    }
}

/// Evaluates one function on these arguments, within this time.
///
/// Number and types of the arguments are checked first, which starts nothing; then the language
/// runs, under the policy that the operator sets (`IMPROV_EXTFN_TRUSTED`); then the result is
/// checked against `return_type`. Workers of pure functions stay warm in the process; who wants
/// other limits, columns, or an end of all workers uses a [`Host`](crate::Host).
///
/// ```no_run
/// use improv_core_model::{Value, ValueType};
/// use improv_extfn::{eval, ExternalFn, Language};
/// use std::time::Duration;
///
/// let add = ExternalFn {
///     name: "add".into(),
///     language: Language::Python,
///     body: "result = args[0] + args[1]".into(),
///     arg_types: vec![ValueType::Number, ValueType::Number],
///     return_type: ValueType::Number,
///     pure: true,
/// };
/// let sum = eval(&add, &[Value::Number(2.0), Value::Number(3.0)], Duration::from_secs(2))?;
/// assert_eq!(sum, Value::Number(5.0));
/// # Ok::<(), improv_extfn::ExtFnError>(())
/// ```
pub fn eval(f: &ExternalFn, args: &[Value], timeout: Duration) -> Result<Value, ExtFnError> {
    eval_with(
        f,
        &FnOptions::default(),
        args,
        timeout,
        sandbox::policy_for(),
    )
}

/// The same under a given policy.
pub(crate) fn eval_with(
    f: &ExternalFn,
    options: &FnOptions,
    args: &[Value],
    timeout: Duration,
    policy: SandboxPolicy,
) -> Result<Value, ExtFnError> {
    check_args(&f.name, &f.arg_types, args)?;
    let function = Function::new(f, options)?;
    let call = CallOptions {
        timeout: Some(timeout),
        ..CallOptions::default()
    };
    shared::host(policy)?.eval(&function, args, &call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use improv_core_model::{Language, ValueType};

    /// The process that evaluated it, or nothing where there is no Python, which other tests tell.
    fn pid(pure: bool) -> Option<Value> {
        let f = ExternalFn {
            name: "pid".into(),
            language: Language::Python,
            body: format!("import os\nresult = os.getpid() # {pure}"),
            arg_types: vec![],
            return_type: ValueType::Number,
            pure,
        };
        let limit = Duration::from_secs(10);
        eval_with(
            &f,
            &FnOptions::default(),
            &[],
            limit,
            SandboxPolicy::Trusted,
        )
        .ok()
    }

    #[test]
    fn descriptors_that_are_alike_meet_one_warm_worker() {
        assert_eq!(pid(true), pid(true));
    }

    #[test]
    fn an_impure_function_has_a_process_for_each_call() {
        let (first, second) = (pid(false), pid(false));
        assert!(first != second || first.is_none(), "{first:?}");
    }
}
