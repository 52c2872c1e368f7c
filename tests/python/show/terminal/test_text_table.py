"""A table drawn without rich, in the colours that the console has."""

import io
from typing import Literal

import pytest
from rich.console import Console

from assay.show.terminal.text_table import TextCell, TextColumn, print_table


@pytest.mark.parametrize(
    ("system", "colour", "slower"),
    [
        ("truecolor", "#ff9066", "\x1b[38;2;255;144;102mslower\x1b[0m"),
        ("256", "#ff9067", "\x1b[38;5;209mslower\x1b[0m"),  # rich keeps the codes of a colour
        (None, "#ff9066", "slower"),
    ],
)
def test_a_cell_has_its_colour_where_there_are_colours(
    system: Literal["truecolor", "256"] | None, colour: str, slower: str
) -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system=system)
    print_table(console, [TextColumn("is")], [[TextCell("slower", colour)], [TextCell("same")]])
    assert out.getvalue().splitlines()[1:] == [slower, "same"]
