"""The long table of a page: its columns, its filters, and a plain version.

    grid = Grid([GridColumn("benchmark", "benchmark", names, kind="name"), ...], noun="changes")
    grid.data(), grid.plain()

Rows keep the order given. The script that draws the table is `templates/js/grid.js`.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

_PLAIN_ROWS = 500  # at most so many rows in the table for readers without scripts


class GridColumn(msgspec.Struct, frozen=True):
    """A column of a table that scripts draw. `kind` says how its cells are drawn.

    It is name, text, number, change, interval, narrowing, verdict, line, date, or run.
    """

    key: str  # the column's name in the page's address (URL)
    title: str
    shown: Sequence[str]
    kind: str = "text"
    # Numbers by which rows are sorted; None: they are sorted by their text.
    sort: Sequence[float | None] | None = None
    is_less: bool = False  # True: hidden on a narrow screen, such as a phone's
    is_off: bool = False  # True: hidden until the reader chooses to see it

    def data(self) -> dict[str, Any]:
        made: dict[str, Any] = {"key": self.key, "title": self.title, "kind": self.kind}
        made |= {"shown": self.shown, "less": self.is_less, "off": self.is_off}
        return made if self.sort is None else {**made, "sort": self.sort}


class Facet(msgspec.Struct, frozen=True):
    """A drop-down list above a table, which shows only the rows that have the chosen word."""

    key: str
    title: str
    words: Sequence[str]
    # The words to choose from, in order; empty: those that rows have, sorted.
    known: Sequence[str] = ()

    def data(self) -> dict[str, Any]:
        values = list(self.known) or sorted({word for word in self.words if word})
        places = {value: place for place, value in enumerate(values)}
        of = [places.get(word, -1) for word in self.words]
        return {"key": self.key, "title": self.title, "values": values, "of": of}


class Grid(msgspec.Struct, frozen=True):
    """A table that scripts draw, sort and filter; it also has a plain version
    for readers without scripts.
    """

    columns: Sequence[GridColumn]
    noun: str
    facets: Sequence[Facet] = ()
    href: Sequence[str] = ()
    # Further data for the script that draws the table, such as bars in its cells.
    more: dict[str, Any] = msgspec.field(default_factory=dict)

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
