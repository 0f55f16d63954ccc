// SPDX-License-Identifier: MIT
//! The C API as these crates use it, written by hand after `include/extfn/*.h`. Held against the
//! headers by `layout.rs` (sizes and offsets) and by tests/rust/prototypes.py (functions).
//! Enumerations are integers here: what comes from C may be a number that this file does not know.
#![allow(missing_docs)]
use std::ffi::{c_char, c_int, c_uint, c_void};

pub const MESSAGE_SIZE: usize = 2048;
pub const LANGUAGE_COUNT: usize = 5;

pub type Status = c_int;
pub const OK: Status = 0;
pub const ENOTFOUND: Status = -4;
pub const EUNAVAILABLE: Status = -7;
pub const ETIMEOUT: Status = -9;
pub const ESANDBOX: Status = -10;

pub type Language = c_uint;
pub type Policy = c_uint;

pub type Type = c_uint;
pub const NONE: Type = 0;
pub const NUMBER: Type = 1;
pub const BOOLEAN: Type = 2;
pub const TEXT: Type = 3;
pub const DATETIME: Type = 4;
pub const ENUM: Type = 5;
pub const ERROR: Type = 6;

pub type ErrorKind = c_uint;
pub const KIND_CUSTOM: ErrorKind = 0;
pub const KIND_TYPE_MISMATCH: ErrorKind = 1;
pub const KIND_DIMENSION_MISMATCH: ErrorKind = 2;
pub const KIND_DIVISION_BY_ZERO: ErrorKind = 3;
pub const KIND_MISSING_INPUT: ErrorKind = 4;

/// Things of the library that are only ever pointed to.
macro_rules! opaque {
    ($($name:ident)*) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )*};
}
opaque! { Cancel Cells Column Failure Function Host Receipt Registry }

