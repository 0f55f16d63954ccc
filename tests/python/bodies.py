"""Functions of the tests: one for each type, in each language. SPDX-License-Identifier: MIT"""
import json
import os
import unittest

import extfn

WAT = """(module (memory (export "memory") 1)
  (func (export "improv_alloc") (param i32) (result i32) i32.const 64)
  (func (export "improv_call") {}))"""

# The argument comes back; of Wasm by what a module has for the type.
BODIES = {
    "Python": dict.fromkeys(("Number", "Boolean", "Text", "DateTime", "Enum"), "result = args[0]"),
    "R": dict.fromkeys(("Number", "Boolean", "Text", "DateTime", "Enum"), "result <- args[[1]]"),
    "Julia": dict.fromkeys(("Number", "Boolean", "Text", "DateTime", "Enum"), "result = args[1]"),
    "Wasm": {
        "Number": WAT.format("(param f64) (result f64) local.get 0"),
        "Boolean": WAT.format("(param i32) (result i32) local.get 0"),
        "Text": WAT.format("(param i32 i32) (result i64) (i64.or (i64.shl (i64.extend_i32_u"
                           " (local.get 0)) (i64.const 32)) (i64.extend_i32_u (local.get 1)))"),
        "DateTime": WAT.format("(param i64) (result i64) local.get 0"),
        "Enum": WAT.format("(param i32) (result i32) local.get 0"),
    },
}


def make(body, types=("Number", "Number"), returns="Number", language="Python", name="f",
         pure=True, names=None):
    """A function of a descriptor; its arguments are x, y, ..."""
    if language == "Wasm" and not body.startswith(("wat:", "base64:", "/")):
        body = f"wat:{body}"
    names = list("xyzuvw"[:len(types)]) if names is None else names
    return extfn.Function.from_json(json.dumps({
        "name": name, "language": language, "body": body, "arg_types": list(types),
        "return_type": returns, "pure": pure, "arg_names": names}))


def identity(language, type_word):
    return make(BODIES[language][type_word], [type_word], type_word, language, "same")


def is_there(language):
    """Whether it can be used; raises where EXTFN_TEST_REQUIRE names it and it cannot."""
    try:
        identity(language, "Number")(1)
    except extfn.LanguageUnavailable as error:
        if language.lower() in os.environ.get("EXTFN_TEST_REQUIRE", "").split(","):
            raise error
        return False
    return True


def skip_without(language, error):
    """In a test: skipped, unless EXTFN_TEST_REQUIRE names the language."""
    if language.lower() in os.environ.get("EXTFN_TEST_REQUIRE", "").split(","):
        raise error
    raise unittest.SkipTest(f"needs {language}: {error}")
