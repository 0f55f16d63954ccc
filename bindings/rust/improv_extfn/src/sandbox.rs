// SPDX-License-Identifier: MIT
//! Who decides how strictly a body is confined: the host and its operator, never the model.

/// How strictly a body is confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SandboxPolicy {
    /// Sandboxed, or refused.
    #[default]
    Restricted,
    /// No sandbox; time limit, output caps and group kill stay.
    Trusted,
}

/// The policy that the operator sets: Restricted unless `IMPROV_EXTFN_TRUSTED=1`.
pub(crate) fn policy_for() -> SandboxPolicy {
    if is_set("IMPROV_EXTFN_TRUSTED") {
        SandboxPolicy::Trusted
    } else {
        SandboxPolicy::Restricted
    }
}

pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| value == "1")
}

#[cfg(test)]
pub(crate) use crate::tests::stand_ins::apply_unsandboxed_for_test;
