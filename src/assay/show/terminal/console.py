"""Where results are printed, and what every verb says of failures.

Results go to standard output, progress and warnings to standard error. Colour
and the moving line only where there is a terminal; NO_COLOR is respected.
"""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.model import Failure
from assay.show.words import format


class _Output(Console):
    """Rich ends a program whose reader is gone with exit code 1, which is a gate's verdict here."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def output_console() -> Console:
    """Where results go.

    A pipe's reader is `grep` or a log: messages stay on one line there and names
    whole, for whatever terminal COLUMNS was exported; paragraphs take 160 columns.
    """
    piped = not sys.stdout.isatty()
    return _Output(highlight=False, width=160 if piped else None, soft_wrap=piped)


def print_failures(console: Console, failures: Sequence[Failure]) -> None:
    """What could not be measured, and what it did."""
    for failure in failures:
        where = f" ({failure.side})" if failure.side else ""
        named = format.name(failure.benchmark or failure.target)
        console.print(
            Text.assemble(
                ("failed ", "bold red"), named, where, ": ", format.name(failure.what, 400)
            )
        )
