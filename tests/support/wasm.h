/* Modules for tests. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_WASM_H
#define XF_TESTS_WASM_H

#define WASM_FUNCTION(params, body)                                                                \
    "wat:(module (func (export \"improv_call\") " params " (result f64) " body "))"

/* Twice its argument. */
#define WASM_TWICE WASM_FUNCTION("(param f64)", "(f64.add (local.get 0) (local.get 0))")

/* Twice its argument; for 70, 71 and 130 it never ends, for 140 it traps. */
#define WASM_TWICE_BUT_SOME                                                                        \
    WASM_FUNCTION("(param f64)", "(if (i32.or (i32.or (f64.eq (local.get 0) (f64.const 70))"       \
                                 " (f64.eq (local.get 0) (f64.const 71)))"                         \
                                 " (f64.eq (local.get 0) (f64.const 130))) (then (loop (br 0))))"  \
                                 " (if (f64.eq (local.get 0) (f64.const 140)) (then unreachable))" \
                                 " (f64.add (local.get 0) (local.get 0))")

#define WASM_ENDLESS WASM_FUNCTION("", "(loop (br 0)) (f64.const 1)")

/* Calls itself for ever. */
#define WASM_DEEP                                                                                  \
    "wat:(module (func $f (export \"improv_call\") (result f64)"                                   \
    " (f64.add (f64.const 1) (call $f))))"

/* How often it was called before, in this instance. */
#define WASM_COUNT                                                                                 \
    "wat:(module (memory 1) (global $n (mut f64) (f64.const 0))"                                   \
    " (func (export \"improv_call\") (param f64) (result f64)"                                     \
    " (global.set $n (f64.add (global.get $n) (f64.const 1)))"                                     \
    " (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))"                  \
    " (f64.add (global.get $n) (f64.convert_i32_s (i32.load (i32.const 8))))))"

/* Grows its memory by that many pages, and traps where it cannot; returns the former pages. */
#define WASM_GROW                                                                                  \
    "wat:(module (memory 1) (func (export \"improv_call\") (param f64) (result f64) (local i32)"   \
    " (local.set 1 (memory.grow (i32.trunc_f64_s (local.get 0))))"                                 \
    " (if (i32.lt_s (local.get 1) (i32.const 0)) (then unreachable))"                              \
    " (f64.convert_i32_s (local.get 1))))"

#endif
