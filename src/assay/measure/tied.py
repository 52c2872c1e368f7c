"""Runs helper programs (git, ssh, a compiler) so that none of them outlives us.

    done = run_program(("git", "status"), environment=os.environ, folder=Path("checkout"))
    done.code, done.output, done.errors

    with TiedProgram(("ssh", "host"), environment=os.environ, data=None) as ssh:   # for a dialogue
        ssh.write(b"...")
        ssh.output.read(4)

They run under `assay-launch`, as everything does: it ends them, and whatever they started, when we
are done, interrupted or killed. A plain `subprocess` of git left `git-remote-http` behind. That
waited for ever for a silent server, holding a lock that every later push waited for.
"""

import io
import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from assay.errors import InputError, NotStartedError
from assay.measure.executor import find_launcher
from assay.measure.launch_server import LaunchServer
from assay.typed_json import decoded

_LOOK_S = 1.0  # seconds between two looks at whether it wrote on standard error
_KEPT_ERRORS = 1 << 20  # bytes of standard error that are kept: the last ones


class ExitReport(msgspec.Struct, frozen=True):
    """The launcher's report of how a program ended."""

    exit: int | None = None
    signal: int | None = None
    error: str = ""


class ProgramOutput(msgspec.Struct, frozen=True):
    """What a helper program printed, and how it ended."""

    code: int  # exit code; for a signal its negative number, as in `subprocess`
    output: bytes
    errors: bytes


class WaitLimits(msgspec.Struct, frozen=True):
    """How long to wait for a program; None means without limit."""

    silent_s: float | None = None  # seconds without any output on standard output or error
    whole_s: float | None = None  # seconds from its start to its end


_NO_LIMITS = WaitLimits()


def run_program(
    words: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path = Path(),
    data: bytes = b"",
    patience: WaitLimits = _NO_LIMITS,
    merged: bool = False,
) -> ProgramOutput:
    """Run a program to its end. `data` is its standard input; `merged`: errors join the output.

    Raises `LaunchError` if it cannot be started, and `TimeoutError` when patience is over.
    """
    with TiedProgram(
        words, environment=environment, folder=folder, data=data, patience=patience, merged=merged
    ) as program:
        output = program.output.read()
        return ProgramOutput(program.finish(), output, program.errors())


class TiedProgram:
    """A helper program that runs under `assay-launch`, so that it ends when we do.

    Use it in `with`, or close it.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        environment: Mapping[str, str],
        folder: Path = Path(),
        data: bytes | None = b"",
        patience: WaitLimits = _NO_LIMITS,
        merged: bool = False,
    ) -> None:
        """Start the program. `data` is all of its standard input; None if `write` is to be used."""
        self._words = tuple(words)
        self._code: int | None = None
        self._errors = os.fdopen(os.memfd_create("assay-errors"), "w+b", buffering=0)
        self._clock = _PatienceTimer(patience, self._errors.fileno())
        self._input: int | None = None
        self._server = self._started_launcher(data)
        output, theirs = os.pipe()
        self.output = io.BufferedReader(_ProgramOutputStream(output, self._clock))
        errors = theirs if merged else self._errors.fileno()
        try:
            self._server.request(
                words, environment, None, theirs, errors, folder=folder, whole=True
            )
        except BaseException:
            self.close()
            raise
        finally:
            os.close(theirs)

    def write(self, data: bytes) -> None:
        """Write to the program's input. Raises `TimeoutError`, or `BrokenPipeError` if it ended."""
        if self._input is None:
            raise BrokenPipeError
        ready = select.poll()
        ready.register(self._input, select.POLLOUT)
        ready.register(self._server, select.POLLIN)
        left = memoryview(data)
        while left:
            self._clock.wait_for(ready)
            if self._has_ended():
                raise BrokenPipeError
            with suppress(BlockingIOError):
                left = left[os.write(self._input, left) :]

    def finish(self) -> int:
        """Wait until the program has ended; return its exit code, negative for a signal. Raises
        `LaunchError`."""
        self._close_input()
        if self._code is None:
            self._code = self._exit_code(self._server.answer(None))
        return self._code

    def errors(self) -> bytes:
        """The end of what the program wrote on standard error, a megabyte at most."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _KEPT_ERRORS))
        return self._errors.read()

    def close(self) -> None:
        """End the program and everything that it started."""
        self._close_input()
        try:
            if self._code is None:
                self._server.end()  # this first asks it to end, so that git removes its lock files
            else:
                self._server.close()
        finally:
            self._server.close()
            self.output.close()
            self._errors.close()

    def __enter__(self) -> "TiedProgram":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _started_launcher(self, data: bytes | None) -> LaunchServer:
        """Start a launcher for this program alone, because a launcher's programs share one standard
        input."""
        if data is None:
            theirs, self._input = os.pipe()
            os.set_blocking(self._input, False)
        else:
            theirs = os.memfd_create("assay-input")
            with os.fdopen(os.dup(theirs), "wb") as file:
                file.write(data)
            os.lseek(theirs, 0, os.SEEK_SET)
        try:
            return LaunchServer(find_launcher(), theirs)
        except BaseException:
            self._close_input()
            self._errors.close()
            raise
        finally:
            os.close(theirs)

    def _has_ended(self) -> bool:
        ended = select.poll()
        ended.register(self._server, select.POLLIN)
        return bool(ended.poll(0))

    def _exit_code(self, report: bytes | None) -> int:
        try:
            ended = decoded(report or b"", ExitReport, where="assay-launch", what="its report")
        except InputError:  # the launcher was killed before it wrote its whole report
            return -signal.SIGKILL
        if ended.error:
            raise NotStartedError(ended.error, where=self._words[0])
        return -(ended.signal or 0) if ended.exit is None else ended.exit

    def _close_input(self) -> None:
        if self._input is not None:
            os.close(self._input)
            self._input = None


class _PatienceTimer:
    """Limits the waiting for a program by `WaitLimits`; writing to standard error counts as
    activity."""

    def __init__(self, patience: WaitLimits, errors: int) -> None:
        self._patience, self._errors = patience, errors
        whole_s = patience.whole_s
        self._ends_s = None if whole_s is None else time.monotonic() + whole_s

    def wait_for(self, ready: select.poll) -> None:
        """Wait until something can be read. Raises `TimeoutError` where that takes longer than the
        limits."""
        last_output_s, said = time.monotonic(), self._bytes_of_errors()
        while True:
            left_s = self._left_s(last_output_s)
            if ready.poll(1000 * min(max(left_s, 0.0), _LOOK_S)):
                return
            if left_s <= 0:
                raise TimeoutError
            if self._bytes_of_errors() != said:
                last_output_s, said = time.monotonic(), self._bytes_of_errors()

    def _left_s(self, last_output_s: float) -> float:
        silent_s, now_s = self._patience.silent_s, time.monotonic()
        ends = [] if self._ends_s is None else [self._ends_s]
        ends += [] if silent_s is None else [last_output_s + silent_s]
        return min(ends, default=now_s + _LOOK_S) - now_s

    def _bytes_of_errors(self) -> int:
        return os.fstat(self._errors).st_size


class _ProgramOutputStream(io.RawIOBase):
    """The reading end of a pipe; reading waits only as long as `WaitLimits` allow."""

    def __init__(self, descriptor: int, clock: _PatienceTimer) -> None:
        self._descriptor, self._clock = descriptor, clock
        self._ready = select.poll()
        self._ready.register(descriptor, select.POLLIN)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._clock.wait_for(self._ready)
        return os.readv(self._descriptor, [buffer])

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()
