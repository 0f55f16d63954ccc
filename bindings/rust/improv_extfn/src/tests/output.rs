// SPDX-License-Identifier: MIT
//! What a body prints, leaves behind, and how its text arrives.
use super::sandbox::py;
use super::*;

/// S7: output past the 64 KiB pipe buffer used to deadlock until the
/// timeout; 200 KB now succeeds.
#[test]
fn python_large_output_succeeds() {
    if !python_available() {
        println!("skipped: python3 not found (or no sandbox)");
        return;
    }
    let f = py("print('x' * 200000)\nresult = 1", ValueType::Number);
    let out = eval(&f, &[], Duration::from_secs(10)).expect("eval");
    assert_eq!(out, Value::Number(1.0));
}

/// S7: stdout is capped at 1 MiB; 5 MB is an "output too large" error.
#[test]
fn python_huge_output_is_rejected() {
    if !python_available() {
        println!("skipped: python3 not found (or no sandbox)");
        return;
    }
    let f = py("print('x' * 5000000)\nresult = 1", ValueType::Number);
    match eval(&f, &[], Duration::from_secs(10)).unwrap_err() {
        ExtFnError::Runtime { message, .. } => {
            assert!(message.contains("output too large"), "{message}")
        }
        other => panic!("expected Runtime, got {other:?}"),
    }
}

/// S8: the timeout kills the whole process group, so a forked grandchild
/// does not outlive the call. Runs `Trusted` (no bwrap pid namespace) so
/// the group kill is the only thing that can stop it, and the marker file
/// is visible to the host.
#[cfg(target_os = "linux")]
#[test]
fn timeout_kills_grandchildren() {
    let probe = python::eval_with(
        &py("result = 1", ValueType::Number),
        &[],
        Duration::from_secs(5),
        SandboxPolicy::Trusted,
    );
    if probe.is_err() {
        println!("skipped: python3 not found");
        return;
    }
    let marker =
        std::env::temp_dir().join(format!("improv_extfn_grandchild_{}", std::process::id()));
    let _ = std::fs::remove_file(&marker);
    let body = format!(
        "import os, time\n\
         if os.fork() == 0:\n\
         \x20   open({path:?}, 'w').write(str(os.getpid()))\n\
         \x20   time.sleep(30)\n\
         \x20   os._exit(0)\n\
         time.sleep(30)\nresult = 1",
        path = marker.to_string_lossy()
    );
    let timeout = Duration::from_secs(1);
    let err = python::eval_with(
        &py(&body, ValueType::Number),
        &[],
        timeout,
        SandboxPolicy::Trusted,
    )
    .unwrap_err();
    assert!(matches!(err, ExtFnError::Timeout(_)), "got {err:?}");
    std::thread::sleep(Duration::from_secs(1));
    let pid = std::fs::read_to_string(&marker).expect("grandchild wrote its pid");
    let _ = std::fs::remove_file(&marker);
    let proc_dir = format!("/proc/{}", pid.trim());
    assert!(
        !std::path::Path::new(&proc_dir).exists(),
        "grandchild {pid} survived the timeout"
    );
}

/// S20: the body reaches `exec` byte for byte. Backslashes used to be
/// doubled inside `r"""..."""`, which changed what the body meant.
#[test]
fn python_body_with_backslashes_and_triple_quotes() {
    if !python_available() {
        println!("skipped: python3 not found (or no sandbox)");
        return;
    }
    let body = r#"s = """a\\b"""
t = '\n' + "\""
result = s + "|" + str(len(t)) + "|" + "\x41""#;
    let out = eval(&py(body, ValueType::Text), &[], Duration::from_secs(10)).expect("eval");
    assert_eq!(out, Value::Text(r"a\b|2|A".into()));
}
