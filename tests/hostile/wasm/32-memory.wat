;; extfn: memory() -> number
;; expect: CONTAINED
;; layer: engine
;; As many pages as it can get.
(module
  (memory 1)
  (func (export "improv_call") (result f64)
    (loop $again (br_if $again (i32.ge_s (memory.grow (i32.const 100)) (i32.const 0))))
    (f64.convert_i32_u (memory.size))))
