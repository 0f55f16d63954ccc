// SPDX-License-Identifier: MIT
//! Functions and libraries of them.
use std::ffi::{c_char, CString};
use std::path::Path;
use std::ptr::{null, null_mut, NonNull};

use improv_core_model::{ExternalFn, ValueType};

use super::convert::{language_code, type_code, value_type};
use super::handle::{handle, made};
use super::{abi, attempt, text, Failure};
use crate::FnOptions;

handle! {
    /// One reference to a function, which never changes.
    FunctionHandle(Function) dropped by extfn_function_unref
}

// SAFETY: threads may share a function; references are counted atomically.
unsafe impl Send for FunctionHandle {}
unsafe impl Sync for FunctionHandle {}

impl Clone for FunctionHandle {
    fn clone(&self) -> Self {
        // SAFETY: the function is there; what comes back is the same one, with one reference more.
        let function = unsafe { abi::extfn_function_ref(self.as_ptr()) };
        FunctionHandle(NonNull::new(function).expect("the same function"))
    }
}

impl FunctionHandle {
    pub(crate) fn new(f: &ExternalFn, options: &FnOptions) -> Result<Self, Failure> {
        if !options.arg_names.is_empty() && options.arg_names.len() != f.arity() {
            return Err(Failure::invalid(format!(
                "function {}: {} names for {} argument(s)",
                f.name,
                options.arg_names.len(),
                f.arity()
            )));
        }
        let name = text::for_c(&f.name, "name")?;
        let types: Vec<abi::Type> = f.arg_types.iter().map(|&t| type_code(t)).collect();
        let names = options
            .arg_names
            .iter()
            .map(|name| text::for_c(name, "arg_names"));
        let names = names.collect::<Result<Vec<CString>, Failure>>()?;
        let name_pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let path = options
            .source_path
            .as_ref()
            .map(|path| text::for_c(path, "source_path"));
        let path = path.transpose()?;
        // With a size of 0 the body would be read up to its NUL.
        let body = if f.body.is_empty() { "\0" } else { &f.body };
        let given = abi::FunctionOptions {
            struct_size: std::mem::size_of::<abi::FunctionOptions>(),
            name: name.as_ptr(),
            language: language_code(f.language),
            body: body.as_ptr().cast(),
            body_size: f.body.len(),
            arg_types: types.as_ptr(),
            arg_names: if names.is_empty() {
                null()
            } else {
                name_pointers.as_ptr()
            },
            arg_count: types.len(),
            return_type: type_code(f.return_type),
            is_pure: f.pure,
            is_vectorized: options.vectorized,
            source_path: path.as_ref().map_or(null(), |path| path.as_ptr()),
        };
        // SAFETY: everything that the options point to outlives the call, which copies it.
        made(|function, err| unsafe { abi::extfn_function_new(&given, function, err) })
            .map(FunctionHandle)
    }

    pub(crate) fn from_file(path: &Path) -> Result<Self, Failure> {
        let path = text::for_c(path, "path")?;
        // SAFETY: a text with a NUL at its end.
        made(|function, err| unsafe { abi::extfn_function_from_file(path.as_ptr(), function, err) })
            .map(FunctionHandle)
    }

    pub(crate) fn name(&self) -> String {
        // SAFETY: a text that is the function's.
        unsafe { text::borrowed(abi::extfn_function_name(self.as_ptr())) }
    }

    pub(crate) fn arg_types(&self) -> Vec<ValueType> {
        // SAFETY: positions below the arity.
        unsafe {
            (0..abi::extfn_function_arity(self.as_ptr()))
                .map(|position| value_type(abi::extfn_function_arg_type(self.as_ptr(), position)))
                .collect()
        }
    }

    pub(crate) fn return_type(&self) -> ValueType {
        // SAFETY: the function is there.
        value_type(unsafe { abi::extfn_function_return_type(self.as_ptr()) })
    }

    pub(crate) fn is_pure(&self) -> bool {
        // SAFETY: the function is there.
        unsafe { abi::extfn_function_is_pure(self.as_ptr()) }
    }

    pub(crate) fn signature(&self) -> Result<String, Failure> {
        let mut signature = null_mut();
        // SAFETY: a text with a NUL at its end comes out, which is ours.
        unsafe {
            attempt(|err| abi::extfn_function_signature(self.as_ptr(), &mut signature, err))?;
            Ok(text::taken(signature))
        }
    }
}

handle! {
    /// Functions by name, while they are loaded.
    RegistryHandle(Registry) dropped by extfn_registry_free
}

impl RegistryHandle {
    pub(crate) fn new() -> Result<Self, Failure> {
        // SAFETY: the pointers are good for the call.
        made(|registry, err| unsafe { abi::extfn_registry_new(registry, err) }).map(RegistryHandle)
    }

    pub(crate) fn load(&mut self, path: &Path) -> Result<(), Failure> {
        let path = text::for_c(path, "path")?;
        // SAFETY: a text with a NUL at its end, and nobody to tell of single files.
        attempt(|err| unsafe {
            abi::extfn_registry_load(self.as_ptr(), path.as_ptr(), None, null_mut(), err)
        })
    }

    /// The function at this place in the order of names.
    pub(crate) fn at(&self, position: usize) -> Option<FunctionHandle> {
        // SAFETY: the library looks whether there is such a place, and gives a reference away.
        NonNull::new(unsafe { abi::extfn_registry_at(self.as_ptr(), position) }).map(FunctionHandle)
    }
}
