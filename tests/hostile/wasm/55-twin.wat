;; extfn: twin() -> number
;; expect: BLOCKED 0.0
;; layer: engine
;; steps: 2
;; A word for the next call, in all that a module keeps: memory, global, table.
(module
  (memory 1)
  (table $t 1 funcref)
  (elem declare func $mark)
  (global $left (mut f64) (f64.const 0))
  (func $mark)
  (func (export "improv_call") (result f64)
    (local $found f64)
    (local.set $found (f64.add (global.get $left) (f64.add (f64.load (i32.const 0))
      (f64.convert_i32_u (i32.sub (i32.const 1) (ref.is_null (table.get $t (i32.const 0))))))))
    (global.set $left (f64.const 1))
    (f64.store (i32.const 0) (f64.const 1))
    (table.set $t (i32.const 0) (ref.func $mark))
    (local.get $found)))