#[repr(C)]
pub struct Error {
    pub status: Status,
    pub os_errno: c_int,
    pub message: [c_char; MESSAGE_SIZE],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ValueText {
    pub data: *mut c_char,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ValueError {
    pub message: *mut c_char,
    pub size: usize,
    pub kind: ErrorKind,
}

#[repr(C)]
pub union ValueAs {
    pub number: f64,
    pub boolean: bool,
    pub datetime: i64,
    pub index: u32,
    pub text: ValueText,
    pub error: ValueError,
}

#[repr(C)]
pub struct Value {
    pub type_: Type,
    pub as_: ValueAs,
}

#[repr(C)]
pub struct FunctionOptions {
    pub struct_size: usize,
    pub name: *const c_char,
    pub language: Language,
    pub body: *const c_char,
    pub body_size: usize,
    pub arg_types: *const Type,
    pub arg_names: *const *const c_char,
    pub arg_count: usize,
    pub return_type: Type,
    pub is_pure: bool,
    pub is_vectorized: bool,
    pub source_path: *const c_char,
}

#[repr(C)]
pub struct HostOptions {
    pub struct_size: usize,
    pub policy: Policy,
    pub is_unsandboxed_allowed: bool,
    pub search_path: *const c_char,
    pub timeout_us: i64,
    pub start_timeout_us: i64,
    pub memory_bytes: u64,
    pub tmp_bytes: u64,
    pub warm_workers: usize,
    pub interpreters: [*const c_char; LANGUAGE_COUNT],
    pub packages: [*const c_char; LANGUAGE_COUNT],
    pub uid_first: u32,
    pub uid_count: u32,
    pub are_module_files_forbidden: bool,
    pub workers: usize,
    pub idle_timeout_us: i64,
    pub workers_memory_bytes: u64,
    pub worker_age_us: i64,
    pub worker_calls: u64,
    pub is_spare_kept: bool,
    pub memo_bytes: u64,
}

#[repr(C)]
pub struct Output {
    pub stdout_data: *mut c_char,
    pub stdout_size: usize,
    pub stderr_data: *mut c_char,
    pub stderr_size: usize,
    pub is_unsandboxed: bool,
}

pub type ProgressFn = unsafe extern "C" fn(i64, i64, *mut c_void);
pub type FailureFn = unsafe extern "C" fn(*const Failure, *mut c_void);
pub type ProblemFn = unsafe extern "C" fn(*const c_char, *const Error, *mut c_void);

#[repr(C)]
pub struct CallOptions {
    pub struct_size: usize,
    pub timeout_us: i64,
    pub deadline_us: i64,
    pub chunk_rows: i64,
    pub cancel: *mut Cancel,
    pub output: *mut Output,
    pub on_progress: Option<ProgressFn>,
    pub context: *mut c_void,
    pub workers: usize,
    pub receipt: *mut Receipt,
    pub on_failure: Option<FailureFn>,
    pub failure_context: *mut c_void,
}

#[repr(C)]
#[derive(Default)]
pub struct Stats {
    pub struct_size: usize,
    pub workers_started: u64,
    pub workers_warm: u64,
    pub workers_ended: u64,
    pub workers_proven_gone: u64,
    pub memo_hits: u64,
    pub memo_misses: u64,
    pub memo_entries: u64,
    pub memo_bytes: u64,
    pub memo_evictions: u64,
}

#[repr(C)]
pub struct Measure {
    pub dimensions: *const *const c_char,
    pub items: *const *const u32,
    pub dimension_count: usize,
    pub values: *const Column,
}

extern "C" {
    pub fn extfn_version() -> *const c_char;
    pub fn extfn_text_free(text: *mut c_char);

    pub fn extfn_value_clear(value: *mut Value);
    pub fn extfn_value_text(
        data: *const c_char,
        size: usize,
        ret_value: *mut Value,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_value_error(
        kind: ErrorKind,
        message: *const c_char,
        ret_value: *mut Value,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_value_to_json(
        value: *const Value,
        ret_json: *mut *mut c_char,
        err: *mut Error,
    ) -> Status;

    pub fn extfn_column_new(type_: Type, ret_column: *mut *mut Column, err: *mut Error) -> Status;
    pub fn extfn_column_new_numbers(
        numbers: *const f64,
        rows: i64,
        ret_column: *mut *mut Column,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_column_free(column: *mut Column);
    pub fn extfn_column_type(column: *const Column) -> Type;
    pub fn extfn_column_rows(column: *const Column) -> i64;
    pub fn extfn_column_error_count(column: *const Column) -> i64;
    pub fn extfn_column_append(column: *mut Column, value: *const Value, err: *mut Error)
        -> Status;
    pub fn extfn_column_append_text(
        column: *mut Column,
        data: *const c_char,
        size: usize,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_column_get(
        column: *const Column,
        row: i64,
        ret_value: *mut Value,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_column_is_error(column: *const Column, row: i64) -> bool;
    pub fn extfn_column_numbers(column: *const Column) -> *const f64;
    pub fn extfn_column_booleans(column: *const Column) -> *const u8;
    pub fn extfn_column_datetimes(column: *const Column) -> *const i64;
    pub fn extfn_column_enums(column: *const Column) -> *const u32;
    pub fn extfn_column_text_offsets(column: *const Column) -> *const i64;
    pub fn extfn_column_text_bytes(column: *const Column) -> *const c_char;

    pub fn extfn_function_new(
        options: *const FunctionOptions,
        ret_function: *mut *mut Function,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_function_ref(function: *mut Function) -> *mut Function;
    pub fn extfn_function_unref(function: *mut Function);
    pub fn extfn_function_from_file(
        path: *const c_char,
        ret_function: *mut *mut Function,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_function_name(function: *const Function) -> *const c_char;
    pub fn extfn_function_arity(function: *const Function) -> usize;
    pub fn extfn_function_arg_type(function: *const Function, position: usize) -> Type;
    pub fn extfn_function_return_type(function: *const Function) -> Type;
    pub fn extfn_function_is_pure(function: *const Function) -> bool;
    pub fn extfn_function_signature(
        function: *const Function,
        ret_text: *mut *mut c_char,
        err: *mut Error,
    ) -> Status;

    pub fn extfn_registry_new(ret_registry: *mut *mut Registry, err: *mut Error) -> Status;
    pub fn extfn_registry_free(registry: *mut Registry);
    pub fn extfn_registry_load(
        registry: *mut Registry,
        path: *const c_char,
        on_problem: Option<ProblemFn>,
        context: *mut c_void,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_registry_at(registry: *const Registry, position: usize) -> *mut Function;

    pub fn extfn_host_new(
        options: *const HostOptions,
        ret_host: *mut *mut Host,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_host_free(host: *mut Host);
    pub fn extfn_output_clear(output: *mut Output);
    pub fn extfn_cancel_new(ret_cancel: *mut *mut Cancel, err: *mut Error) -> Status;
    pub fn extfn_cancel_free(cancel: *mut Cancel);
    pub fn extfn_cancel_trigger(cancel: *mut Cancel);
    pub fn extfn_host_eval(
        host: *mut Host,
        function: *mut Function,
        args: *const Value,
        arg_count: usize,
        options: *const CallOptions,
        ret_value: *mut Value,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_host_apply(
        host: *mut Host,
        function: *mut Function,
        columns: *const *const Column,
        column_count: usize,
        rows: i64,
        options: *const CallOptions,
        ret_column: *mut *mut Column,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_host_check(
        host: *mut Host,
        function: *mut Function,
        options: *const CallOptions,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_host_probe_sandbox(
        host: *mut Host,
        cancel: *mut Cancel,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_host_stats(host: *mut Host, ret_stats: *mut Stats);

    pub fn extfn_refresh(
        host: *mut Host,
        function: *mut Function,
        args: *const Measure,
        arg_count: usize,
        options: *const CallOptions,
        ret_cells: *mut *mut Cells,
        err: *mut Error,
    ) -> Status;
    pub fn extfn_cells_measure(cells: *const Cells) -> Measure;
    pub fn extfn_cells_free(cells: *mut Cells);
}
