"""duckdb_udf.py ROWS|cold: DuckDB's Python functions, native (a call a row) and arrow (a call a
vector), over a table in memory, with one thread. What a query returns is the sum.

SPDX-License-Identifier: MIT
"""
import sys

import bodies
import meter

try:
    import duckdb
    import pyarrow
    import pyarrow.compute
except ImportError as error:
    meter.missing(error)

DATA = """CREATE TABLE data AS SELECT 0.5::DOUBLE * i AS x, (i % 7)::DOUBLE AS y,
    'item ' || i AS t FROM range({}) AS rows(i)"""
SUM = "SELECT sum({}(x, y)) FROM data"
SUM_TEXTS = """WITH results AS MATERIALIZED (SELECT {}(t) AS v FROM data)
    SELECT sum(length(v) + ascii(v)) FROM results"""


def rows_of(body):
    """An arrow function that calls the body for each row, as a user writes it."""
    def of_numbers(x, y):
        return pyarrow.array([body(a, b) for a, b in zip(x.to_pylist(), y.to_pylist())],
                             pyarrow.float64())
    return of_numbers


def shout_rows(texts):
    return pyarrow.array([bodies.shout(text) for text in texts.to_pylist()], pyarrow.string())


def add_vectors(x, y):
    return pyarrow.compute.add(x, y)


def connect():
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    for name, body in bodies.OF_NUMBERS.items():
        connection.create_function(f"native_{name}", body, ["DOUBLE"] * 2, "DOUBLE")
        connection.create_function(f"arrow_{name}", rows_of(body), ["DOUBLE"] * 2, "DOUBLE",
                                   type="arrow")
    connection.create_function("native_text", bodies.shout, ["VARCHAR"], "VARCHAR")
    connection.create_function("arrow_text", shout_rows, ["VARCHAR"], "VARCHAR", type="arrow")
    connection.create_function("arrow_vector", add_vectors, ["DOUBLE"] * 2, "DOUBLE",
                               type="arrow")
    return connection


def main(word):
    connection = connect()

    def query(text, *arguments):
        return connection.execute(text, arguments).fetchone()[0]

    meter.ready(f"DuckDB {duckdb.__version__}")
    if word == "cold":
        meter.answer(0, query("SELECT native_add(2.0::DOUBLE, 3.0::DOUBLE)"))
        return
    connection.execute(DATA.format(word))
    measures = {f"duckdb {kind} {name}": meter.of_column(lambda text=text: query(text))
                for kind in ("native", "arrow") for name in (*bodies.OF_NUMBERS, "text", "vector")
                for text in [(SUM_TEXTS if name == "text" else SUM).format(f"{kind}_{name}")]}
    for kind in "native", "arrow":
        measures[f"duckdb {kind} call"] = meter.of_calls(
            lambda text=f"SELECT {kind}_add(?, ?)": query(text, 2.0, 3.0))
    meter.serve(measures)


if __name__ == "__main__":
    main(sys.argv[1])
