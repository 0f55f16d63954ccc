;; extfn: endless_start() -> number
;; expect: TIMEOUT
;; layer: engine clock
;; Computes for ever before it is called.
(module
  (func $start (loop $again (br $again)))
  (start $start)
  (func (export "improv_call") (result f64) (f64.const 0)))
