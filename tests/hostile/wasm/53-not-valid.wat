;; extfn: not_valid() -> number
;; expect: ERROR module does not compile
;; layer: engine
;; A body whose types do not fit.
(module (func (export "improv_call") (result f64) (i64.load (f64.const 0))))
