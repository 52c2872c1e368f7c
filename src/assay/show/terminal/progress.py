"""Shows progress on standard error: what runs, how much is settled, how long it will take.

On a terminal it is one line that changes; elsewhere a line now and then, so that a CI log shows
that Assay is still working. It is written only between launches, so that it does not disturb them.
"""

import time
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from assay.model import Comparison, Failure, Side
from assay.progress import RunProgress
from assay.show.words import format

_REDRAW_S = 0.2
_LINE_EVERY_S = 15.0


class TerminalProgress:
    """A watcher that shows progress to the user. Use it as a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._moving = console.file.isatty() and not console.is_dumb_terminal
        self._drawn_s = 0.0

    def __enter__(self) -> "TerminalProgress":
        self._drawn_s = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        if self._moving:
            self._console.file.write("\r\x1b[2K")
            self._console.file.flush()

    def announce(self, text: str) -> None:
        self._clear()
        self._say(format.name(text, 400))

    def preparing(self, benchmark: str, done: int, total: int) -> None:
        self._draw(f"trial launches {done}/{total}: {format.name(benchmark, 60)}")

    def asking(self, benchmark: str, what: str, done: int, total: int) -> None:
        if self._moving:  # the line is drawn at once, because what it announces takes seconds
            self._drawn_s = float("-inf")
        self._draw(f"{what}: {format.name(benchmark, 60)} ({done + 1} of {total})")

    def launching(self, benchmark: str, side: Side | None) -> None:
        """Ignored: the line of the round names the benchmark."""

    def round_done(self, state: RunProgress, latest: Sequence[Comparison]) -> None:
        name = format.name(latest[0].benchmark, 40) if latest else ""
        settled = f"{state.settled} of {state.benchmarks} settled, " if latest else ""
        failed = f"{state.failed} failed, " if state.failed else ""
        left = (
            ""
            if state.left_s == float("inf")
            else f", at most {format.duration(state.left_s)} left"
        )
        self._draw(f"{settled}{failed}{format.count(state.rounds, 'round')}{left}  {name}")

    def failed(self, failure: Failure) -> None:
        self._clear()
        named = format.name(failure.benchmark or failure.target, 80)
        self._say(f"failed: {named}: {format.name(failure.what, 300)}")

    def _draw(self, line: str) -> None:
        now_s = time.monotonic()
        if now_s - self._drawn_s < (_REDRAW_S if self._moving else _LINE_EVERY_S):
            return
        self._drawn_s = now_s
        if not self._moving:
            self._say(line)
            return
        width = max(20, self._console.width - 1)
        self._console.file.write(
            f"\r\x1b[2K{line if cell_len(line) <= width else set_cell_size(line, width)}"
        )
        self._console.file.flush()

    def _say(self, line: str) -> None:
        """Print a line that stays; a terminal may wrap it, a log keeps it whole."""
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _clear(self) -> None:
        if self._moving:
            self._console.file.write("\r\x1b[2K")
