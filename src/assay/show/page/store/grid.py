"""The long table of a page: columns, what rows are filtered by, and its plain part.

    grid = Grid([Column("benchmark", "benchmark", names, kind="name"), ...], noun="changes")
    grid.data(), grid.plain()

Rows are shown in the order given. The script that draws it is `templates/js/grid.js`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_PLAIN_ROWS = 500  # for readers without scripts


@dataclass(frozen=True)
class Column:
    """`kind`: name, text, number, change, interval, narrowing, verdict, line, date, or run."""

    key: str  # in the address
    title: str
    shown: Sequence[str]
    kind: str = "text"
    sort: Sequence[float | None] | None = None  # else as text
    is_less: bool = False  # left out where the page is narrow
    is_off: bool = False  # until it is chosen

    def data(self) -> dict[str, Any]:
        made: dict[str, Any] = {"key": self.key, "title": self.title, "kind": self.kind}
        made |= {"shown": self.shown, "less": self.is_less, "off": self.is_off}
        return made if self.sort is None else {**made, "sort": self.sort}


@dataclass(frozen=True)
class Facet:
    """A select that filters rows: of each row, one of a few words."""

    key: str
    title: str
    words: Sequence[str]
    known: Sequence[str] = ()  # all words that there can be; none: those that there are

    def data(self) -> dict[str, Any]:
        values = list(self.known) or sorted({word for word in self.words if word})
        places = {value: place for place, value in enumerate(values)}
        of = [places.get(word, -1) for word in self.words]
        return {"key": self.key, "title": self.title, "values": values, "of": of}


@dataclass(frozen=True)
class Grid:
    """A table."""

    columns: Sequence[Column]
    noun: str
    facets: Sequence[Facet] = ()
    href: Sequence[str] = ()
    more: dict[str, Any] = field(default_factory=dict)  # tone, bars, keys

    def data(self) -> dict[str, Any]:
        rows = len(self.columns[0].shown)
        return {
            "columns": [column.data() for column in self.columns],
            "facets": [facet.data() for facet in self.facets],
            "order": list(range(rows)),
            "noun": self.noun,
            "href": self.href or None,
            **self.more,
        }

    def plain(self) -> dict[str, Any]:
        shown = [one for one in self.columns if not one.is_off and one.kind != "line"]
        rows = len(self.columns[0].shown)
        return {
            "titles": [one.title for one in shown],
            "rows": [
                {
                    "cells": [one.shown[place] for one in shown],
                    "href": self.href[place] if self.href else "",
                }
                for place in range(min(rows, _PLAIN_ROWS))
            ],
            "left_out": max(0, rows - _PLAIN_ROWS),
        }
