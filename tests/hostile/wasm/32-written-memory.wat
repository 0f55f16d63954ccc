;; extfn: written_memory() -> number
;; expect: MEMORY
;; layer: engine
;; As many pages as it can get, each of them written.
(module
  (memory 1)
  (func (export "improv_call") (result f64)
    (loop $again
      (if (i32.lt_s (memory.grow (i32.const 16)) (i32.const 0)) (then unreachable))
      (memory.fill
        (i32.mul (i32.sub (memory.size) (i32.const 16)) (i32.const 65536))
        (i32.const 1) (i32.const 1048576))
      (br $again))
    (f64.const 0)))
