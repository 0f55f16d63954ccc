;; extfn: table_at_the_start() -> number
;; expect: ERROR module has 4294967295 elements in its tables
;; layer: engine
;; A table of all that 32 bits can count.
(module
  (table 0xffffffff funcref)
  (func (export "improv_call") (result f64) (f64.const 0)))
