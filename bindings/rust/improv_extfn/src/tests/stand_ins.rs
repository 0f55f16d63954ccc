// SPDX-License-Identifier: MIT
//! Internal helpers of the predecessor that its tests use, as thin as can be over what this crate
//! has in their place.
use crate::*;
use improv_core_model::{Value, ValueType};
use std::time::Duration;

/// A Python function without arguments that runs this program and gives 1.
fn program(text: &str) -> ExternalFn {
    ExternalFn {
        name: "program".into(),
        language: Language::Python,
        body: format!("{text}\nresult = 1"),
        arg_types: vec![],
        return_type: ValueType::Number,
        pure: false,
    }
}

fn run(options: &HostOptions, text: &str, timeout: Duration) -> Result<Output, ExtFnError> {
    let host = Host::new(options)?;
    let function = Function::new(&program(text), &FnOptions::default())?;
    let call = CallOptions {
        timeout: Some(timeout),
        ..CallOptions::default()
    };
    let (result, output) = host.eval_output(&function, &[], &call);
    assert_eq!(result?, Value::Number(1.0));
    Ok(output)
}

pub(crate) mod runner {
    use super::*;

    pub(crate) struct Captured {
        pub(crate) stdout: String,
    }

    /// There, it starts the interpreter with these arguments; here a worker always does.
    pub(crate) fn run_interpreter(
        binary: &str,
        _args: &[&str],
        program: &str,
        timeout: Duration,
        language: &str,
        policy: SandboxPolicy,
    ) -> Result<Captured, ExtFnError> {
        assert_eq!((binary, language), ("python3", "python"));
        let options = HostOptions {
            policy,
            ..HostOptions::from_environment()
        };
        let output = run(&options, program, timeout)?;
        Ok(Captured {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        })
    }
}

pub(crate) mod python {
    use super::*;

    pub(crate) fn eval_with(
        f: &ExternalFn,
        args: &[Value],
        timeout: Duration,
        policy: SandboxPolicy,
    ) -> Result<Value, ExtFnError> {
        assert_eq!(f.language, Language::Python);
        crate::registry::eval_with(f, &FnOptions::default(), args, timeout, policy)
    }
}

/// Looks like the command that the predecessor confines by limits alone; its `-c` text runs as a
/// body where bubblewrap is not found and the operator allowed that.
pub(crate) struct UnsandboxedCommand {
    args: Vec<String>,
}

pub(crate) fn apply_unsandboxed_for_test(command: std::process::Command) -> UnsandboxedCommand {
    assert_eq!(command.get_program(), "python3");
    UnsandboxedCommand { args: Vec::new() }
}

impl UnsandboxedCommand {
    pub(crate) fn args<'a>(&mut self, args: impl IntoIterator<Item = &'a str>) {
        self.args.extend(args.into_iter().map(String::from));
    }

    pub(crate) fn output(&self) -> Result<std::process::Output, ExtFnError> {
        use std::os::unix::process::ExitStatusExt;
        let text = self.args.last().expect("a program");
        let options = HostOptions {
            search_path: Some("/nonexistent".into()),
            allow_unsandboxed: true,
            ..HostOptions::from_environment()
        };
        let output = run(&options, text, Duration::from_secs(10))?;
        assert!(output.unsandboxed, "bubblewrap was found in /nonexistent");
        Ok(std::process::Output {
            status: std::process::ExitStatus::from_raw(0),
            stdout: output.stdout,
            stderr: output.stderr,
        })
    }
}
