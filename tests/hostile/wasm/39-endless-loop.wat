;; extfn: endless_loop() -> number
;; expect: TIMEOUT
;; layer: engine clock
;; Computes for ever, in the host's own thread.
(module (func (export "improv_call") (result f64) (loop $again (br $again)) (f64.const 0)))
