"""The multiview page: many files beside one, as one HTML file.

    multiview_page(sheet) -> bytes

A browser cannot show 300,000 cells as a table, so the page holds numbers, and draws the cells in
view. Without scripts, the first cells are a plain table.
"""

import math
from typing import Any

import numpy as np

from assay.show.multiview_sheet import ERROR, MEASURED, Sheet, colour, percentage_text
from assay.show.page.embed import packed_floats, packed_json
from assay.show.page.frame import PageNavigation, rendered
from assay.show.words import format

_SCRIPTS = ("unpack", "theme", "address", "multiview_model", "multiview")
_PLAIN_CELLS = 6_000  # at most so many cells in the table for readers without scripts
_MOST_PLAIN_COLUMNS = 60
_MOST_VALUES = 6  # at most so many values are listed of a fact that differs between files


def multiview_page(sheet: Sheet, around: PageNavigation | None = None) -> bytes:
    """The page for `sheet`; `around` is the navigation if it is one of many pages."""
    return rendered(
        "multiview.html",
        ("report.css", "multiview.css", *(("pages/pages.css",) if around else ())),
        _SCRIPTS,
        around=around,
        headline=_headline(sheet),
        reference=format.name(sheet.columns[0].label),
        facts=_facts(sheet),
        plain=_plain_table(sheet),
        intervals=bool(np.isfinite(sheet.low).any()),
        index=packed_json(_index(sheet)),
        floats=packed_floats(_floats(sheet)),
    )


def _headline(sheet: Sheet) -> str:
    files = format.count(len(sheet.columns) - 1, "column")
    return f"{format.count(len(sheet.names), 'benchmark')}, {files} beside the reference"


def _index(sheet: Sheet) -> dict[str, Any]:
    """All data that the page's script draws from, except the numbers in cells."""
    return {
        "names": [format.name(name) for name in sheet.names],
        "columns": [
            {"label": format.name(one.label, 60), "origin": format.visible(one.origin)}
            for one in sheet.columns
        ],
        "units": [list(_unit(sheet, row)) for row in range(len(sheet.names))],
        "errors": [[row, column, format.name(what)] for row, column, what in sheet.errors],
        "intervals": bool(np.isfinite(sheet.low).any()),
    }


def _floats(sheet: Sheet) -> Any:
    """All times, row by row; if ratios have intervals, then also their
    lower and their upper ends.
    """
    parts = [sheet.values]
    if np.isfinite(sheet.low).any():
        parts += [sheet.low, sheet.high]
    return np.concatenate([part.ravel() for part in parts])


def _unit(sheet: Sheet, row: int) -> tuple[float, str]:
    """The unit of a row, chosen by its first value: a divisor, and the unit's name."""
    measured = sheet.values[row][sheet.states[row] == MEASURED]
    return format.shown_unit(float(measured[0]) if measured.size else 1.0, "ns")


def _plain_table(sheet: Sheet) -> dict[str, Any]:
    """The first cells as a table for readers without scripts."""
    columns = min(len(sheet.columns), _MOST_PLAIN_COLUMNS)
    rows = min(len(sheet.names), max(1, _PLAIN_CELLS // columns))
    return {
        "titles": [format.name(one.label, 60) for one in sheet.columns[:columns]],
        "rows": [
            (format.name(sheet.names[row]), [_cell(sheet, row, c) for c in range(columns)])
            for row in range(rows)
        ],
        "left_out": len(sheet.names) * len(sheet.columns) - rows * columns,
    }


def _cell(sheet: Sheet, row: int, column: int) -> dict[str, str]:
    state, value = sheet.states[row, column], float(sheet.values[row, column])
    if state != MEASURED:
        word = "ERROR" if state == ERROR else "missing"
        return {"text": word, "percent": "", "colour": "#ff0000" if state == ERROR else ""}
    ratio = float(sheet.ratios[row, column])
    known = bool(column) and not math.isnan(ratio)
    return {
        "text": format.quantity(value, "ns"),
        "percent": percentage_text(ratio) if known else "",
        "colour": colour(ratio) if known else "",
    }


def _facts(sheet: Sheet) -> list[dict[str, Any]]:
    """One row for each fact: the value of all columns, or each value with the columns that have it.

    Facts in which columns differ come last.
    """
    rows = []
    for name, values in sheet.facts:
        told = [
            _value_with_columns(sheet, value, columns)
            for value, columns in list(values.items())[:_MOST_VALUES]
        ]
        everywhere = len(values) == 1 and len(next(iter(values.values()))) == len(sheet.columns)
        more = len(values) - len(told)
        rows.append(
            {
                "name": name,
                "values": [next(iter(values))] if everywhere else told,
                "more": f"and {more:,} more" if more else "",
                "differs": not everywhere,
            }
        )
    return sorted(rows, key=lambda row: row["differs"])


def _value_with_columns(sheet: Sheet, value: str, columns: list[int]) -> str:
    labels = [format.name(sheet.columns[one].label, 40) for one in columns[:3]]
    more = f" and {len(columns) - 3} more" if len(columns) > 3 else ""
    return f"{value} ({', '.join(labels)}{more})"
