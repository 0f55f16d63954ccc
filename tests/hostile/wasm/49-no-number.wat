;; extfn: no_number() -> number
;; expect: BLOCKED {"__improv__": "number", "value": "NaN"}
;; layer: engine decoder
;; A NaN with a payload, which could tell something, has none when it arrives.
(module
  (func (export "improv_call") (result f64)
    (f64.reinterpret_i64 (i64.const 0x7ff4deadbeef0001))))
