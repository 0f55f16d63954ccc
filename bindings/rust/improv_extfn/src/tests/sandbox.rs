// SPDX-License-Identifier: MIT
//! What a body cannot reach.
use super::*;

// ---- OS sandbox (Linux: bwrap + rlimits; guarded like the other
// interpreter-dependent tests, skip cleanly when tools are absent) ----

fn bwrap_available() -> bool {
    let is_there = std::process::Command::new("bwrap")
        .arg("--version")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .map(|s| s.success())
        .unwrap_or(false);
    required("bwrap", is_there)
}

/// A `Restricted` (the host default) body that tries to allocate
/// well past the sandbox's `RLIMIT_AS` ceiling must fail (Python raises
/// `MemoryError`, which the driver catches and reports as an error
/// envelope) rather than succeed. This is the rlimit half of the sandbox,
/// independent of whether `bwrap` is present. Linux only: macOS accepts
/// `RLIMIT_AS` but does not enforce it.
#[cfg(target_os = "linux")]
#[test]
fn restricted_python_hits_memory_limit() {
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    let f = ExternalFn {
        name: "blow_memory".into(),
        language: Language::Python,
        body: "x = bytearray(2 * 10**9)\nresult = len(x)".into(),
        arg_types: vec![],
        return_type: ValueType::Number,
        pure: true,
    };
    let err = eval(&f, &[], Duration::from_secs(10)).unwrap_err();
    // Either the driver's own try/except reports MemoryError as a Runtime
    // error, or (if the allocator kills the process outright under the
    // rlimit) the subprocess exits nonzero/empty-output, also a Runtime
    // error. A Timeout would indicate the limit did nothing and the body
    // ran to completion within the wall clock only by luck; assert it's
    // specifically a Runtime error, not success.
    assert!(matches!(err, ExtFnError::Runtime { .. }), "got {err:?}");
}

/// Sanity check that the SAME allocation succeeds under `Trusted` (no
/// sandbox applied), proving the failure above is the rlimit and not some
/// unrelated Python/driver bug.
#[test]
fn trusted_python_memory_allocation_succeeds() {
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    let f = ExternalFn {
        name: "blow_memory_trusted".into(),
        language: Language::Python,
        body: "x = bytearray(10**7)\nresult = len(x)".into(),
        arg_types: vec![],
        return_type: ValueType::Number,
        pure: false,
    };
    let out =
        python::eval_with(&f, &[], Duration::from_secs(10), SandboxPolicy::Trusted).expect("eval");
    assert_eq!(out, Value::Number(10_000_000.0));
}

/// When `bwrap` is present, a `Restricted` body reading an absolute path
/// outside the sandbox's bind-mounted view (here, this very repo's
/// `Cargo.toml`, addressed by absolute host path) must fail — proving the
/// filesystem restriction is real — while the SAME body under `Trusted`
/// (no bwrap wrapping) succeeds. Guarded on `bwrap` being on PATH.
#[test]
fn bwrap_blocks_filesystem_read_outside_sandbox() {
    if !bwrap_available() {
        println!("skipped: bwrap not found");
        return;
    }
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    // Use this crate's own Cargo.toml: guaranteed to exist, guaranteed to
    // be under $HOME (which bwrap does not bind), and not under the parts
    // of `/` this sandbox binds read-only mirror-fashion... except `/` IS
    // bound read-only in our bwrap policy, so instead prove the point with
    // a path that is genuinely absent from the sandboxed view: `/etc/hostname`
    // is bound (since `/` is ro-bound in full), so use the crate manifest
    // under `$HOME` combined with `--unshare-net`/no special exclusion —
    // the real isolation this policy provides is network + tmp, so assert
    // on a target we deliberately do NOT bind: a path under a fresh tmpfs
    // written by the *host* just before the sandboxed run, which the
    // sandbox's own fresh `/tmp` cannot see.
    let host_tmp_dir =
        std::env::temp_dir().join(format!("improv_extfn_sandbox_test_{}", std::process::id()));
    std::fs::create_dir_all(&host_tmp_dir).expect("create host tmp dir");
    let secret_path = host_tmp_dir.join("secret.txt");
    std::fs::write(&secret_path, "host-only-secret").expect("write secret");
    let secret_path_str = secret_path.to_string_lossy().replace('\\', "\\\\");

    let body = format!("result = open(r'{secret_path_str}').read()",);

    // Restricted: bwrap's fresh tmpfs on /tmp hides the host's real /tmp,
    // so the file is unreadable inside the sandbox.
    let restricted_fn = ExternalFn {
        name: "peek_restricted".into(),
        language: Language::Python,
        body: body.clone(),
        arg_types: vec![],
        return_type: ValueType::Text,
        pure: true,
    };
    let restricted_err = eval(&restricted_fn, &[], Duration::from_secs(10)).unwrap_err();
    assert!(
        matches!(restricted_err, ExtFnError::Runtime { .. }),
        "expected the sandboxed read to fail, got {restricted_err:?}"
    );

    // Trusted: no bwrap wrapping, the real filesystem (and real /tmp) is
    // visible, so the same read succeeds.
    let trusted_fn = ExternalFn {
        name: "peek_trusted".into(),
        language: Language::Python,
        body,
        arg_types: vec![],
        return_type: ValueType::Text,
        pure: false,
    };
    let out = python::eval_with(
        &trusted_fn,
        &[],
        Duration::from_secs(10),
        SandboxPolicy::Trusted,
    )
    .expect("trusted eval");
    assert_eq!(out, Value::Text("host-only-secret".into()));

    let _ = std::fs::remove_dir_all(&host_tmp_dir);
}

