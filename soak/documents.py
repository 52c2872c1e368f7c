"""Documents that stay what they are while they are mutated: JSON stays JSON, Parquet Parquet.

    json_document(data, random.Random(7))     # one value, key or item of it is another
    run_file(data, random.Random(7))          # a run of a store, its metadata or a column changed
    any_bytes(data, random.Random(7))         # bytes changed, without a look at what they are

Bytes that are changed at random are mostly refused by the parser below, in C, which no coverage
sees into; what lies behind it is then never tried.
"""

import io
import json
import random
from typing import Any

_TEXTS = (
    *("", " ", "x", "BM_a", "a\nb", "=1+1", "::error::x", "\x1b[31m", "\u202e", "\ud800"),
    *("ns", "s", "real_time", "base", "candidate", "mean", "iteration", "aggregate", "x" * 3000),
    *("9" * 400, "nan", "-inf", "../../x", "1970-01-01", "/", "BM_a/8/threads:2"),
)
_NUMBERS = (
    *(0, 1, -1, 2, 9, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**400),
    *(0.0, -0.0, 0.5, 1e-320, 1e308, -1e308, 1.5, float("inf"), float("-inf"), float("nan")),
)
_FEW = 8  # changes of one document, at most
_DEEPEST = 600


def json_document(data: bytes, chance: random.Random) -> bytes:
    """The document with some changes; as it is where it is no JSON."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return data
    try:
        for _ in range(chance.randint(1, _FEW)):
            document = _changed(document, chance)
        return json.dumps(document).encode()
    except RecursionError:  # it was deep, and is deeper
        return data


def json_lines(data: bytes, chance: random.Random) -> bytes:
    """The same where each line is a document; lines come twice and go, too."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            lines.insert(at, chance.choice(lines))
        case 1:
            del lines[at]
        case _:
            lines[at] = json_document(lines[at], chance)
    return b"\n".join(lines)


def run_file(data: bytes, chance: random.Random) -> bytes:
    """A Parquet file that is still one; as it is where it is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(data))
        table, metadata = file.read(), dict(file.metadata.metadata or {})
        for key in metadata:
            if key == b"assay_run" and chance.random() < 0.6:
                metadata[key] = json_document(metadata[key], chance)
        if chance.random() < 0.6:
            table = _other_column(table, chance)
        out = io.BytesIO()
        pq.write_table(table.replace_schema_metadata(metadata), out)
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        return data
    return out.getvalue()


def any_bytes(data: bytes, chance: random.Random) -> bytes:
    """Some bytes flipped, put in, taken out or doubled."""
    bytes_ = bytearray(data or b"x")
    for _ in range(chance.randint(1, _FEW)):
        at, until = sorted(chance.randrange(len(bytes_) + 1) for _ in range(2))
        match chance.randrange(5):
            case 0:
                bytes_[at:until] = b""
            case 1:
                bytes_[at:at] = bytes_[at : min(until, at + 300)]
            case 2:
                bytes_[at:at] = chance.choice(_TEXTS).encode(errors="replace")
            case 3:
                bytes_[at:at] = chance.randbytes(chance.randint(1, 4))
            case _:
                bytes_[at : at + 1] = bytes([chance.randrange(256)])
        bytes_ = bytes_ or bytearray(b"x")
    return bytes(bytes_)


def _other_column(table: Any, chance: random.Random) -> Any:
    """One column of other values, of another type, twice, or gone."""
    import pyarrow as pa

    at = chance.randrange(table.num_columns)
    name, values = table.column_names[at], table.column(at).to_pylist()
    match chance.randrange(6):
        case 0:
            return table.remove_column(at)
        case 1:
            return table.append_column(name, table.column(at))
        case 2:
            return table.set_column(at, name, pa.array([None] * len(values)))
        case 3:
            return table.slice(0, chance.randrange(len(values) + 1))
        case 4:
            return table.set_column(at, name, pa.array([str(one) for one in values]))
    kind = table.schema.field(at).type
    pool = _TEXTS if pa.types.is_string(kind) or pa.types.is_dictionary(kind) else _NUMBERS
    values[chance.randrange(len(values))] = chance.choice(pool)
    return table.set_column(at, name, pa.array(values, kind))


def _changed(value: Any, chance: random.Random) -> Any:
    """One place of the tree changed: it goes down until it stays."""
    is_nested = isinstance(value, dict | list) and value
    if not is_nested or chance.random() < 0.12:
        return _other(value, chance)
    if isinstance(value, dict):
        return _changed_object(value, chance)
    at = chance.randrange(len(value))
    match chance.randrange(10):
        case 0:
            return [*value[:at], *value[at + 1 :]]
        case 1:
            return [*value, value[at]]
    return [*value[:at], _changed(value[at], chance), *value[at + 1 :]]


def _changed_object(value: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    key = chance.choice(list(value))
    match chance.randrange(12):
        case 0:
            return {name: one for name, one in value.items() if name != key}
        case 1:
            return {**value, chance.choice(_TEXTS): value[key]}
        case 2:
            return {**value, key: value[chance.choice(list(value))]}
    return {**value, key: _changed(value[key], chance)}


def _other(value: Any, chance: random.Random) -> Any:
    """Something else in its place, mostly of its own type."""
    if isinstance(value, str) and chance.random() < 0.5:
        return chance.choice(_TEXTS) + value[: chance.randrange(len(value) + 1)]
    if isinstance(value, int | float) and chance.random() < 0.7:
        return chance.choice(_NUMBERS)
    choices: tuple[Any, ...] = (None, True, [], {}, [value], {"x": value}, chance.choice(_TEXTS))
    deep: Any = value
    if chance.random() < 0.02:
        for _ in range(_DEEPEST):
            deep = [deep]
        return deep
    return chance.choice((*choices, chance.choice(_NUMBERS)))
