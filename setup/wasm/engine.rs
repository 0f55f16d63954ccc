//! Everything that wasmtime's C API exports.
pub use wasmtime_c_api::*;
