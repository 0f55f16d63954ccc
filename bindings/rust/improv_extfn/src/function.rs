// SPDX-License-Identifier: MIT
//! Functions ready to be evaluated, and folders of them.
use std::fmt;
use std::path::Path;

use improv_core_model::{ExternalFn, ValueType};

use crate::sys::{FunctionHandle, RegistryHandle};
use crate::{ExtFnError, FnOptions};

/// A descriptor that was checked, ready for a [`Host`](crate::Host). Clones are the same function;
/// threads may share it.
#[derive(Clone)]
pub struct Function(FunctionHandle);

impl Function {
    /// Fails where the descriptor is wrong: a name that is empty or over 255 bytes, a body over
    /// 16 MiB, more than 64 arguments, a name of an argument that the language reserves.
    pub fn new(f: &ExternalFn, options: &FnOptions) -> Result<Self, ExtFnError> {
        Ok(Function(FunctionHandle::new(f, options)?))
    }

    /// Reads a function file, `# extfn: hypot(x: number, y: number) -> number` and the body.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ExtFnError> {
        Ok(Function(FunctionHandle::from_file(path.as_ref())?))
    }

    pub(crate) fn handle(&self) -> &FunctionHandle {
        &self.0
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Types of the arguments, in order.
    pub fn arg_types(&self) -> Vec<ValueType> {
        self.0.arg_types()
    }

    /// The type of the result.
    pub fn return_type(&self) -> ValueType {
        self.0.return_type()
    }

    /// The author's word that the result depends on the arguments alone.
    pub fn is_pure(&self) -> bool {
        self.0.is_pure()
    }

    /// `hypot(x: number, y: number) -> number`, as a function file declares it.
    pub fn signature(&self) -> Result<String, ExtFnError> {
        Ok(self.0.signature()?)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Function({})",
            self.signature().unwrap_or_else(|_| self.name())
        )
    }
}

/// The functions of a folder, in the order of their names.
#[derive(Debug, Clone, Default)]
pub struct Library(Vec<Function>);

impl Library {
    /// Reads a folder of function files, one such file, or a `.json` file of descriptors. The first
    /// file that is bad fails it: `lib/f.py:1: ...`.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ExtFnError> {
        let mut registry = RegistryHandle::new()?;
        registry.load(path.as_ref())?;
        let at = |position| registry.at(position).map(Function);
        Ok(Library((0..).map_while(at).collect()))
    }

    /// The function of this name; where there is none, the error that calling it is.
    pub fn get(&self, name: &str) -> Result<&Function, ExtFnError> {
        let found = self.0.iter().find(|function| function.name() == name);
        found.ok_or_else(|| ExtFnError::NotFound(name.to_string()))
    }

    /// All of them.
    pub fn functions(&self) -> &[Function] {
        &self.0
    }
}
