"""postgres.py ROWS: PL/Python and PL/R in a server of their own, on a socket in a folder of its own
that is gone at the end. Root hands the server to an ordinary user, since PostgreSQL refuses root.

SPDX-License-Identifier: MIT
"""
import inspect
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

import bodies
import meter

try:
    import psycopg2
except ImportError as error:
    meter.missing(error)

BINARIES = pathlib.Path("/usr/lib/postgresql/15/bin")
LIBRARIES = pathlib.Path("/usr/lib/postgresql/15/lib")
SETTINGS = """listen_addresses= shared_buffers=256MB work_mem=256MB fsync=off jit=off autovacuum=off
    max_parallel_workers_per_gather=0 logging_collector=off""".split()
OPTION = [option for setting in SETTINGS for option in ("-c", setting)]
DATA = """CREATE UNLOGGED TABLE data AS SELECT 0.5::float8 * i AS x, (i % 7)::float8 AS y,
        'item ' || i AS t FROM generate_series(0, {} - 1) AS rows(i);
    CREATE UNLOGGED TABLE arrays AS
        SELECT array_agg(x) AS x, array_agg(y) AS y FROM data;
    VACUUM ANALYZE data"""
SUM = "SELECT sum({}(x, y)) FROM data"
SUM_TEXTS = """SELECT sum(length(v) + ascii(v)) FROM
    (SELECT {}(t) AS v FROM data OFFSET 0) AS results"""  # OFFSET: one call a row, not two
SUM_ARRAYS = "SELECT sum(v) FROM arrays, unnest({}(x, y)) AS v"
NUMBERS, TEXT = ("x float8, y float8", "float8"), ("x text", "text")
ARRAYS = ("x float8[], y float8[]", "float8[]")


def source_of(function):
    """Its statements, which is what PL/Python wants."""
    return textwrap.dedent("".join(inspect.getsourcelines(function)[0][1:]))


FUNCTIONS = [  # of which language, name, types, body
    *(("plpython", name, NUMBERS, source_of(body)) for name, body in bodies.OF_NUMBERS.items()),
    ("plpython", "text", TEXT, source_of(bodies.shout)),
    ("plr", "add", NUMBERS, "result <- x + y\nresult"),
    ("plr", "branch", NUMBERS,
     "if (x > y) {\n  result <- x - y\n} else {\n  result <- y * 2\n}\nresult"),
    ("plr", "text", TEXT, "result <- paste0(x, '!')\nresult"),
    ("plr", "vector", ARRAYS, "result <- x + y\nresult"),
]
LANGUAGES = {"plpython": "plpython3u", "plr": "plr"}


class Server:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="extfn-bench-pg-")
        self.command = []
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.command = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}",
                            "--clear-groups"]
        self.process = None

    def __enter__(self):
        data = self.folder + "/data"
        subprocess.run([*self.command, BINARIES / "initdb", "-D", data, "-U", "bench", "-A",
                        "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
                       check=True, stdout=subprocess.DEVNULL, cwd="/")
        prefix = self.command or ["setpriv"]
        self.process = subprocess.Popen([*prefix, "--pdeathsig=INT", BINARIES / "postgres", "-D",
                                         data, "-k", self.folder, *OPTION],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=open(self.folder + "/log", "wb"), cwd="/")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)

    def connect(self):
        connection = psycopg2.connect(host=self.folder, user="bench", dbname="postgres")
        connection.autocommit = True
        return connection

    def wait(self):
        """Until it answers, for 30 seconds."""
        end = time.monotonic() + 30
        while True:
            try:
                return self.connect()
            except psycopg2.OperationalError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.05)


def prepare(query, rows):
    for language in LANGUAGES.values():
        query(f"CREATE EXTENSION {language}")
    for language, name, (arguments, result), body in FUNCTIONS:
        query(f"CREATE FUNCTION {language}_{name}({arguments}) RETURNS {result} "
              f"LANGUAGE {LANGUAGES[language]} AS $body$\n{body}$body$")
    for statement in DATA.format(rows).split(";"):
        query(statement)
    for language in LANGUAGES:
        query(f"PREPARE {language}_call(float8, float8) AS SELECT {language}_add($1, $2)")


def cold(server, language):
    """A new session and its first call."""
    start = time.perf_counter()
    connection = server.connect()
    cursor = connection.cursor()
    cursor.execute(f"SELECT {language}_add(2, 3)")
    result = cursor.fetchone()[0]
    connection.close()
    return time.perf_counter() - start, result


def measures_of(server, query):
    forms = {NUMBERS: SUM, TEXT: SUM_TEXTS, ARRAYS: SUM_ARRAYS}
    measures = {}
    for language, name, types, _ in FUNCTIONS:
        text = forms[types].format(f"{language}_{name}")
        measures[f"{language} {name}"] = meter.of_column(lambda text=text: query(text))
    for language in LANGUAGES:
        measures[f"{language} call"] = meter.of_calls(
            lambda text=f"EXECUTE {language}_call(2, 3)": query(text))
        measures[f"{language} cold"] = lambda language=language: cold(server, language)
    return measures


def main(rows):
    for library in "plpython3.so", "plr.so":
        if not (LIBRARIES / library).exists():
            meter.missing(f"no {LIBRARIES / library}; ./dev setup bench installs it")
    with Server() as server:
        connection = server.wait()
        cursor = connection.cursor()

        def query(text):
            cursor.execute(text)
            return cursor.fetchone()[0] if cursor.description else None

        prepare(query, rows)
        version = query("SHOW server_version").split()[0]
        meter.ready(f"PostgreSQL {version}")
        meter.serve(measures_of(server, query))
        connection.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
