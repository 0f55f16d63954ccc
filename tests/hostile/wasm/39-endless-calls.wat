;; extfn: endless_calls() -> number
;; expect: TIMEOUT
;; layer: engine clock
;; Calls without a loop: twice as many for each level.
(module
  (func $double (param $n i32)
    (if (local.get $n) (then
      (call $double (i32.sub (local.get $n) (i32.const 1)))
      (call $double (i32.sub (local.get $n) (i32.const 1))))))
  (func (export "improv_call") (result f64) (call $double (i32.const 60)) (f64.const 0)))
