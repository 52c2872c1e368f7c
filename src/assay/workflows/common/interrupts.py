"""Ctrl-C and SIGTERM end the measuring, not the workflow.

    with stopping() as stop:
        try:
            measure()
        except Interrupted:
            pass
    stop.interrupted_by    # the number of the signal, or None

What was measured is then judged and written as usual. A second signal ends
the program at once.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupted(BaseException):
    """Raised in the main thread by the first SIGINT or SIGTERM.

    Not an `Exception`: nothing on the way may mistake it for a failed launch.
    """

    def __init__(self, signal_number: int) -> None:
        self.signal_number = signal_number
        super().__init__(signal_number)


class Stop:
    """Which signal came, if any."""

    interrupted_by: int | None = None


@contextmanager
def stopping() -> Iterator[Stop]:
    """Turn the first SIGINT or SIGTERM inside the block into `Interrupted`."""
    stop = Stop()

    def handle(number: int, _frame: FrameType | None) -> None:
        stop.interrupted_by = number
        for each, old in previous.items():
            signal.signal(each, old)
        raise Interrupted(number)

    previous = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for each, old in previous.items():
            signal.signal(each, old)
