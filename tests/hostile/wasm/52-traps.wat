;; extfn: traps(step: number) -> number
;; expect: ERROR unreachable | memory access | integer divide | number does | indirect call | indirect call | table access
;; layer: engine
;; steps: 7
;; Everything that ends a module on its own account.
(module
  (memory 1)
  (table 2 2 funcref)
  (type $other (func (param i64)))
  (elem (i32.const 1) $nothing)
  (func $nothing)
  (func (export "improv_call") (param $step f64) (result f64)
    (block $6 (block $5 (block $4 (block $3 (block $2 (block $1 (block $0
      (br_table $0 $1 $2 $3 $4 $5 $6 (i32.trunc_f64_u (local.get $step))))
      unreachable)
      (return (f64.load (i32.const -8))))
      (return (f64.convert_i32_s (i32.div_s (i32.const 1) (i32.const 0)))))
      (return (f64.convert_i32_s (i32.trunc_f64_s (f64.const nan)))))
      (call_indirect (i32.const 0)))
      (call_indirect (type $other) (i64.const 0) (i32.const 1)))
      (call_indirect (i32.const 2))
    (f64.const 0)))
