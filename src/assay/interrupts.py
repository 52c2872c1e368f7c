"""Ctrl-C, SIGTERM and SIGHUP, handled in one way by every verb (decision 43).

    with handling_signals() as signals:         # `run` of `cli.outermost`, around everything
        ...                              # a signal raises `Interrupted` here
    signals.first                        # the number of the first that came, or None

    with stoppable_measuring() as stop:             # a workflow, around what it measures
        try:
            measure()
        except Interrupted:
            pass
    stop.interrupted_by                  # the number of the signal, or None
    judge(); write()                     # these are finished first: see below

    with signals_held_back():                    # must be done as a whole: a signal waits
        append_to_journal(); count_it()

A signal ends the measuring, not the workflow: what was measured is then judged, written and shown.
The first signal that comes after the measuring, while this is done, ends nothing either; `run` of
`cli.outermost` makes an exit code of it. A signal that comes more than a second after the first
ends the program at once, though what is held back is still done. Signals within that second count
as one: `timeout` signals a process and then its group, a closing terminal and its shell send one
SIGHUP each, and people press Ctrl-C twice.

A signal that is ignored when Assay starts stays ignored, as `nohup` relies on. SIGCHLD does not:
a process that ignores it is not told how a program ended, and takes a crash for a success. Signals
that are blocked when Assay starts are unblocked.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Seconds after the first signal in which further signals count as the same request.
_ONE_WISH_S = 1.0


class Interrupted(BaseException):
    """Raised in the main thread by a signal that asks Assay to end.

    It is no `Exception`, so that no handler mistakes it for a failed launch.
    """

    def __init__(self, signal_number: int) -> None:
        self.signal_number = signal_number
        super().__init__(signal_number)


class Stop:
    """Which signal came inside a block of `stoppable_measuring`, if any."""

    interrupted_by: int | None = None


class Signals:
    """The signals that came since `handling_signals` began, and whether the next one interrupts."""

    def __init__(self) -> None:
        self.first: int | None = None
        self._first_s = 0.0
        self._is_finishing = False  # measuring is over: a first signal now interrupts nothing
        self._held = 0  # how many blocks of `signals_held_back` are open
        self._late: int | None = None  # the signal that is raised at the end of those blocks
        self._stops: list[Stop] = []

    def handle_signal(self, number: int, _frame: FrameType | None) -> None:
        """The handler of a signal. Raises `Interrupted`, unless the signal is held back, comes
        while results are finished, or follows the first within a second."""
        now_s = time.monotonic()
        if self.first is None:
            self.first, self._first_s = number, now_s
            for stop in self._stops:
                stop.interrupted_by = number
            if self._is_finishing:
                return
        elif now_s - self._first_s < _ONE_WISH_S:
            return
        if self._held:
            self._late = number
            return
        raise Interrupted(number)

    def begin(self, stop: Stop) -> None:
        """Note that measuring begins. Raises `Interrupted` for a signal that came before."""
        if self.first is not None:
            raise Interrupted(self.first)
        self._is_finishing = False
        self._stops.append(stop)

    def end(self, stop: Stop) -> None:
        """Note that measuring has ended: signals no longer interrupt, while results are judged and
        written."""
        self._is_finishing = True
        self._stops.remove(stop)

    def hold(self) -> None:
        """Hold signals back until `release`; blocks may be nested."""
        self._held += 1

    def release(self) -> None:
        """Undo one `hold`. The last one raises `Interrupted` for a signal that came meanwhile."""
        self._held -= 1
        if not self._held and self._late is not None:
            late, self._late = self._late, None
            raise Interrupted(late)


_listening: Signals | None = None


@contextmanager
def handling_signals() -> Iterator[Signals]:
    """Let signals raise `Interrupted` inside the block; a nested block is part of the outer one."""
    global _listening
    if _listening is not None or not _in_main_thread():
        yield _listening or Signals()
        return
    signals = _listening = Signals()
    _keep_child_statuses()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {*STOPPING, signal.SIGCHLD, signal.SIGALRM})
    previous = {
        number: signal.signal(number, signals.handle_signal)
        for number in STOPPING
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield signals
    finally:
        for number, handler in previous.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        _listening = None


def _keep_child_statuses() -> None:
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


@contextmanager
def stoppable_measuring() -> Iterator[Stop]:
    """A block whose measuring a signal can cut short; what was measured is then judged and written.

    Raises `Interrupted` where a signal came before.
    """
    stop = Stop()
    with handling_signals() as signals:
        signals.begin(stop)
        try:
            yield stop
        finally:
            signals.end(stop)


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Hold signals back until the block is left; in other threads, which get no signals, this has
    no effect.

    The handler does this. A mask would hold for the main thread only: the kernel would then give
    the signal to another thread, such as one of NumPy's, and Python run the handler all the same.
    """
    if not _in_main_thread():
        yield
        return
    with handling_signals() as signals:
        signals.hold()
        try:
            yield
        finally:
            signals.release()


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
