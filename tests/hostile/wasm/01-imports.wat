;; extfn: imports() -> number
;; expect: ERROR module imports wasi_snapshot_preview1.path_open
;; layer: engine
;; The host's files, by the interface that most hosts give.
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (func (export "improv_call") (result f64) (f64.const 0)))
