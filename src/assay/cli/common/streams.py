"""Makes standard input, output and error usable for the rest of Assay, whatever state they are in.

    open_streams()      # first of all
    discard_output()    # when standard output has no reader, or cannot be written

* A descriptor that was closed before we began is opened: else the first file that is opened gets
  its number, and what is printed goes into that file. Writing to a closed standard output fails as
  it does for every program; what goes to a closed standard error nobody wants.
* What an encoding has no character for is written as its number: `\\xb5` for a micro sign in ASCII,
  `\\udcff` for a byte of a path that is no UTF-8. A result is not lost for the name of a file.
* Progress and complaints never fail: after SIGHUP the terminal is gone, and a disk can be full.
"""

import io
import os
import sys
from contextlib import suppress
from typing import Any

_UNSEEN = "backslashreplace"


class _ErrorIgnoringFile(io.FileIO):
    """A file that ignores errors: what cannot be written is lost. It is used for standard error."""

    def write(self, data: Any) -> int:
        left = memoryview(data)
        with suppress(OSError):
            while left:
                left = left[super().write(left) or 0 :]
        return len(data)


def open_streams() -> None:
    """Open those streams that are closed, and set how each treats characters and errors."""
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # Opens the lowest number that is free, which is the number of the closed stream.
            os.open(os.devnull, mode)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="surrogateescape" if stream is sys.stdin else _UNSEEN)
    encoding = sys.stderr.encoding if sys.stderr else "utf-8"
    raw = _ErrorIgnoringFile(2, "w", closefd=False)
    sys.stderr = io.TextIOWrapper(raw, encoding, _UNSEEN, line_buffering=True, write_through=True)


def discard_output() -> None:
    """Send what standard output has buffered to /dev/null.

    At exit Python would otherwise try to write it again, and end with an exit code of its own.
    """
    with suppress(OSError, ValueError):  # standard output is no file that could be redirected
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
