"""Reads Assay's own JSON: bytes become a value of a stated shape, or an error.

    header = decoded(data, Header, where=str(path), what="the header of a run")

Every file, line and answer that Assay or one of its programs wrote is read by `decoded`, because
disks, editors and strangers change them. `InputError` says what is wrong and where; nothing else
is raised, whatever the bytes are. (A byte that is not UTF-8 once ended every command with a
traceback, because each reader caught other errors.) A `Fraction` is written as "190" or "19/2".
"""

import re
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from assay.errors import InputError

Shape = TypeVar("Shape")
_BROKEN = (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError)
_FRACTION = re.compile(r"-?\d{1,30}(/[1-9]\d{0,29})?", re.ASCII)


def decoded(
    data: bytes | str, shape: type[Shape], *, where: str, what: str, hint: str = ""
) -> Shape:
    """JSON as a value of `shape`. Raises `InputError` for anything else.

    `where` names the file in the message, `what` says what it should be.
    """
    try:
        return msgspec.json.decode(data, type=shape, dec_hook=_fraction_or_object)
    except _BROKEN as error:
        raise _refused(error, where, what, hint) from None


def converted(value: Any, shape: type[Shape], *, where: str, what: str, hint: str = "") -> Shape:
    """Decoded JSON as a value of `shape`. Raises `InputError` for anything else."""
    try:
        return msgspec.convert(value, type=shape, dec_hook=_fraction_or_object)
    except _BROKEN as error:
        raise _refused(error, where, what, hint) from None


def _refused(error: Exception, where: str, what: str, hint: str) -> InputError:
    return InputError(f"is not {what}: {error}", where=where, hint=hint)


def _fraction_or_object(shape: type[Any], value: Any) -> Any:
    """Decode what msgspec cannot decode by itself: a `Fraction` from its text. It calls this for
    `object` too, which takes any value."""
    if shape is object:
        return value
    if shape is Fraction and isinstance(value, str) and _FRACTION.fullmatch(value):
        return Fraction(value)  # the pattern limits digits: "1e999999999" would fill the memory
    raise ValueError(f"Expected `{shape.__name__}`")
