// SPDX-License-Identifier: MIT
//! What a host says beside a descriptor and its arguments, and what it gets beside a result.
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use improv_core_model::Language;

use crate::host::Cancel;
use crate::SandboxPolicy;

/// What a function can have beyond the six fields of [`ExternalFn`](crate::ExternalFn).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FnOptions {
    /// Names under which the body finds its arguments besides `args`: one for each, or none.
    pub arg_names: Vec<String>,
    /// The author's word that the body works on whole columns and treats each row alone.
    pub vectorized: bool,
    /// The file that the function came from, for messages and for paths of modules.
    pub source_path: Option<PathBuf>,
}

/// Policy, limits and interpreters of a [`Host`](crate::Host). Zero and `None` are the defaults
/// that are told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostOptions {
    /// Sandboxed or refused, unless trusted.
    pub policy: SandboxPolicy,
    /// Without bubblewrap run with limits alone, and say so ([`Output::unsandboxed`]).
    pub allow_unsandboxed: bool,
    /// Where bubblewrap is looked for, as `PATH` has it; /usr/local/bin:/usr/bin:/bin.
    pub search_path: Option<OsString>,
    /// Time limit of one row; 5 s.
    pub timeout: Option<Duration>,
    /// Of the start of a worker and its compilation; 30 s.
    pub start_timeout: Option<Duration>,
    /// Memory of a worker; 1 GiB.
    pub memory_bytes: u64,
    /// /tmp of a worker; 64 MiB.
    pub tmp_bytes: u64,
    /// Idle workers that are kept; 16.
    pub warm_workers: usize,
    /// Interpreters other than those that are found, one a language.
    pub interpreters: Vec<(Language, PathBuf)>,
    /// Folders of packages that a language's functions may read, any number.
    pub packages: Vec<(Language, PathBuf)>,
    /// The first uid of a root host's sandboxes; 2000000000.
    pub uid_first: u32,
    /// How many uids there are from that one on; 1000.
    pub uid_count: u32,
    /// A WebAssembly body may not be the path of a module.
    pub forbid_module_files: bool,
    /// Most worker processes of one batch; as many as there are processors.
    pub workers: usize,
    /// A warm worker that nobody uses ends; 300 s.
    pub idle_timeout: Option<Duration>,
    /// Memory of all workers together; half of the machine's.
    pub workers_memory_bytes: u64,
    /// A worker of this age serves no more calls; 1 h.
    pub worker_age: Option<Duration>,
    /// Nor does one that served so many; 0: any number.
    pub worker_calls: u64,
    /// An interpreter is started ahead of the next new function.
    pub keep_spare: bool,
    /// Memory for values of pure functions, so that they are not evaluated again; 0: none.
    pub memo_bytes: u64,
}

/// The environment's names of interpreters.
const INTERPRETERS: [(Language, &str); 5] = [
    (Language::Python, "EXTFN_INTERPRETER_PYTHON"),
    (Language::R, "EXTFN_INTERPRETER_R"),
    (Language::Julia, "EXTFN_INTERPRETER_JULIA"),
    (Language::Pure, "EXTFN_INTERPRETER_PURE"),
    (Language::Wasm, "EXTFN_INTERPRETER_WASM"),
];

impl HostOptions {
    /// What the operator says: `IMPROV_EXTFN_TRUSTED=1`, `IMPROV_EXTFN_ALLOW_UNSANDBOXED=1`,
    /// `PATH`, `EXTFN_INTERPRETER_PYTHON` and so on. The C library is not asked for it, since a
    /// program in Rust may change its environment meanwhile.
    pub fn from_environment() -> Self {
        let text = |name| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
        HostOptions {
            policy: crate::sandbox::policy_for(),
            allow_unsandboxed: crate::sandbox::is_set("IMPROV_EXTFN_ALLOW_UNSANDBOXED"),
            search_path: text("PATH"),
            interpreters: INTERPRETERS
                .iter()
                .filter_map(|&(language, name)| Some((language, text(name)?.into())))
                .collect(),
            ..HostOptions::default()
        }
    }
}

/// How one call is made.
#[derive(Clone, Copy, Default)]
pub struct CallOptions<'a> {
    /// Time limit of one row (of a chunk, for a vectorized function); the host's unless given.
    pub timeout: Option<Duration>,
    /// Time limit of the whole call from now on; none unless given.
    pub deadline: Option<Duration>,
    /// Rows of a batch of a function without arguments; otherwise those of its columns count.
    pub rows: usize,
    /// Most rows that a worker is handed at once; 0: chosen.
    pub chunk_rows: usize,
    /// Most workers at once; 0: the host's. Results do not depend on it.
    pub workers: usize,
    /// Ends the call from another thread.
    pub cancel: Option<&'a Cancel>,
    /// Told after each chunk: rows done, rows in all. Where it panics it is not told again, and
    /// the panic goes on when the call is over.
    pub on_progress: Option<&'a (dyn Fn(usize, usize) + Sync)>,
}

impl fmt::Debug for CallOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("timeout", &self.timeout)
            .field("deadline", &self.deadline)
            .field("rows", &self.rows)
            .field("chunk_rows", &self.chunk_rows)
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}

/// What a body printed, the first 1 MiB of each stream, and how it ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// Bytes of any encoding.
    pub stdout: Vec<u8>,
    /// Bytes of any encoding.
    pub stderr: Vec<u8>,
    /// No bubblewrap was there, and the operator allowed it.
    pub unsandboxed: bool,
}

/// What a host object has done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Worker processes that were started.
    pub workers_started: u64,
    /// Idle now.
    pub workers_warm: u64,
    /// That ended.
    pub workers_ended: u64,
    /// Of those: it was seen that no process is left.
    pub workers_proven_gone: u64,
    /// Rows that were not evaluated again.
    pub memo_hits: u64,
    /// Calls of one row that had to be.
    pub memo_misses: u64,
    /// Values that are kept now.
    pub memo_entries: u64,
    /// What they take.
    pub memo_bytes: u64,
    /// Values that had to go.
    pub memo_evictions: u64,
}

/// More than anybody waits; sums of it and the clock stay in range.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// As the library has it, where 0 is the default: a limit of no time is the shortest that there is.
pub(crate) fn microseconds(duration: Duration) -> i64 {
    let count = duration.min(LONGEST).as_micros();
    i64::try_from(count)
        .expect("not more than a century")
        .max(1)
}
