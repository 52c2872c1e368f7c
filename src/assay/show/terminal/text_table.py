"""Prints a table as plain lines, a hundred times faster than rich does.

With ten thousand benchmarks, rich takes six seconds for the rows, and this a tenth of one. Cells
must be single lines already (`format.name`). If the table is wider than the screen, the first
column is cut. A console that does not wrap, as for a pipe, has no screen width.

    print_table(console, [TextColumn("benchmark"), TextColumn("change", right=True)], rows)
"""

from collections.abc import Sequence

import msgspec
from rich.cells import cell_len, set_cell_size
from rich.console import COLOR_SYSTEMS, Console
from rich.style import Style

_GAP = 2
# A table too wide for the screen keeps at least so many characters of its first column.
_NARROWEST = 16


class TextColumn(msgspec.Struct, frozen=True):
    """A column of a table: its heading, and whether its cells are aligned to the right."""

    title: str
    right: bool = False


class TextCell(msgspec.Struct, frozen=True):
    """One line of text and the name of a rich style; "" for none."""

    text: str
    style: str = ""


def print_table(
    console: Console, columns: Sequence[TextColumn], rows: Sequence[Sequence[TextCell]]
) -> None:
    """Write the table to the console's file, in colour where it has colour."""
    paint = _Paint(console)
    widths = _widths(columns, rows)
    if not console.soft_wrap:
        widths[0] = _width_of_first_column(widths, console.width)
    lines = [_line([TextCell(c.title, "bold") for c in columns], columns, widths, paint)]
    lines += [_line(row, columns, widths, paint) for row in rows]
    console.file.write("\n".join(lines) + "\n")


class _Paint:
    """Colours text for a terminal by escape sequences; each style is parsed once."""

    def __init__(self, console: Console) -> None:
        name = None if console.no_color else console.color_system
        self._system = None if name is None else COLOR_SYSTEMS[name]
        self.in_colour = self._system is not None
        self._styles: dict[str, Style] = {}

    def __call__(self, text: str, style: str) -> str:
        if not style:
            return text
        if style not in self._styles:
            self._styles[style] = Style.parse(style)
        return self._styles[style].render(text, color_system=self._system)


def _widths(columns: Sequence[TextColumn], rows: Sequence[Sequence[TextCell]]) -> list[int]:
    widths = [cell_len(column.title) for column in columns]
    for row in rows:
        for place, cell in enumerate(row):
            width = len(cell.text) if cell.text.isascii() else cell_len(cell.text)
            if width > widths[place]:
                widths[place] = width
    return widths


def _width_of_first_column(widths: Sequence[int], screen: int) -> int:
    """The width of the first column, cut if the table does not fit the screen."""
    excess = sum(widths) + _GAP * (len(widths) - 1) - screen
    if excess <= 0:
        return widths[0]
    return max(min(_NARROWEST, widths[0]), widths[0] - excess)


def _line(
    cells: Sequence[TextCell], columns: Sequence[TextColumn], widths: Sequence[int], paint: _Paint
) -> str:
    parts = [
        _fitted(cell.text, width, right=column.right)
        for cell, column, width in zip(cells, columns, widths, strict=True)
    ]
    if paint.in_colour:
        parts = [paint(part, cell.style) for part, cell in zip(parts, cells, strict=True)]
    return (" " * _GAP).join(parts).rstrip()


def _fitted(text: str, width: int, *, right: bool) -> str:
    if text.isascii() and len(text) <= width:
        return text.rjust(width) if right else text.ljust(width)
    size = cell_len(text)
    if size > width:
        return set_cell_size(text, width - 1) + "…"
    pad = " " * (width - size)
    return pad + text if right else text + pad
