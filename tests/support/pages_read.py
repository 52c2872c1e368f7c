"""Reads a page: its text, its tags, and the data that its scripts unpack."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from typing import Any


class _Reader(HTMLParser):
    """Collects the text that is shown, and that which screen readers read."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = ""
        self.tags: list[str] = []
        self.told: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        self.tags.append(tag)
        read_out = ("title", "aria-label", "placeholder")
        self.told += [f" {value} " for name, value in attrs if name in read_out]

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""
        self.told += [] if tag in ("bdi", "span") else [" "]  # these two are inside lines of text

    def handle_data(self, data: str) -> None:
        if self.inside not in ("script", "style"):
            self.told.append(data)


def text_of(html: bytes) -> str:
    """All text of a page except scripts, with white space as readers see it."""
    return " ".join("".join(_read(html).told).split())


def tags_of(html: bytes) -> list[str]:
    """The names of all elements, in order."""
    return _read(html).tags


def packed(html: bytes, name: str) -> bytes:
    """The unpacked content of an element with packed data."""
    found = re.search(rb'id="%b">([^<]*)<' % name.encode(), html)
    assert found is not None
    return zlib.decompress(base64.b64decode(found[1]))


def index_of(html: bytes) -> dict[str, Any]:
    """All data of a report's scripts except the floats."""
    return {**json.loads(packed(html, "index")), **json.loads(packed(html, "details"))}


def _read(html: bytes) -> _Reader:
    reader = _Reader()
    reader.feed(html.decode())
    return reader
