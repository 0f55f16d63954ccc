;; extfn: memory_at_the_start() -> number
;; expect: MEMORY
;; layer: engine
;; All of 32 bits, before it begins.
(module
  (memory 65536)
  (func (export "improv_call") (result f64) (f64.convert_i32_u (memory.size))))
