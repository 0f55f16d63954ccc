;; extfn: memory_of_others() -> number
;; expect: BLOCKED 0.0
;; layer: engine
;; All that its memory holds at the start, once it has grown: zeros, whoever had it before.
(module
  (memory 1)
  (func (export "improv_call") (result f64)
    (local $at i32) (local $sum i64)
    (drop (memory.grow (i32.const 500)))
    (loop $next
      (local.set $sum (i64.or (local.get $sum) (i64.load (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 32833536))))
    (f64.convert_i64_u (local.get $sum))))
