"""Where results are printed, and how failures are shown by every verb.

Results go to standard output, progress and warnings to standard error. Colour and the moving
progress line are used only on a terminal, and NO_COLOR is respected.
"""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.model import Failure
from assay.show.words import format


class _Output(Console):
    """A console that raises `BrokenPipeError` if nobody reads its output any more.

    Rich would exit with code 1, which after a gate means "slower".
    """

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def output_console() -> Console:
    """The console for results.

    Into a pipe, whose reader is `grep` or a log, messages are not wrapped and names are whole,
    whatever COLUMNS says; paragraphs take 160 columns.
    """
    piped = not sys.stdout.isatty()
    return _Output(highlight=False, width=160 if piped else None, soft_wrap=piped)


def print_failures(console: Console, failures: Sequence[Failure]) -> None:
    """Print what could not be measured, and how it failed."""
    for failure in failures:
        where = f" ({failure.side})" if failure.side else ""
        named = format.name(failure.benchmark or failure.target)
        console.print(
            Text.assemble(
                ("failed ", "bold red"), named, where, ": ", format.name(failure.what, 400)
            )
        )
