"""Draws a terminal's lines as an SVG that loads nothing and whose text stays text.

terminal = coloured()
terminal.print("$ assay demo", style="bold")
svg = drawn(terminal, "assay demo")
"""

import io
import re

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

# Rich would load a font from another host
_FONTS = re.compile(r"@font-face \{\{.*?\}\}\n", re.DOTALL)
_OTHER = re.compile(r"\s*<!-- Generated.*?-->")
_WIDTH = 100
_COLOURS = {"force_terminal": True, "color_system": "standard", "width": _WIDTH}


def coloured() -> Console:
    """A terminal that keeps what is written to it."""
    return Console(file=io.StringIO(), highlight=False, **_COLOURS)  # type: ignore[arg-type]


def drawn(terminal: Console, title: str) -> str:
    """The picture as SVG; equal lines give equal pictures."""
    assert isinstance(terminal.file, io.StringIO)
    screen = Console(file=io.StringIO(), record=True, highlight=False, **_COLOURS)  # type: ignore[arg-type]
    for line in terminal.file.getvalue().splitlines():
        screen.print(Text.from_ansi(line), soft_wrap=True)
    plain = _OTHER.sub("", _FONTS.sub("", CONSOLE_SVG_FORMAT)).replace("Fira Code, ", "")
    return screen.export_svg(title=title, code_format=plain, unique_id="assay")
