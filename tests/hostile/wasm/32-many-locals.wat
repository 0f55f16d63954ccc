;; extfn: many_locals() -> number
;; expect: ERROR call stack exhausted
;; layer: engine
;; A frame that leaves the stack in one step, beyond any guard page.
(module
  (func $wide (param $again i32) (result f64)
    (local v128 v128 v128 v128 v128 v128 v128 v128 v128 v128 v128 v128 v128 v128 v128 v128)
    (call $wide (local.get $again)))
  (func (export "improv_call") (result f64) (call $wide (i32.const 1))))
