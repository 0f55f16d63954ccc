// SPDX-License-Identifier: MIT
//! Host objects of the process, for those who bring none: one for each thing that the operator has
//! said so far, which nearly always is one.
use std::sync::{Arc, Mutex, PoisonError};

use crate::{ExtFnError, Host, HostOptions, SandboxPolicy};

/// A program that changes its environment all the time keeps so many; the oldest goes.
const HOST_LIMIT: usize = 4;

struct Shared {
    options: HostOptions,
    process: u32, // a forked child cannot use its parent's
    host: Arc<Host>,
}

static HOSTS: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

/// The host object of this policy and of what else the environment says now.
pub(crate) fn host(policy: SandboxPolicy) -> Result<Arc<Host>, ExtFnError> {
    let options = HostOptions {
        policy,
        ..HostOptions::from_environment()
    };
    let process = std::process::id();
    let mut hosts = HOSTS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = hosts
        .iter()
        .find(|known| known.process == process && known.options == options);
    if let Some(known) = known {
        return Ok(Arc::clone(&known.host));
    }
    let host = Arc::new(Host::new(&options)?);
    let oldest = (hosts.len() == HOST_LIMIT).then(|| hosts.remove(0));
    hosts.push(Shared {
        options,
        process,
        host: Arc::clone(&host),
    });
    drop(hosts);
    drop(oldest); // which may wait for its workers to end
    Ok(host)
}
