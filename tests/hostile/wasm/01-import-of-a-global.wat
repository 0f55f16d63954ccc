;; extfn: import_of_a_global() -> number
;; expect: ERROR module imports env.
;; layer: engine
;; A name that is empty, and one that is not text.
(module
  (import "env" "" (global i32))
  (func (export "improv_call") (result f64) (f64.const 0)))
