;; extfn: text_elsewhere() -> text
;; expect: ERROR result text of 2147483647 bytes at 4294967280 is outside of the memory
;; layer: decoder engine
;; A text that lies outside of its memory.
(module
  (memory (export "memory") 1)
  (func (export "improv_alloc") (param i32) (result i32) (i32.const 0))
  (func (export "improv_call") (result i64) (i64.const 0xfffffff07fffffff)))
