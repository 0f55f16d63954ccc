// SPDX-License-Identifier: MIT
//! The options of one call, and what comes back beside its result.
use std::any::Any;
use std::ffi::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use super::{abi, text};
use crate::options::microseconds;
use crate::{CallOptions, Output};

/// Who is told of progress, and with what it panicked, which must not cross C.
struct Progress<'a> {
    on_progress: &'a (dyn Fn(usize, usize) + Sync),
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Progress<'_> {
    fn tell(&self, done: i64, total: i64) {
        let mut panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
        if panic.is_none() {
            let rows = |count| usize::try_from(count).unwrap_or_default();
            let told = AssertUnwindSafe(|| (self.on_progress)(rows(done), rows(total)));
            *panic = catch_unwind(told).err();
        }
    }
}

unsafe extern "C" fn on_progress(done: i64, total: i64, context: *mut c_void) {
    // SAFETY: the context is what `with_options` passed, which it keeps until the call returns.
    unsafe { (*context.cast::<Progress>()).tell(done, total) }
}

/// Makes a call with these options. A panic of `on_progress` goes on when the call has returned.
pub(super) fn with_options<T>(
    options: &CallOptions,
    call: impl FnOnce(*const abi::CallOptions) -> T,
) -> (T, Output) {
    let mut printed = abi::Output {
        stdout_data: null_mut(),
        stdout_size: 0,
        stderr_data: null_mut(),
        stderr_size: 0,
        is_unsandboxed: false,
    };
    let progress = options.on_progress.map(|on_progress| Progress {
        on_progress,
        panic: Mutex::new(None),
    });
    let context = progress
        .as_ref()
        .map_or(null_mut(), |p| std::ptr::from_ref(p).cast_mut().cast());
    let given = abi::CallOptions {
        struct_size: std::mem::size_of::<abi::CallOptions>(),
        timeout_us: options.timeout.map_or(0, microseconds),
        deadline_us: options.deadline.map_or(0, microseconds),
        chunk_rows: i64::try_from(options.chunk_rows).unwrap_or(i64::MAX),
        cancel: options
            .cancel
            .map_or(null_mut(), |cancel| cancel.handle().as_ptr()),
        output: &mut printed,
        on_progress: progress.as_ref().map(|_| on_progress as abi::ProgressFn),
        context,
        workers: options.workers,
        receipt: null_mut(),
        on_failure: None,
        failure_context: null_mut(),
    };
    let result = call(&given);
    // SAFETY: the library filled it, or left it empty; then it is cleared, and not used again.
    let output = unsafe {
        let output = Output {
            stdout: text::bytes(printed.stdout_data, printed.stdout_size),
            stderr: text::bytes(printed.stderr_data, printed.stderr_size),
            unsandboxed: printed.is_unsandboxed,
        };
        abi::extfn_output_clear(&mut printed);
        output
    };
    let panic = progress.and_then(|p| p.panic.into_inner().unwrap_or_else(PoisonError::into_inner));
    if let Some(panic) = panic {
        drop(result);
        resume_unwind(panic);
    }
    (result, output)
}
