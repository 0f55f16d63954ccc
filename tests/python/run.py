"""run.py SOURCE BUILD MODULE [WORD...]: one module of tests, in the virtual environment of
setup/python and with the package as a wheel that this build made and installed in a folder of its
own. Without the environment it is skipped, and failed if EXTFN_TEST_REQUIRE names one of the words.

SPDX-License-Identifier: MIT
"""
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE, BUILD, MODULE, *WORDS = sys.argv[1:]
PLACE = pathlib.Path(BUILD, "python-package")
SITE = PLACE / "site"
RECIPES = ("meson.build", "meson_options.txt", "bindings/python/meson.build",
           "bindings/python/pyproject.toml")


def skip(why, words):
    required = os.environ.get("EXTFN_TEST_REQUIRE", "").split(",")
    print(why, file=sys.stderr)
    sys.exit(1 if set(words) & set(required) else 77)


def find_python():
    folder = subprocess.run([f"{SOURCE}/setup/python/venv", "where"], text=True, check=True,
                            stdout=subprocess.PIPE).stdout.strip()
    if not pathlib.Path(folder, "complete").exists():
        skip("needs what ./dev setup python installs: setup/python/requirements.txt", WORDS)
    if "spark" in WORDS and not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        skip("needs java, which ./dev setup python installs too", ["spark"])
    return f"{folder}/bin/python"


def newest(*names):
    """When the newest file of these, or of these folders, was written."""
    paths = [pathlib.Path(SOURCE, name) for name in names]
    return max(path.stat().st_mtime for root in paths
               for path in [root, *root.rglob("*")] if path.is_file())


def install(python):
    """Builds the wheel and installs it, unless what is there is newer than all sources."""
    PLACE.mkdir(exist_ok=True)
    with open(PLACE / "lock", "w", encoding="utf-8") as lock, \
            open(PLACE / "log", "w", encoding="utf-8") as log:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mark = SITE / "installed"
        made = mark.stat().st_mtime if mark.exists() else 0
        if made > newest("bindings/python", "guest", "include", "src", *RECIPES):
            return
        shutil.rmtree(SITE, ignore_errors=True)
        shutil.rmtree(PLACE / "wheel", ignore_errors=True)
        if made < newest(*RECIPES):  # meson keeps the options that a folder began with
            shutil.rmtree(PLACE / "build", ignore_errors=True)
        environment = {**os.environ, "CC": "gcc",
                       "PATH": f"{os.path.dirname(python)}:{os.environ['PATH']}"}
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        for command in (
                ["wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir",
                 PLACE / "wheel", f"--config-settings=build-dir={PLACE}/build",
                 "--config-settings=setup-args=-Dwerror=true",
                 f"{SOURCE}/bindings/python"],
                ["install", "--no-deps", "--no-index", "--target", SITE, "--find-links",
                 PLACE / "wheel", "extfn"]):
            done = subprocess.run(pip + command, env=environment, stdout=log, check=False,
                                  stderr=subprocess.STDOUT)
            if done.returncode != 0:
                print((PLACE / "log").read_text(), file=sys.stderr)
                sys.exit(1)
        mark.touch()


def main():
    python = find_python()
    install(python)
    here = os.path.dirname(os.path.abspath(__file__))
    environment = {**os.environ, "PYTHONPATH": f"{SITE}:{here}", "PYTHONDONTWRITEBYTECODE": "1",
                   "EXTFN_SOURCE": SOURCE, "EXTFN_SITE": str(SITE),
                   "EXTFN_WHEELS": str(PLACE / "wheel")}
    os.execve(python, [python, "-m", "unittest", "-v", MODULE], environment)


if __name__ == "__main__":
    main()
