"""Reads XML of tools. Entities are refused, because a small file with them can fill the memory.

root = xml_root(data, origin, "JUnit's XML")

Entities need a document type. No benchmark tool declares one, so a file that does is refused.
"""

from xml.etree import ElementTree

from assay.errors import InputError
from assay.record.formats.checks import AGAIN, HEAD_BYTES


def has_root(data: bytes, *names: str) -> bool:
    """Whether the data are XML with one of `names` as root element, by their first 64 KiB."""
    head = data[:HEAD_BYTES].lstrip()
    if not head.startswith(b"<"):
        return False
    for piece in head.split(b"<")[1:]:
        if not piece.startswith((b"?", b"!")):
            word = piece.split(maxsplit=1)[0] if piece.split() else b""
            return word.split(b">")[0].rstrip(b"/").decode(errors="replace") in names
    return False


def xml_root(data: bytes, origin: str, what: str) -> ElementTree.Element:
    """The root element of XML; `what` says what the file should be.

    Raises `InputError` saying where it is wrong, and for a file with a document type.
    """
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        hint = "take the DOCTYPE out of it"
        raise InputError("declares a document type, which is not read", where=origin, hint=hint)
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise InputError(f"is not {what}: {error}", where=origin, hint=AGAIN) from None
