;; extfn: tax(margin: number, rate: number) -> number
(module
  (func (export "improv_call") (param $margin f64) (param $rate f64) (result f64)
    (f64.mul (local.get $rate) (f64.max (local.get $margin) (f64.const 0)))))
