"""Text as bytes for a file, whatever bytes a path, an argument or a commit's subject held.

    utf8(text)           # UTF-8; `\\udcff` in place of a byte that is none
    json_bytes(value)    # the same for a document

Python keeps a byte of a path that is no UTF-8 as a surrogate, so that the path still opens the
file; no surrogate can be encoded, and a result was lost because its program's name held one. What
must be found again by its name is no text: use `os.fsencode`.
"""

from typing import Any

_LEGIBLE = "backslashreplace"


def utf8(text: str) -> bytes:
    """For a file that people or other programs read."""
    return text.encode("utf-8", _LEGIBLE)


def legible(text: str) -> str:
    """What `utf8` would write of it, as text: for a label."""
    return utf8(text).decode()


def json_bytes(value: object) -> bytes:
    """The document on one line. A fraction is "p/q", as `typed_json` reads it."""
    import msgspec

    try:
        return msgspec.json.encode(value, enc_hook=_other)
    except UnicodeEncodeError:
        return msgspec.json.encode(_legible(msgspec.to_builtins(value, enc_hook=_other)))


def _other(value: object) -> str:
    """What msgspec does not know by itself."""
    from fractions import Fraction

    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in a document")


def _legible(value: Any) -> Any:
    match value:
        case str():
            return legible(value)
        case dict():
            return {_legible(key): _legible(one) for key, one in value.items()}
        case list() | tuple():
            return [_legible(one) for one in value]
    return value
