"""prototypes.py SOURCE: what bindings/rust declares of the C library is what the headers declare.

Compared are names, arguments and results of functions, each C type as Rust has to write it; sizes
and offsets of structs are compared by the crate's own test. SPDX-License-Identifier: MIT
"""
import pathlib
import re
import sys

WORDS = {"void": "c_void", "char": "c_char", "int": "c_int", "double": "f64", "bool": "bool",
         "size_t": "usize", "int64_t": "i64", "uint64_t": "u64", "uint32_t": "u32",
         "uint8_t": "u8"}


def read_headers(source):
    """The text of all public headers, without comments, macros and annotations."""
    text = "".join(path.read_text() for path in
                   sorted(pathlib.Path(source, "include/extfn").glob("*.h")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"^#.*?[^\\]$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\bEXTFN_(API|MUST_CHECK|OWN|BEGIN|END)\b", "", text)


def rust_word(word):
    """extfn_error_kind is ErrorKind."""
    name = word.removeprefix("extfn_")
    return WORDS.get(word) or "".join(part.capitalize() for part in name.split("_"))


def rust_type(text):
    """`const extfn_column *const *` is `*const *const Column`."""
    base, *stars = re.sub(r"\s+", " ", text.replace("*", " * ")).strip().split("*")
    word = rust_word(base.replace("const", "").strip())
    if word.endswith("Fn"):
        return f"Option<{word}>"
    pointee_const = ["const" in base, *("const" in star for star in stars)]
    for constant in pointee_const[:len(stars)]:
        word = f"*{'const' if constant else 'mut'} {word}"
    return word


def from_headers(text):
    """Each function as `(argument types) -> result`."""
    found = {}
    pattern = r"((?:const )?\w+[\s*]+)(extfn_\w+)\(([^()]*)\)\s*;"
    for result, name, arguments in re.findall(pattern, text):
        types = [] if arguments.strip() == "void" else \
            [rust_type(re.sub(r"\w+\s*$", "", argument)) for argument in arguments.split(",")]
        found[name] = f"({', '.join(types)}) -> {rust_type(result)}"
    return found


def from_rust(text):
    """The same of what abi.rs declares."""
    found = {}
    for name, arguments, result in re.findall(
            r"pub fn (extfn_\w+)\(([^()]*)\)(?: -> ([^;]+))?;", text):
        types = [re.sub(r"\s+", " ", argument.split(":", 1)[1]).strip()
                 for argument in arguments.split(",") if argument.strip()]
        found[name] = f"({', '.join(types)}) -> {(result or 'c_void').strip()}"
    return found


def main(source):
    headers = from_headers(read_headers(source))
    abi = pathlib.Path(source, "bindings/rust/improv_extfn/src/sys/abi.rs").read_text()
    declared = from_rust(abi)
    if len(declared) < 40 or len(headers) < len(declared):
        sys.exit(f"only {len(declared)} declarations and {len(headers)} prototypes were understood")
    wrong = [f"{name}\n  Rust: {here}\n  C:    {headers.get(name, 'not there')}"
             for name, here in declared.items() if headers.get(name) != here]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(declared)} functions as the headers have them")


if __name__ == "__main__":
    main(sys.argv[1])
