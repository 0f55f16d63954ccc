;; extfn: allocation_elsewhere(secret: text) -> number
;; expect: ERROR improv_alloc(
;; layer: decoder engine
;; Wants its argument written outside of its memory.
(module
  (memory (export "memory") 1)
  (func (export "improv_alloc") (param i32) (result i32) (i32.const -16))
  (func (export "improv_call") (param i32 i32) (result f64) (f64.const 0)))
