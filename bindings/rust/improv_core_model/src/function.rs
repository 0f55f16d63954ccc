// SPDX-License-Identifier: MIT
//! A function descriptor: data of a model, written by its author.
use crate::ValueType;

/// The language of a function's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Python 3.9 or newer.
    Python,
    /// R 4.0 or newer.
    R,
    /// Julia 1.5 to 1.12.
    Julia,
    /// WebAssembly: `wat:` and text, `base64:` and bytes, or the path of a module.
    Wasm,
    /// Pure 0.64 or newer.
    Pure,
}

/// A function in another language: what it takes to check a call and to make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalFn {
    /// Its name.
    pub name: String,
    /// The language of `body`.
    pub language: Language,
    /// The author's text; it finds its arguments in `args` and sets `result`.
    pub body: String,
    /// Types of the arguments, in order.
    pub arg_types: Vec<ValueType>,
    /// The type that the result is checked against.
    pub return_type: ValueType,
    /// The author's word that the result depends on the arguments alone. It decides about
    /// caching and warm workers, never about the sandbox.
    pub pure: bool,
}

impl ExternalFn {
    /// How many arguments it takes.
    pub fn arity(&self) -> usize {
        self.arg_types.len()
    }
}
