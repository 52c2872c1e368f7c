"""What takes seconds is done by a process of its own, so that no reader waits for it.

    Worker().survey(root)                      # judges what is new in the store
    Worker().compare(root, chosen, output)     # writes the page of a comparison

The server answers from one Python process. Judging 5,000 benchmarks takes it seconds, in which it
would answer nobody, and memory that it would keep.
"""

import os
import subprocess
import sys
from pathlib import Path
from threading import Lock, Thread

from assay.errors import AssayError
from assay.workflows.pages.comparison import Chosen

_SURVEY, _COMPARE = "survey", "compare"
_PATIENCE_S = 900.0


class Worker:
    """Starts them, one at a time, and ends the one that runs when the server ends."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._running: subprocess.Popen[str] | None = None
        self._is_closed = False

    def survey(self, root: Path) -> None:
        """Raises `AssayError` with what the process said."""
        self._run(_SURVEY, str(root))

    def compare(self, root: Path, chosen: Chosen, output: Path) -> None:
        """Raises `AssayError` with what the process said."""
        self._run(_COMPARE, str(root), *chosen, str(output))

    def close(self) -> None:
        """No other is started."""
        self._is_closed = True
        if self._running:
            self._running.terminate()

    def _run(self, *words: str) -> None:
        with self._turn:
            if self._is_closed:
                raise AssayError("the server is ending")
            theirs, ours = os.pipe()  # closed when the server is killed: the process sees that
            try:
                self._running = subprocess.Popen(
                    [sys.executable, "-P", "-m", "assay.web.work", *words],
                    stdin=theirs,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                    errors="replace",
                )
                _, said = self._running.communicate(timeout=_PATIENCE_S)
            except BaseException:
                if self._running:
                    self._running.kill()
                    self._running.wait()
                raise
            finally:
                os.close(theirs)
                os.close(ours)
            code, self._running = self._running.returncode, None
        if code:
            last = said.strip().splitlines()[-1:] or [f"ended with code {code}"]
            raise AssayError(last[0].removeprefix("error: "))


def main(words: list[str]) -> int:
    """In the process: its exit code."""
    Thread(target=_end_with_the_server, daemon=True).start()
    try:
        if words[0] == _SURVEY:
            _survey(Path(words[1]))
        else:
            _compare(Path(words[1]), Chosen(words[2], words[3]), Path(words[4]))
    except AssayError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _end_with_the_server() -> None:
    """A server that is killed cannot end this process, so it watches for that itself.

    What it has judged until then is kept.
    """
    os.read(sys.stdin.fileno(), 1)  # `sys.stdin.read` holds a lock that Python's end wants
    os._exit(0)  # nobody is there to read the code


def _survey(root: Path) -> None:
    from assay.workflows.pages.survey import surveyed

    surveyed(root)


def _compare(root: Path, chosen: Chosen, output: Path) -> None:
    from assay.files import write_whole
    from assay.model import Settings
    from assay.show.page.report import page
    from assay.show.page.store.frame import ROOMS
    from assay.workflows.pages.comparison import compared

    write_whole(page(compared(root, chosen, Settings()), ROOMS), output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
