"""spark_udf.py ROWS|cold: Spark's pandas UDF over a cached table, with both processors: one for its
Java, one for its Python.

SPDX-License-Identifier: MIT
"""
import os
import shutil
import sys
import tempfile

import bodies
import meter

try:
    import pandas
    import pyspark
    from pyspark.sql import SparkSession, functions
except ImportError as error:
    meter.missing(error)


def quiet():
    """Spark says much while it starts; it is kept for whom it fails."""
    log = tempfile.TemporaryFile()
    os.dup2(log.fileno(), 2)
    return log


def start():
    if not shutil.which("java"):
        meter.missing("no java; ./dev setup bench installs it")
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    builder = SparkSession.builder.master("local[2]")
    for name, value in {"ui.enabled": "false", "driver.memory": "2g", "log.level": "ERROR",
                        "ui.showConsoleProgress": "false",
                        "sql.shuffle.partitions": "2"}.items():
        builder = builder.config(f"spark.{name}", value)
    return builder.getOrCreate()


def rows_of(body):
    def of_numbers(x: pandas.Series, y: pandas.Series) -> pandas.Series:
        return pandas.Series([body(a, b) for a, b in zip(x, y)])
    return functions.pandas_udf(of_numbers, "double")


def shout_rows(texts: pandas.Series) -> pandas.Series:
    return pandas.Series([bodies.shout(text) for text in texts])


def add_vectors(x: pandas.Series, y: pandas.Series) -> pandas.Series:
    return x + y


def main(word):
    log = quiet()
    try:
        session = start()
    except RuntimeError as error:
        log.seek(0)
        meter.missing(f"{error} {log.read()[-300:]}")
    rows = 1 if word == "cold" else int(word)
    table = session.range(rows).selectExpr("0.5D * id AS x", "double(id % 7) AS y",
                                           "concat('item ', id) AS t").cache()
    one = session.sql("SELECT 2.0D AS x, 3.0D AS y")
    of_numbers = {name: rows_of(body) for name, body in bodies.OF_NUMBERS.items()}
    of_numbers["vector"] = functions.pandas_udf(add_vectors, "double")
    shout = functions.pandas_udf(shout_rows, "string")

    def add(data, name="add"):
        return data.agg(functions.sum(of_numbers[name]("x", "y"))).first()[0]

    def texts():
        results = table.select(shout("t").alias("v"))
        return results.agg(functions.sum(functions.length("v") + functions.ascii("v"))).first()[0]

    if word == "cold":
        meter.ready(f"Spark {pyspark.__version__}")
        meter.answer(0, add(one))
        return
    table.count()  # fills the cache
    meter.ready(f"Spark {pyspark.__version__}")
    measures = {f"spark {name}": meter.of_column(lambda name=name: add(table, name))
                for name in of_numbers}
    measures["spark text"] = meter.of_column(texts)
    measures["spark call"] = meter.of_calls(lambda: add(one), 3)
    meter.serve(measures)


if __name__ == "__main__":
    main(sys.argv[1])
