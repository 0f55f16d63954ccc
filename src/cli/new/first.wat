;; extfn: NAME(price: number, quantity: number) -> number
;; extfn-example: NAME(2.5, 4) = 10
;; extfn-example: NAME(2.5, -1) = error: unreachable code reached
(module
  (func (export "improv_call") (param $price f64) (param $quantity f64) (result f64)
    (if (f64.lt (local.get $quantity) (f64.const 0)) (then unreachable))
    (f64.mul (local.get $price) (local.get $quantity))))
