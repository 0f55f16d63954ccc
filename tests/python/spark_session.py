"""A Spark for the tests: a driver here and two executors, processes of their own, out of nothing
but the pyspark package. SPDX-License-Identifier: MIT
"""
import contextlib
import os
import pathlib
import shutil
import sys
import tempfile

import extfn
import pyspark
from pyspark.sql import SparkSession

# For processes that live for a minute.
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {"ui.enabled": "false", "ui.showConsoleProgress": "false", "log.level": "OFF",
            "driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1",
            "driver.extraJavaOptions": QUICK, "executor.extraJavaOptions": QUICK,
            "default.parallelism": "2", "task.maxFailures": "2", "sql.shuffle.partitions": "2",
            "sql.session.timeZone": "America/New_York",
            "sql.execution.arrow.maxRecordsPerBatch": "500"}


@contextlib.contextmanager
def started():
    """The session, on two executors with a core each."""
    with contextlib.ExitStack() as stack:
        # Executors work in SPARK_HOME/work, and the folder of the package may be another user's.
        home = pathlib.Path(tempfile.mkdtemp(prefix="extfn-test-spark-"))
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        for entry in pathlib.Path(pyspark.__file__).parent.iterdir():
            (home / entry.name).symlink_to(entry)
        # The name of this machine need not be one that can be looked up.
        os.environ |= {"SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable,
                       "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}
        settings = SETTINGS | {
            "executorEnv.PYTHONPATH": str(pathlib.Path(extfn.__file__).parent.parent),
            "local.dir": str(home / "local"), "sql.warehouse.dir": str(home / "warehouse")}
        builder = SparkSession.builder.master("local-cluster[2,1,1024]")
        for name, value in settings.items():
            builder = builder.config(f"spark.{name}", value)
        session = builder.getOrCreate()
        stack.callback(session.stop)
        yield session
