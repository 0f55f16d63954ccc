;; extfn: recursion() -> number
;; expect: ERROR call stack exhausted
;; layer: engine
;; Calls itself for ever, on the stack of the host's thread.
(module
  (func $deeper (param i64 i64 i64 i64) (result f64)
    (f64.add (f64.const 1)
      (call $deeper (local.get 3) (local.get 2) (local.get 1) (local.get 0))))
  (func (export "improv_call") (result f64)
    (call $deeper (i64.const 1) (i64.const 2) (i64.const 3) (i64.const 4))))
