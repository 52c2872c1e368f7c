"""Our end of `assay-launch --serve`: one small process that makes one launch after another.

    server = LaunchServer(launcher)
    server.request(("/bin/true",), {}, None, output, errors)
    server.answer(timeout_s=10)  # the report's JSON line; None while the program still runs
    server.close()

Starting the launcher anew for every launch (a fork and an exec) cost more than the rest of our work
together. Resource limits, priority and the CPUs it may use are those we had when the server
started; arguments, environment and working directory are those at the time of the launch.
"""

import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.errors import LaunchError, MeasurementError, NotStartedError

# The first line that the launcher sends; launch_server.hpp describes the protocol.
GREETING = b"assay-launch serves 1\n"
GRACE_S = 2.0  # seconds between SIGTERM and SIGKILL
_PID_BYTES = 4  # size of the process id in the memory file shared with the launcher


class LaunchServer:
    """One `assay-launch` process, which makes one launch at a time until `close`, or until we
    end."""

    def __init__(self, launcher: Path, stdin: int = subprocess.DEVNULL) -> None:
        """Start a launcher, whose programs all get `stdin`. Raises `MeasurementError` if it is of
        another version."""
        self._pid_file = os.fdopen(os.memfd_create("assay-pid"), "w+b", buffering=0)
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = _started_launcher(
                launcher, theirs.fileno(), self._pid_file.fileno(), stdin
            )
        self._line = b""  # the part of the next line that has arrived
        self._readable = select.poll()
        self._readable.register(self._socket, select.POLLIN)
        if self.answer(None) != GREETING:
            self.close()
            raise MeasurementError(
                "is not the launcher of this version of Assay",
                where=str(launcher),
                hint="install the native part again with `pip install .`",
            )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def request(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        cpu: int | None,
        output: int,
        errors: int,
        *,
        folder: Path = Path(),
        whole: bool = False,
    ) -> None:
        """Make the launcher run a program in `folder`, with `env` added to our own environment.

        With `whole` the program gets `env` only, and nothing of our environment.
        """
        text = _encoded_request(argv, {} if whole else os.environb, env, cpu)
        opened = _folder_descriptor(folder)
        try:
            with contextlib.suppress(BrokenPipeError):  # if the launcher is gone, `answer` says so
                sent = socket.send_fds(self._socket, [text], [output, errors, opened])
                self._socket.sendall(text[sent:])
        finally:
            os.close(opened)

    def fileno(self) -> int:
        """For `poll`: readable as soon as there is an answer, or when the launcher is gone."""
        return self._socket.fileno()

    def answer(self, timeout_s: float | None) -> bytes | None:
        """The launcher's next line; None at the timeout; empty if the launcher is gone."""
        deadline_s = time.monotonic() + (timeout_s or 0)
        while not self._line.endswith(b"\n"):
            left_s = None if timeout_s is None else max(0.0, deadline_s - time.monotonic())
            if not self._readable.poll(None if left_s is None else 1000 * left_s):
                return None
            chunk = self._received_bytes()
            if not chunk:
                return b""
            self._line += chunk
        line, self._line = self._line, b""
        return line

    def program(self) -> int:
        """The running program's process id, which is also its process group; 0 if none runs."""
        number = os.pread(self._pid_file.fileno(), _PID_BYTES, 0)
        return int.from_bytes(number, sys.byteorder)

    def kill_and_close(self) -> None:
        """Make the launcher kill its program and end, from any thread; `answer` is then empty."""
        with contextlib.suppress(OSError):  # the socket was closed a moment ago
            self._socket.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """Ask the running program to end, kill it if it does not, and end the launcher."""
        program = self.program()
        try:
            if program:
                _signal_group(program, signal.SIGTERM)
                self.answer(GRACE_S)
        finally:
            self.close()
            # A launcher that was itself killed could not end its program.
            if program and self._process.returncode:
                _signal_group(program, signal.SIGKILL)

    def close(self) -> None:
        """End the launcher, and with it everything that it started."""
        self.kill_and_close()
        self._socket.close()
        self._pid_file.close()
        self._process.wait()

    def _received_bytes(self) -> bytes:
        try:
            return self._socket.recv(65536)
        except ConnectionResetError:
            return b""


def _started_launcher(
    launcher: Path, channel: int, pid_file: int, stdin: int
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        (str(launcher), "--serve", str(channel), "--pid-fd", str(pid_file)),
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(channel, pid_file),
        start_new_session=True,
    )


def _encoded_request(
    argv: Sequence[str], ours: Mapping[bytes, bytes], env: Mapping[str, str], cpu: int | None
) -> bytes:
    """A request as bytes: its length, the CPU, the number of arguments, arguments and variables."""
    whole = dict(ours)
    whole.update((os.fsencode(name), os.fsencode(value)) for name, value in env.items())
    fields = [
        b"" if cpu is None else b"%d" % cpu,
        b"%d" % len(argv),
        *map(os.fsencode, argv),
        *(b"%b=%b" % item for item in whole.items()),
    ]
    text = b"\0".join(fields) + b"\0"
    if text.count(b"\0") != len(fields):
        raise NotStartedError("a NUL byte in an argument or variable", where=argv[0])
    return struct.pack("=I", len(text)) + text


def _folder_descriptor(folder: Path) -> int:
    """A descriptor of the folder that the program starts in. Raises `LaunchError`."""
    try:
        return os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise LaunchError(f"cannot start in it: {error.strerror}", where=str(folder)) from None


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)
