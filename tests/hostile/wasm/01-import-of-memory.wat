;; extfn: import_of_memory() -> number
;; expect: ERROR module imports env.memory
;; layer: engine
;; The host's memory, or that of another module.
(module
  (import "env" "memory" (memory 1))
  (func (export "improv_call") (result f64) (f64.load (i32.const 0))))
