"""Text as bytes for a file, whatever bytes a path, an argument or a commit's subject held.

    utf8(text)           # UTF-8, with `\\udcff` in place of a byte that is not UTF-8
    json_bytes(value)    # the same for a JSON document

Python keeps a byte of a path that is not UTF-8 as a surrogate, so that the path still opens the
file. But a surrogate cannot be encoded, and a result was once lost because its program's name held
one. For a path that is to be opened again, use `os.fsencode` instead.
"""

from typing import Any

# Handler of encoding errors: writes a byte that is not UTF-8 as `\udcff`.
_LEGIBLE = "backslashreplace"


def utf8(text: str) -> bytes:
    """Text as UTF-8 for a file that people or other programs read."""
    return text.encode("utf-8", _LEGIBLE)


def legible_text(text: str) -> str:
    """The text with characters that UTF-8 cannot hold written as `\\udcff`, for a label."""
    return utf8(text).decode()


def json_bytes(value: object) -> bytes:
    """A value as JSON on one line. A fraction is written as "p/q", as `typed_json` reads it.

    Raises `TypeError` for a value of a type that JSON has no form for.
    """
    import msgspec

    try:
        return msgspec.json.encode(value, enc_hook=_fraction_as_text)
    except UnicodeEncodeError:
        return msgspec.json.encode(_legible(msgspec.to_builtins(value, enc_hook=_fraction_as_text)))


def _fraction_as_text(value: object) -> str:
    """A `Fraction` as "p/q", because msgspec has no form for it. Raises `TypeError` for others."""
    from fractions import Fraction

    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in a document")


def _legible(value: Any) -> Any:
    """The value with every text in it made encodable as UTF-8, as `legible_text` does."""
    match value:
        case str():
            return legible_text(value)
        case dict():
            return {_legible(key): _legible(one) for key, one in value.items()}
        case list() | tuple():
            return [_legible(one) for one in value]
    return value
