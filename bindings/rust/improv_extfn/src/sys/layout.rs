// SPDX-License-Identifier: MIT
//! Sizes, offsets and codes of `abi.rs` are those of the headers: a C program tells its side.
use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::path::PathBuf;
use std::process::Command;

use super::abi;

/// What C is to print, and the same from Rust.
#[derive(Default)]
struct Rows {
    c: String,
    rust: String,
}

/// Rows of one struct: its size, and size and offset of each member, by the name that it has in C.
macro_rules! layout {
    ($rows:ident, $type:ident as $name:literal: $($member:ident $(as $c:literal)?),*) => {{
        writeln!($rows.c, "SIZE({})", $name).unwrap();
        writeln!($rows.rust, "{} {}", $name, size_of::<abi::$type>()).unwrap();
        $(
            let member = layout!(@name $member $($c)?);
            let size = layout!(@size $type $member);
            writeln!($rows.c, "MEMBER({}, {})", $name, member).unwrap();
            let offset = offset_of!(abi::$type, $member);
            writeln!($rows.rust, "{}.{} {} {}", $name, member, size, offset).unwrap();
        )*
    }};
    (@name $member:ident $c:literal) => { $c };
    (@name $member:ident) => { stringify!($member) };
    (@size $type:ident $member:ident) => {{
        fn size<T, F>(_: impl Fn(&T) -> *const F) -> usize {
            size_of::<F>()
        }
        // SAFETY: only an address is taken, and the closure is never called.
        #[allow(unused_unsafe)]
        size(|object: &abi::$type| unsafe { std::ptr::addr_of!(object.$member) })
    }};
}

fn constant(rows: &mut Rows, name: &str, value: i64) {
    writeln!(rows.c, "CONSTANT(EXTFN_{name})").unwrap();
    writeln!(rows.rust, "EXTFN_{name} {value}").unwrap();
}

fn structs(rows: &mut Rows) {
    layout!(rows, Error as "extfn_error": status, os_errno, message);
    layout!(rows, Value as "extfn_value": type_ as "type", as_ as "as");
    layout!(rows, FunctionOptions as "extfn_function_options": struct_size, name, language, body,
        body_size, arg_types, arg_names, arg_count, return_type, is_pure, is_vectorized,
        source_path);
    layout!(rows, HostOptions as "extfn_host_options": struct_size, policy, is_unsandboxed_allowed,
        search_path, timeout_us, start_timeout_us, memory_bytes, tmp_bytes, warm_workers,
        interpreters, packages, uid_first, uid_count, are_module_files_forbidden, workers,
        idle_timeout_us, workers_memory_bytes, worker_age_us, worker_calls, is_spare_kept,
        memo_bytes);
    layout!(rows, Output as "extfn_output": stdout_data, stdout_size, stderr_data, stderr_size,
        is_unsandboxed);
    layout!(rows, CallOptions as "extfn_call_options": struct_size, timeout_us, deadline_us,
        chunk_rows, cancel, output, on_progress, context, workers, receipt, on_failure,
        failure_context);
    layout!(rows, Stats as "extfn_stats": struct_size, workers_started, workers_warm,
        workers_ended, workers_proven_gone, memo_hits, memo_misses, memo_entries, memo_bytes,
        memo_evictions);
    layout!(rows, Measure as "extfn_measure": dimensions, items, dimension_count, values);
}

/// The members of the union, which C names by a path.
fn union_members(rows: &mut Rows) {
    let at = offset_of!(abi::Value, as_);
    for (member, size, offset) in [
        ("number", size_of::<f64>(), 0),
        ("boolean", size_of::<bool>(), 0),
        ("datetime", size_of::<i64>(), 0),
        ("index", size_of::<u32>(), 0),
        (
            "text.data",
            size_of::<*mut u8>(),
            offset_of!(abi::ValueText, data),
        ),
        (
            "text.size",
            size_of::<usize>(),
            offset_of!(abi::ValueText, size),
        ),
        (
            "error.message",
            size_of::<*mut u8>(),
            offset_of!(abi::ValueError, message),
        ),
        (
            "error.size",
            size_of::<usize>(),
            offset_of!(abi::ValueError, size),
        ),
        (
            "error.kind",
            size_of::<abi::ErrorKind>(),
            offset_of!(abi::ValueError, kind),
        ),
    ] {
        writeln!(rows.c, "MEMBER(extfn_value, as.{member})").unwrap();
        writeln!(rows.rust, "extfn_value.as.{member} {size} {}", at + offset).unwrap();
    }
}

fn constants(rows: &mut Rows) {
    use super::convert::language_code;
    use improv_core_model::Language;
    for (name, value) in [
        ("OK", abi::OK),
        ("ENOTFOUND", abi::ENOTFOUND),
        ("EUNAVAILABLE", abi::EUNAVAILABLE),
        ("ETIMEOUT", abi::ETIMEOUT),
        ("ESANDBOX", abi::ESANDBOX),
    ] {
        constant(rows, name, value.into());
    }
    for (name, value) in [
        ("NONE", abi::NONE),
        ("NUMBER", abi::NUMBER),
        ("BOOLEAN", abi::BOOLEAN),
        ("TEXT", abi::TEXT),
        ("DATETIME", abi::DATETIME),
        ("ENUM", abi::ENUM),
        ("ERROR", abi::ERROR),
        ("KIND_CUSTOM", abi::KIND_CUSTOM),
        ("KIND_TYPE_MISMATCH", abi::KIND_TYPE_MISMATCH),
        ("KIND_DIMENSION_MISMATCH", abi::KIND_DIMENSION_MISMATCH),
        ("KIND_DIVISION_BY_ZERO", abi::KIND_DIVISION_BY_ZERO),
        ("KIND_MISSING_INPUT", abi::KIND_MISSING_INPUT),
        ("PYTHON", language_code(Language::Python)),
        ("R", language_code(Language::R)),
        ("JULIA", language_code(Language::Julia)),
        ("PURE", language_code(Language::Pure)),
        ("WASM", language_code(Language::Wasm)),
        ("RESTRICTED", 0),
        ("TRUSTED", 1),
    ] {
        constant(rows, name, value.into());
    }
    constant(rows, "MESSAGE_SIZE", abi::MESSAGE_SIZE as i64);
    constant(rows, "LANGUAGE_COUNT", abi::LANGUAGE_COUNT as i64);
}

#[test]
fn structs_and_codes_are_those_of_the_headers() {
    let mut rows = Rows::default();
    structs(&mut rows);
    union_members(&mut rows);
    constants(&mut rows);
    let folder = std::env::temp_dir().join(format!("extfn-layout-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("layout.inc"), &rows.c).expect("written");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/sys/layout.c");
    let built = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-std=gnu17", "-I", env!("EXTFN_HEADERS"), "-I"])
        .arg(&folder)
        .arg(&source)
        .arg("-o")
        .arg(folder.join("layout"))
        .output()
        .expect("a C compiler");
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{errors}");
    let told = Command::new(folder.join("layout"))
        .output()
        .expect("it runs");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(String::from_utf8_lossy(&told.stdout), rows.rust);
}
