"""What every importer needs: JSON of a stated shape, checked times, and errors that name the file.

    report = decode_json(data, Report, origin, "hyperfine's JSON")
    times = times_of(result.times, result.command, origin)

A shape is a msgspec struct with the keys that an importer needs; msgspec says where a file differs.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from assay.errors import InputError
from assay.facts import Facts
from assay.model import Failure, Record, Sample

Shape = TypeVar("Shape")

HEAD_BYTES = 65_536  # bytes at the beginning of a file by which its format is recognised
# A number as Java writes it, with commas between thousands.
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")  # an escaped surrogate in JSON, such as `\ud800`
# Hint of errors about a file that may be incomplete.
AGAIN = "is it complete? write it again with the tool that made it"


def has_keys(data: bytes, *keys: str) -> bool:
    """Whether the data begin as JSON, and each of `keys` is a key in their first 64 KiB."""
    head = data[:HEAD_BYTES]
    if not head.lstrip().startswith((b"{", b"[")):
        return False
    return all(re.search(rf'"{re.escape(key)}"\s*:'.encode(), head) for key in keys)


def decode_json(data: bytes, shape: type[Shape], origin: str, what: str) -> Shape:
    """JSON as a value of `shape`; NaN and Infinity are allowed, for some tools write them.

    `what` says what the file should be. Raises `InputError` naming `origin` for anything else.
    """
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as error:
        raise _error_of_other_shape(what, origin, error) from None
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return msgspec_convert(_lenient_document(data, origin, what, error), shape, origin, what)


def msgspec_convert(document: Any, shape: type[Shape], origin: str, what: str) -> Shape:
    """A decoded document as a value of `shape`. Raises `InputError` naming `origin`."""
    try:
        return msgspec.convert(document, type=shape)
    except (msgspec.ValidationError, RecursionError) as error:
        raise _error_of_other_shape(what, origin, error) from None


def _lenient_document(data: bytes, origin: str, what: str, error: Exception) -> Any:
    try:
        return lenient_json(data)
    except (ValueError, RecursionError):
        raise InputError(f"is not {what}: {error}", where=origin, hint=AGAIN) from None


def lenient_json(data: bytes) -> Any:
    """The value of JSON that may contain NaN and Infinity.

    Raises `ValueError` where it is none, and for half a surrogate pair, which cannot be printed;
    `RecursionError` where it is nested too deeply.
    """
    document = json.loads(data)
    if _SURROGATE.search(data):
        json.dumps(document, ensure_ascii=False).encode()
    return document


def _error_of_other_shape(what: str, origin: str, error: Exception) -> InputError:
    return InputError(f"is not {what} as Assay knows it: {error}", where=origin, hint=AGAIN)


def times_of(
    values: Iterable[float], benchmark: str, origin: str, key: str = "time"
) -> tuple[float, ...]:
    """The values of one benchmark, unaltered. Raises `InputError` unless all are finite and at
    least 0."""
    times = tuple(values)
    if times and not (min(times) >= 0 and sum(times) < math.inf):  # a NaN fails this too
        wrong = next((one for one in times if not 0 <= one < math.inf), math.inf)
        raise InputError(f"benchmark {benchmark!r} has {key} = {wrong}", where=origin, hint=AGAIN)
    return times


def number_of(text: str, key: str, origin: str) -> float:
    """A finite number in text: "1,234.5" as Java writes it is one, "0,5" is none.

    Raises `InputError` naming `key` and `origin`.
    """
    try:
        value = float(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"has {key} = {text[:40]!r}, no number", where=origin, hint=AGAIN)
    return value


def finite_metrics(numbers: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
    """Those of a tool's own figures that are finite numbers, each as a metric with one value."""
    return {name: (float(value),) for name, value in numbers.items() if _is_finite(value)}


def _is_finite(value: object) -> bool:
    """Whether the value is a number that a float can hold: integers in JSON may have any length."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def numbered_launches(samples: Iterable[Sample]) -> tuple[Sample, ...]:
    """The samples, with those of one benchmark numbered as its launches 0, 1, 2 ..."""
    seen: Counter[str] = Counter()
    found = []
    for sample in samples:
        launch = seen[sample.benchmark]
        seen[sample.benchmark] += 1
        found.append(msgspec.structs.replace(sample, launch=launch) if launch else sample)
    return tuple(found)


def made_record(
    samples: Sequence[Sample],
    origin: str,
    tool: str,
    *,
    context: Mapping[str, Any] | None = None,
    failures: Sequence[Failure] = (),
    **facts: Any,
) -> Record:
    """The record of what a tool wrote, with `tool` and `facts` as its facts.

    Raises `InputError` where nothing was measured, where a metric has no value, and where its
    values have no finite sum: converted from finite ones, they may exceed the range of a float.
    """
    for sample in samples:
        for metric, values in sample.values.items():
            if not values:
                what = f"benchmark {sample.benchmark!r} has {metric} without a value"
                raise InputError(what, where=origin, hint=AGAIN)
            if not math.isfinite(sum(values)):
                what = f"benchmark {sample.benchmark!r} has {metric} beyond all numbers"
                raise InputError(what, where=origin, hint=AGAIN)
    said = {key: value for key, value in facts.items() if value}
    if not samples and not failures:
        raise InputError(f"holds no measurement of {tool}", where=origin, hint="measure again")
    return Record(
        context={key: value for key, value in (context or {}).items() if value},
        facts=Facts.read({"tool": tool, **said}, where=origin),
        samples=tuple(samples),
        failures=tuple(failures),
        origin=origin,
    )
