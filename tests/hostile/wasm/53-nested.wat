;; extfn: nested() -> number
;; expect: ERROR module text is not valid
;; layer: engine
;; More opened than is closed, to bring down a parser.
(module (func (export "improv_call") (result f64) ((((((((((((((((((((((((((((((((((((((((((((((
