// SPDX-License-Identifier: MIT
//! Finds libextfn: the build tree that EXTFN_BUILD_DIR names, else the installed one (pkg-config),
//! else the build tree beside these crates. A build tree is linked statically, so that a program
//! needs no search path to run; an installed library dynamically, unless EXTFN_STATIC=1.
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const MISSING: &str = "libextfn is not here: install it, so that pkg-config finds `extfn`, \
    or name a build tree of it: EXTFN_BUILD_DIR=FOLDER";

fn main() {
    for name in [
        "EXTFN_BUILD_DIR",
        "EXTFN_STATIC",
        "PKG_CONFIG",
        "PKG_CONFIG_PATH",
        "PKG_CONFIG_SYSROOT_DIR",
    ] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let headers = match env::var_os("EXTFN_BUILD_DIR") {
        Some(folder) => {
            let folder = PathBuf::from(folder);
            assert!(
                link_build_tree(&folder),
                "no libextfn in {folder:?}; ninja -C there makes it"
            );
            root.join("include")
        }
        None => link_installed().unwrap_or_else(|| {
            assert!(link_build_tree(&root.join("build")), "{MISSING}");
            root.join("include")
        }),
    };
    println!("cargo:rustc-env=EXTFN_HEADERS={}", headers.display());
}

fn link_build_tree(folder: &Path) -> bool {
    let folder = folder.join("src");
    let library = folder.join("libextfn.a");
    if !library.exists() {
        return false;
    }
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=extfn");
    println!("cargo:rustc-link-lib=m");
    true
}

/// Links what pkg-config tells, and returns the folder of the headers.
fn link_installed() -> Option<PathBuf> {
    let is_static = env::var_os("EXTFN_STATIC").is_some_and(|value| value == "1");
    let mode = if is_static { "--static" } else { "--shared" };
    for word in pkg_config(&[mode, "--libs", "extfn >= 0.1"])?.split_whitespace() {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(name) = word.strip_prefix("-l") {
            let kind = if is_static && name == "extfn" {
                "static"
            } else {
                "dylib"
            };
            println!("cargo:rustc-link-lib={kind}={name}");
        }
    }
    pkg_config(&["--variable=includedir", "extfn"]).map(|folder| folder.trim().into())
}

fn pkg_config(arguments: &[&str]) -> Option<String> {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let output = Command::new(program).args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
