"""Reads a TOML file into a structure; errors are told with line and column.

read = read_toml(Path("assay.toml"), Configuration, hint="docs/reference/assay-toml.md")

It reports the first fault: `assay.toml:2:1: unknown key `comands`; did you mean `commands`?`.
"""

import difflib
import re
import tomllib
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec

from assay.errors import InputError
from assay.project.toml_positions import Path as KeyPath
from assay.project.toml_positions import positions_of_keys
from assay.small_files import MB, read_small_if_there

T = TypeVar("T", bound=msgspec.Struct)

LARGEST_TOML = MB  # bytes of a TOML file, at most
# The line and column at the end of an error message of tomllib.
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_TYPE_NAMES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}


class Fault(msgspec.Struct, frozen=True):
    """Something wrong in a TOML file: the path of the key, what is wrong, and a hint."""

    path: KeyPath
    what: str
    hint: str = ""


def read_toml(path: Path, structure: type[T], *, hint: str, missing: str = "") -> T:
    """The values in a TOML file as a `structure`. `missing` is a hint if there is no file. Raises
    `InputError`."""
    return parse_toml(text_of(path, missing), str(path), structure, hint=hint)


def text_of(path: Path, missing: str = "") -> str:
    """The text of a TOML file. Raises `InputError`."""
    data = read_small_if_there(path, LARGEST_TOML)
    if data is None:
        raise InputError("no such file", where=str(path), hint=missing)
    try:
        return data.decode("utf-8")  # TOML is always UTF-8, whatever the locale
    except UnicodeDecodeError as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from None


def parse_toml(text: str, where: str, structure: type[T], *, hint: str) -> T:
    """The values in a TOML text as a `structure`; `where` names the text in messages. Raises
    `InputError`."""
    text = text.replace("\r\n", "\n")
    document = loaded_toml(text, where)
    try:
        return msgspec.convert(document, structure)
    except msgspec.ValidationError as error:
        unplaced = Fault((), str(error))
        fault = next(_faults_in_value(document, structure, ()), unplaced)
        raise _error_with_position(fault, text, where, hint) from None


def loaded_toml(text: str, where: str) -> dict[str, Any]:
    """The values in a TOML text as plain dictionaries. Raises `InputError`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(str(error), text, where) from None
    except ValueError:  # a very long number, for which `tomllib` gives no position
        what = "holds a number of more than 4,300 digits"
    except RecursionError:
        what = "is nested too deeply"
    raise InputError(what, where=where)


def error_at_key(text: str, where: str, path: KeyPath, what: str, hint: str = "") -> InputError:
    """The error for a value that has the right type and cannot be used, with its position."""
    return _error_with_position(Fault(path, what, hint), text, where, "")


def _syntax_error(message: str, text: str, where: str) -> InputError:
    """The error for a text that is not TOML, with the position that tomllib gives."""
    match = _AT.search(message)
    line, column = (match[1], match[2]) if match and match[1] else (text.count("\n") + 1, 1)
    what = f"is not TOML: {_AT.sub('', message)}"
    return InputError(what, where=f"{where}:{line}:{column}")


def _error_with_position(fault: Fault, text: str, where: str, hint: str) -> InputError:
    """The error for a fault, with its line and column; a missing key has the position of its
    table."""
    found, path = positions_of_keys(text), fault.path
    while path and path not in found:
        path = path[:-1]
    place = ":{}:{}".format(*found[path]) if path else ""
    return InputError(fault.what, where=f"{where}{place}", hint=fault.hint or hint)


def _faults_in_value(value: Any, expected: Any, path: KeyPath) -> Iterator[Fault]:
    """Everything that msgspec would refuse in a value, with the path of the key, which msgspec does
    not give."""
    expected, kind = _without_limits(expected)
    if _is_struct(kind) and isinstance(value, dict):
        yield from _faults_of_table(value, kind, path)
    elif get_origin(kind) in (dict, Mapping) and isinstance(value, dict):
        for key, inner in value.items():
            yield from _faults_in_value(inner, get_args(kind)[1], (*path, key))
    elif get_origin(kind) in (tuple, list) and isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _faults_in_value(inner, get_args(kind)[0], (*path, index))
    try:
        msgspec.convert(value, expected)
    except msgspec.ValidationError as error:
        yield Fault(path, f"`{_dotted_key(path)}`: {_readable_message(str(error))}")


def _faults_of_table(value: dict[str, Any], kind: type, path: KeyPath) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in fields:
            yield Fault((*path, key), f"unknown key `{key}`", nearest_key_hint(key, list(fields)))
    for name, field in fields.items():
        if name in value:
            yield from _faults_in_value(value[name], field.type, (*path, name))
        elif field.required:
            table = f"[{_dotted_key(path)}]" if path else "the file"
            yield Fault(path, f"{table} lacks the key `{name}`")


def nearest_key_hint(key: str, known: list[str]) -> str:
    """A hint with the known key most similar to `key`, or with all of them."""
    close = difflib.get_close_matches(key, known, 1)
    return f"did you mean `{close[0]}`?" if close else f"known here: {', '.join(known)}"


def _without_limits(expected: Any) -> tuple[Any, Any]:
    """A type without `| None`, as TOML has no null; and the same type without its limits."""
    if get_origin(expected) in (Union, types.UnionType):
        choices = [one for one in get_args(expected) if one is not type(None)]
        if len(choices) == 1:
            expected = choices[0]
    return expected, get_args(expected)[0] if get_origin(expected) is Annotated else expected


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _dotted_key(path: KeyPath) -> str:
    """The path of a key as TOML writes it: `suites.main.run`."""
    words = [f"[{part}]" if isinstance(part, int) else f".{_quoted(part)}" for part in path]
    return "".join(words).removeprefix(".")


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else f'"{key}"'


def _readable_message(message: str) -> str:
    """msgspec's message on a value, with types named as users of TOML know them."""
    names = "|".join(_TYPE_NAMES)
    said = re.sub(rf"`({names})`", lambda match: _TYPE_NAMES[match[1]], message.split(" - at ")[0])
    return said[:1].lower() + said[1:]
