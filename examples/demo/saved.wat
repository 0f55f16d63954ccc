;; extfn: saved(price: number, quantity: number, paid: number) -> number
(module
  (func (export "improv_call") (param $price f64) (param $quantity f64) (param $paid f64) (result f64)
    (f64.div
      (f64.nearest (f64.mul (f64.const 100)
        (f64.sub (f64.mul (local.get $price) (local.get $quantity)) (local.get $paid))))
      (f64.const 100))))
;; extfn-example: saved(10, 2, 15) = 5
