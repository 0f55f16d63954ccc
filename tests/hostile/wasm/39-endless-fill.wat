;; extfn: endless_fill() -> number
;; expect: TIMEOUT
;; layer: engine clock
;; Operations that take long each, between which nothing is looked at.
(module
  (memory 1000)
  (func (export "improv_call") (result f64)
    (loop $again
      (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536000))
      (memory.copy (i32.const 1) (i32.const 0) (i32.const 65535999))
      (br $again))
    (f64.const 0)))
