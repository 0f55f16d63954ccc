;; extfn: wrong_signature() -> number
;; expect: ERROR module exports improv_call of the wrong type
;; layer: decoder
;; Results that its declaration does not know.
(module
  (func (export "improv_call") (result i64 i64 f64)
    (i64.const -1) (i64.const -1) (f64.const 0)))
