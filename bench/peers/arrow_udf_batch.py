"""arrow_udf_batch.py ROWS|cold: the Python package arrow-udf, a function over one record batch in
this process, without its Flight server.

SPDX-License-Identifier: MIT
"""
import importlib.metadata
import sys

import bodies
import meter

try:
    import arrow_udf
    import pyarrow
except ImportError as error:
    meter.missing(error)


def make(body, types, result):
    function = arrow_udf.udf(input_types=types, result_type=result)(body)
    return lambda batch: next(function.eval_batch(batch)).column(0)


def main(word):
    number = pyarrow.float64()
    functions = {name: make(body, [number] * 2, number)
                 for name, body in bodies.OF_NUMBERS.items()}
    functions["text"] = make(bodies.shout, [pyarrow.string()], pyarrow.string())
    one = pyarrow.RecordBatch.from_pydict({"x": [2.0], "y": [3.0]})

    def call():
        return functions["add"](one)[0].as_py()

    meter.ready("arrow-udf " + importlib.metadata.version("arrow-udf"))
    if word == "cold":
        meter.answer(0, call())
        return
    x, y = bodies.numbers(int(word))
    numbers = pyarrow.RecordBatch.from_pydict({"x": x, "y": y})
    texts = pyarrow.RecordBatch.from_pydict({"x": bodies.texts(int(word))})
    measures = {"arrow-udf call": meter.of_calls(call)}
    for name, function in functions.items():
        batch, total = (texts, bodies.sum_texts) if name == "text" else (numbers, sum)
        measures[f"arrow-udf {name}"] = meter.of_column(
            lambda function=function, batch=batch: function(batch),
            lambda column, total=total: total(column.to_pylist()))
    meter.serve(measures)


if __name__ == "__main__":
    main(sys.argv[1])
