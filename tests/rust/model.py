"""model.py SOURCE BUILD: improv_extfn builds over a model crate that is not ours, whose folder is
named in its Cargo.toml, and columns and JSON come through. SPDX-License-Identifier: MIT
"""
import pathlib
import shutil
import subprocess
import sys

import cargo


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path}: {old}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def main(source, build):
    cargo.require(skipped=77)
    folder = pathlib.Path(build, "rust-model")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(f"{source}/bindings/rust/improv_extfn", folder / "improv_extfn")
    shutil.copytree(f"{source}/tests/rust/model", folder / "model")
    shutil.copy(f"{source}/bindings/rust/Cargo.toml", folder)
    change(folder / "Cargo.toml", '"improv_core_model", ', '"model", ')
    change(folder / "improv_extfn/Cargo.toml", "../improv_core_model", "../model")
    for tests in (["--lib", "column::"], ["--test", "host", "json"]):
        done = subprocess.run(
            ["cargo", "test", "--offline", "-p", "improv_extfn", *tests], cwd=folder,
            env=cargo.environment(build, CARGO_TARGET_DIR=f"{build}/rust-model/target"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode or " 0 passed" in done.stdout:
            print(done.stdout)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
