"""Functions of a library over Spark's tables: apply(df, library, name), register(spark, library).
docs/spark.md tells how they are used. SPDX-License-Identifier: MIT
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, functions, types
from pyspark.sql.pandas.functions import arrow_udf

from . import Function, Library, TypeMismatch, _spark_task
from ._host import Path
from ._library import opened

RETURNS = {"number": types.DoubleType(), "boolean": types.BooleanType(), "text": types.StringType(),
           "datetime": types.TimestampType(), "enum": types.LongType()}

_WHOLE = (types.ByteType, types.ShortType, types.IntegerType, types.LongType)
_ACCEPTED = {"number": (*_WHOLE, types.FloatType, types.DoubleType, types.DecimalType),
             "boolean": (types.BooleanType,), "text": (types.StringType,),
             "datetime": (types.TimestampType, types.TimestampNTZType), "enum": _WHOLE}


def apply(df: DataFrame, lib: Library | Path, name: str, *, column: str | None = None,
          args: Mapping[str, str] | Sequence[str] | None = None, errors: str = "column",
          host: Mapping[str, Any] | None = None) -> DataFrame:
    """The table with a column more, of the function's results.

    Each argument is the column of its name, unless `args` names others: a mapping from arguments
    to columns, or all columns in order. The new column is called as the function, or `column`.
    A row that fails has null there and its error in a further column, NAME_error
    (errors="column"); or null alone ("null"); or fails the job ("raise"). A row with a null among
    its arguments is null, without a call. `host` are options of the executors' extfn.Host.
    """
    if errors not in ("column", "null", "raise"):
        raise ValueError(f"errors is 'column', 'null' or 'raise', not {errors!r}")
    function = opened(lib)[name]
    result = column or name
    places = [_place(df, each) for each in _columns(function, args)]
    fields = [*df.schema.fields, types.StructField(result, RETURNS[function.return_type])]
    if errors == "column":
        fields.append(types.StructField(f"{result}_error", types.StringType()))
    _check_new(df, [field.name for field in fields[len(df.columns):]])
    _check_types(function, [df.schema.fields[place] for place in places])
    task = _spark_task.Table(function, errors, host, places)
    # By places: columns may have one name, or a point in it, and Spark would ask for them by that.
    numbered = df.toDF(*(f"_{place}" for place in range(len(df.columns))))
    return numbered.mapInArrow(task, types.StructType(fields))


def register(spark: SparkSession, lib: Library | Path, *, names: Iterable[str] | None = None,
             prefix: str = "", errors: str = "raise", host: Mapping[str, Any] | None = None,
             ) -> dict[str, Callable[..., Column]]:
    """Registers the functions of a library, or those that `names` chooses, for SQL. Returns them
    by their names there, `prefix` and the function's own, for use in expressions over columns.

    A row that fails fails the job (errors="raise") or is null ("null"); the rest is as in `apply`.
    """
    if errors not in ("raise", "null"):
        raise ValueError(f"errors is 'raise' or 'null', not {errors!r}")
    library = opened(lib)
    chosen = {prefix + name: library[name] for name in (library if names is None else names)}
    _check_names(spark, chosen)
    return {name: spark.udf.register(name, _udf(function, errors, host))
            for name, function in chosen.items()}


def _udf(function: Function, errors: str, host: Mapping[str, Any] | None) -> Any:
    returns = RETURNS[function.return_type]
    over_columns: Callable[..., Any] = arrow_udf
    if function.arg_types:
        made = over_columns(_spark_task.Columns(function, errors, host).__call__, returns)
    else:
        made = functions.udf(_spark_task.Value(function, errors, host), returns, useArrow=False)
    return made if function.pure else made.asNondeterministic()


def _check_names(spark: SparkSession, names: Iterable[str]) -> None:
    """Spark would take the function and go on to call its own."""
    own = {row[0].lower() for row in spark.sql("SHOW SYSTEM FUNCTIONS").collect()}
    seen: dict[str, str] = {}
    for name in names:
        folded = name.lower()
        if folded in own:
            raise ValueError(f"{name!r} is a function of Spark; register it with a prefix")
        if folded in seen:
            raise ValueError(f"{seen[folded]!r} and {name!r} are one name in SQL; choose by names=")
        seen[folded] = name


def _columns(function: Function, args: Mapping[str, str] | Sequence[str] | None) -> list[str]:
    """The names of the columns, in the order of the arguments."""
    names = function.arg_names
    if args is None or isinstance(args, Mapping):
        given = dict(args or {})
        if names is None:
            raise ValueError(f"{function.signature}: its arguments have no names; "
                             "give a list of columns as args=")
        columns = [given.pop(name, name) for name in names]
        if given:
            raise ValueError(f"{function.signature}: there is no argument {', '.join(given)}")
        return columns
    if isinstance(args, str) or len(args) != len(function.arg_types):
        raise ValueError(f"{function.signature}: args= has to list "
                         f"{len(function.arg_types)} columns")
    return list(args)


def _place(df: DataFrame, column: str) -> int:
    places = [place for place, name in enumerate(df.columns) if name == column]
    if not places:
        raise ValueError(f"there is no column {column!r}; the table has {', '.join(df.columns)}")
    if len(places) > 1:
        raise ValueError(f"there is more than one column {column!r}")
    return places[0]


def _check_types(function: Function, fields: Sequence[types.StructField]) -> None:
    for position, (kind, field) in enumerate(zip(function.arg_types, fields)):
        if not isinstance(field.dataType, (*_ACCEPTED[kind], types.NullType)):
            raise TypeMismatch(
                f"function {function.name}: argument {position} is of type {kind}, the column "
                f"{field.name!r} of type {field.dataType.simpleString()}; cast it")


def _check_new(df: DataFrame, names: Iterable[str]) -> None:
    there = {name.lower() for name in df.columns}
    for name in names:
        if name.lower() in there:
            raise ValueError(f"there is a column {name!r} already; give another name as column=")
