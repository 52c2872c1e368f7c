"""`assay` as a machine of the soak runs it: its clock is ahead, and it may kill itself.

    python -m soak.assay_there AHEAD_S STEPS AFTER_S runs push ...

Its time.time() is AHEAD_S seconds later. At the STEPS-th file that it writes, links, renames or
removes, or program that it starts, it is about to be killed: AFTER_S seconds later, by itself. So a
busy machine does not shift all kills to the start of Python, as it does with a clock. 0: never.
"""

import os
import signal
import sys
import threading
import time

_STEPS = ("os.link", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "subprocess.Popen")


class _Counted:
    """What is left until the kill."""

    def __init__(self, steps: int, after_s: float) -> None:
        self._left, self._after_s = steps, after_s

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in _STEPS or (event == "open" and _is_written(arguments)):
            self._left -= 1
            if self._left == 0:
                threading.Timer(self._after_s, os.kill, (os.getpid(), signal.SIGKILL)).start()


def _is_written(arguments: tuple[object, ...]) -> bool:
    path, _, flags = arguments
    is_written = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))
    return is_written and "__pycache__" not in str(path)


def main() -> None:
    ahead_s, steps, after_s = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    del sys.argv[1:4]
    now = time.time
    time.time = lambda: now() + ahead_s
    if steps:
        sys.addaudithook(_Counted(steps, after_s))
    from assay.cli import main as assay

    assay()


if __name__ == "__main__":
    main()
