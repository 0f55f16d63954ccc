;; extfn: table() -> number
;; expect: CONTAINED
;; layer: engine
;; Memory by way of a table.
(module
  (table $t 1 funcref)
  (func (export "improv_call") (result f64)
    (loop $again
      (br_if $again (i32.ge_s (table.grow $t (ref.null func) (i32.const 1000000)) (i32.const 0))))
    (f64.convert_i32_u (table.size $t))))
