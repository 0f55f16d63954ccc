// SPDX-License-Identifier: MIT
//! Host objects, and the calls that they make.
use std::ffi::{c_char, CString, OsString};
use std::path::PathBuf;
use std::ptr::{null, null_mut};

use improv_core_model::{Language, Value};

use super::call::with_options;
use super::column::ColumnHandle;
use super::convert::{language_code, RawValue, RawValues};
use super::function::FunctionHandle;
use super::handle::{handle, made};
use super::{abi, attempt, text, Failure};
use crate::options::microseconds;
use crate::{CallOptions, HostOptions, Output, SandboxPolicy, Stats};

handle! {
    /// What a call is ended by.
    CancelHandle(Cancel) dropped by extfn_cancel_free
}

// SAFETY: made to be triggered from any thread, and from signal handlers.
unsafe impl Send for CancelHandle {}
unsafe impl Sync for CancelHandle {}

impl CancelHandle {
    pub(crate) fn new() -> Result<Self, Failure> {
        // SAFETY: the pointers are good for the call.
        made(|cancel, err| unsafe { abi::extfn_cancel_new(cancel, err) }).map(CancelHandle)
    }

    pub(crate) fn trigger(&self) {
        // SAFETY: the object is there.
        unsafe { abi::extfn_cancel_trigger(self.as_ptr()) }
    }
}

handle! {
    /// A host object. Its drop ends all workers; no call can be under way, since each borrows it.
    HostHandle(Host) dropped by extfn_host_free
}

// SAFETY: any number of threads may use a host object at once, and any may free it.
unsafe impl Send for HostHandle {}
unsafe impl Sync for HostHandle {}

impl HostHandle {
    pub(crate) fn new(options: &HostOptions) -> Result<Self, Failure> {
        let search_path = options.search_path.as_ref();
        let search_path = search_path
            .map(|path| text::for_c(path, "search_path"))
            .transpose()?;
        let interpreters = by_language(&options.interpreters, "interpreters")?;
        let packages = by_language(&options.packages, "packages")?;
        let given = abi::HostOptions {
            struct_size: std::mem::size_of::<abi::HostOptions>(),
            policy: match options.policy {
                SandboxPolicy::Restricted => 0,
                SandboxPolicy::Trusted => 1,
            },
            is_unsandboxed_allowed: options.allow_unsandboxed,
            search_path: search_path.as_ref().map_or(null(), |path| path.as_ptr()),
            timeout_us: options.timeout.map_or(0, microseconds),
            start_timeout_us: options.start_timeout.map_or(0, microseconds),
            memory_bytes: options.memory_bytes,
            tmp_bytes: options.tmp_bytes,
            warm_workers: options.warm_workers,
            interpreters: pointers(&interpreters),
            packages: pointers(&packages),
            uid_first: options.uid_first,
            uid_count: options.uid_count,
            are_module_files_forbidden: options.forbid_module_files,
            workers: options.workers,
            idle_timeout_us: options.idle_timeout.map_or(0, microseconds),
            workers_memory_bytes: options.workers_memory_bytes,
            worker_age_us: options.worker_age.map_or(0, microseconds),
            worker_calls: options.worker_calls,
            is_spare_kept: options.keep_spare,
            memo_bytes: options.memo_bytes,
        };
        // SAFETY: everything that the options point to outlives the call, which copies it.
        made(|host, err| unsafe { abi::extfn_host_new(&given, host, err) }).map(HostHandle)
    }

    pub(crate) fn eval(
        &self,
        function: &FunctionHandle,
        args: &[Value],
        options: &CallOptions,
    ) -> (Result<Value, Failure>, Output) {
        let args = match RawValues::of(args) {
            Ok(raw) => raw,
            Err(failure) => return (Err(failure), Output::default()),
        };
        let mut value = RawValue::empty();
        let (done, output) = with_options(options, |given| {
            attempt(|err| {
                // SAFETY: all of it outlives the call; the arguments are whole values.
                unsafe {
                    abi::extfn_host_eval(
                        self.as_ptr(),
                        function.as_ptr(),
                        args.as_ptr(),
                        args.count(),
                        given,
                        value.as_mut_ptr(),
                        err,
                    )
                }
            })
        });
        (done.and_then(|()| value.to_value()), output)
    }

    pub(crate) fn apply(
        &self,
        function: &FunctionHandle,
        columns: &[&ColumnHandle],
        rows: usize,
        options: &CallOptions,
    ) -> (Result<ColumnHandle, Failure>, Output) {
        let columns: Vec<*const abi::Column> = columns
            .iter()
            .map(|column| column.as_ptr().cast_const())
            .collect();
        let Ok(rows) = i64::try_from(rows) else {
            return (Err(Failure::invalid("too many rows")), Output::default());
        };
        with_options(options, |given| {
            made(|result, err| {
                // SAFETY: all of it outlives the call, and no column changes, as it is borrowed.
                unsafe {
                    abi::extfn_host_apply(
                        self.as_ptr(),
                        function.as_ptr(),
                        columns.as_ptr(),
                        columns.len(),
                        rows,
                        given,
                        result,
                        err,
                    )
                }
            })
            .map(ColumnHandle::owning)
        })
    }

    pub(crate) fn check(
        &self,
        function: &FunctionHandle,
        options: &CallOptions,
    ) -> Result<(), Failure> {
        let (done, _) = with_options(options, |given| {
            attempt(|err| {
                // SAFETY: all of it outlives the call.
                unsafe { abi::extfn_host_check(self.as_ptr(), function.as_ptr(), given, err) }
            })
        });
        done
    }

    pub(crate) fn probe_sandbox(&self) -> Result<(), Failure> {
        // SAFETY: the host object is there; without something to cancel it by.
        attempt(|err| unsafe { abi::extfn_host_probe_sandbox(self.as_ptr(), null_mut(), err) })
    }

    pub(crate) fn stats(&self) -> Stats {
        let mut raw = abi::Stats {
            struct_size: std::mem::size_of::<abi::Stats>(),
            ..abi::Stats::default()
        };
        // SAFETY: the size says how much may be filled.
        unsafe { abi::extfn_host_stats(self.as_ptr(), &mut raw) }
        Stats {
            workers_started: raw.workers_started,
            workers_warm: raw.workers_warm,
            workers_ended: raw.workers_ended,
            workers_proven_gone: raw.workers_proven_gone,
            memo_hits: raw.memo_hits,
            memo_misses: raw.memo_misses,
            memo_entries: raw.memo_entries,
            memo_bytes: raw.memo_bytes,
            memo_evictions: raw.memo_evictions,
        }
    }
}

type Texts = [Option<CString>; abi::LANGUAGE_COUNT];

/// The paths of each language, separated by colons where there are several.
fn by_language(paths: &[(Language, PathBuf)], what: &str) -> Result<Texts, Failure> {
    let mut joined: [Option<OsString>; abi::LANGUAGE_COUNT] = Default::default();
    for (language, path) in paths {
        let place = &mut joined[language_code(*language) as usize];
        match place {
            None => *place = Some(path.clone().into()),
            Some(text) => {
                text.push(":");
                text.push(path);
            }
        }
    }
    let mut texts = Texts::default();
    for (text, path) in texts.iter_mut().zip(joined) {
        *text = path.map(|path| text::for_c(path, what)).transpose()?;
    }
    Ok(texts)
}

fn pointers(texts: &Texts) -> [*const c_char; abi::LANGUAGE_COUNT] {
    std::array::from_fn(|i| texts[i].as_ref().map_or(null(), |text| text.as_ptr()))
}
