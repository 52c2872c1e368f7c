"""What every importer needs: JSON of a stated shape, checked times, and errors that name the file.

    report = decoded(data, Report, origin, "hyperfine's JSON")
    times = times_of(result.times, result.command, origin)

A decoded shape names the keys an importer needs; msgspec says where a file differs from it.
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

HEAD_BYTES = 65_536  # enough for the first keys of a file, however its context is
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
AGAIN = "is it complete? write it again with the tool that made it"


def has_keys(data: bytes, *keys: str) -> bool:
    """Whether JSON begins here, and each of `keys` is a key somewhere in its first 64 KiB."""
    head = data[:HEAD_BYTES]
    if not head.lstrip().startswith((b"{", b"[")):
        return False
    return all(re.search(rf'"{re.escape(key)}"\s*:'.encode(), head) for key in keys)


def decoded(data: bytes, shape: type[Shape], origin: str, what: str) -> Shape:
    """JSON as `shape`; also with NaN and Infinity in it, which some tools write."""
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError as error:
        raise _other_shape(what, origin, error) from None
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return msgspec_convert(_lenient(data, origin, what, error), shape, origin, what)


def msgspec_convert(document: Any, shape: type[Shape], origin: str, what: str) -> Shape:
    """What was decoded already, as `shape`."""
    try:
        return msgspec.convert(document, type=shape)
    except (msgspec.ValidationError, RecursionError) as error:
        raise _other_shape(what, origin, error) from None


def _lenient(data: bytes, origin: str, what: str, error: Exception) -> Any:
    try:
        return lenient(data)
    except (ValueError, RecursionError):
        raise InputError(f"is not {what}: {error}", where=origin, hint=AGAIN) from None


def lenient(data: bytes) -> Any:
    """JSON with NaN and Infinity. Half a surrogate pair, which nothing can print, is refused."""
    document = json.loads(data)
    if _SURROGATE.search(data):
        json.dumps(document, ensure_ascii=False).encode()
    return document


def _other_shape(what: str, origin: str, error: Exception) -> InputError:
    return InputError(f"is not {what} as Assay knows it: {error}", where=origin, hint=AGAIN)


def times_of(
    values: Iterable[float], benchmark: str, origin: str, key: str = "time"
) -> tuple[float, ...]:
    """`values`, each a finite time of at least zero."""
    times = tuple(values)
    if times and not (min(times) >= 0 and sum(times) < math.inf):  # a NaN fails this too
        wrong = next((one for one in times if not 0 <= one < math.inf), math.inf)
        raise InputError(f"benchmark {benchmark!r} has {key} = {wrong}", where=origin, hint=AGAIN)
    return times


def number_of(text: str, key: str, origin: str) -> float:
    """A finite number in text; Java writes 1,234.5 for a long time, and 0,5 is none."""
    try:
        value = float(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"has {key} = {text[:40]!r}, no number", where=origin, hint=AGAIN)
    return value


def finite(numbers: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
    """Of a tool's own figures those that are finite numbers, one value each."""
    return {name: (float(value),) for name, value in numbers.items() if _is_finite(value)}


def _is_finite(value: object) -> bool:
    """A number that a float can hold: JSON's integers may be of any length."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def numbered(samples: Iterable[Sample]) -> tuple[Sample, ...]:
    """Samples of one benchmark as its first, second, third launch."""
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
    """The record of what a tool wrote; one without anything measured is refused.

    So is one with a value that is no number, which only figures near the end of a float's range
    can make of finite ones.
    """
    for sample in samples:
        for metric, values in sample.values.items():
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