/// The `IMPROV_EXTFN_ALLOW_UNSANDBOXED` fallback (rlimits only, no
/// `bwrap`) still runs the interpreter, with a scrubbed environment.
#[test]
fn rlimits_only_fallback_still_runs() {
    if !python_available() {
        println!("skipped: python3 not found");
        return;
    }
    std::env::set_var("IMPROV_API_TOKEN", "parent-secret");
    let mut cmd = crate::sandbox::apply_unsandboxed_for_test(std::process::Command::new("python3"));
    cmd.args([
        "-I",
        "-S",
        "-c",
        "import os; print(os.environ.get('IMPROV_API_TOKEN', ''), os.environ['HOME'], os.environ['PATH'])",
    ]);
    let out = cmd.output().expect("spawn python3 under rlimits-only");
    assert!(out.status.success(), "status: {:?}", out.status);
    assert_eq!(
        String::from_utf8_lossy(&out.stdout).trim(),
        "/tmp /usr/bin:/bin"
    );
}

pub(super) fn py(body: &str, return_type: ValueType) -> ExternalFn {
    ExternalFn {
        name: "probe".into(),
        language: Language::Python,
        body: body.into(),
        arg_types: vec![],
        return_type,
        pure: true,
    }
}

/// S6: a `Restricted` body does not inherit the host environment.
#[test]
fn restricted_python_does_not_inherit_env() {
    if !python_available() {
        println!("skipped: python3 not found (or no sandbox)");
        return;
    }
    std::env::set_var("IMPROV_API_TOKEN", "parent-secret");
    let f = py(
        "import os\nresult = os.environ.get('IMPROV_API_TOKEN', '')",
        ValueType::Text,
    );
    let out = eval(&f, &[], Duration::from_secs(10)).expect("eval");
    assert_eq!(out, Value::Text(String::new()));
}

/// S5: under bwrap neither `~` nor `/home` shows anything of the host.
#[test]
fn bwrap_hides_host_home() {
    if !bwrap_available() || !python_available() {
        println!("skipped: bwrap or python3 not found");
        return;
    }
    let home = std::env::temp_dir().join(format!("improv_extfn_home_{}", std::process::id()));
    std::fs::create_dir_all(&home).expect("create fake home");
    std::fs::write(home.join("marker-secret"), "x").expect("write marker");
    let real_home = std::env::var_os("HOME");
    std::env::set_var("HOME", &home);
    let f = py(
        "import os\nh = os.path.expanduser('~')\n\
         result = repr([h, sorted(os.listdir(h)), sorted(os.listdir('/home'))])",
        ValueType::Text,
    );
    let out = eval(&f, &[], Duration::from_secs(10));
    if let Some(h) = real_home {
        std::env::set_var("HOME", h);
    }
    let _ = std::fs::remove_dir_all(&home);
    assert_eq!(out.expect("eval"), Value::Text("['/tmp', [], []]".into()));
}

/// S5: under bwrap the network namespace is empty.
#[test]
fn bwrap_blocks_network() {
    if !bwrap_available() || !python_available() {
        println!("skipped: bwrap or python3 not found");
        return;
    }
    let f = py(
        "import socket\ns = socket.socket()\ns.settimeout(2)\n\
         try:\n    s.connect(('1.1.1.1', 53))\n    result = 'connected'\n\
         except OSError:\n    result = 'blocked'",
        ValueType::Text,
    );
    let out = eval(&f, &[], Duration::from_secs(10)).expect("eval");
    assert_eq!(out, Value::Text("blocked".into()));
}
