"""Runs slow work in processes of its own, so that readers do not wait for it.

    Worker().survey(root)                      # judges what is new in the store
    Worker().make(root, wanted, output)        # writes a page
    Follower(root, session).lines()            # looks at a session that runs

The server is a single Python process. Judging 5,000 benchmarks takes seconds, in which it could
answer nobody, and memory that it would not give back.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock, Thread

from assay.errors import AssayError
from assay.web.judged_page import PageKind, WantedPage, judged_page

_SURVEY, _FOLLOW = "survey", "follow"
# Added to the priority number of worker processes, as measuring comes first. With 19, the first
# state of a session on a busy machine was seen only after 28 s.
_NICE = 5
_PATIENCE_S = 900.0


class Worker:
    """Runs slow work in processes, one at a time; the running one is ended with the server."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._running: subprocess.Popen[str] | None = None
        self._is_closed = False

    def survey(self, root: Path) -> None:
        """Judge what is new in the store. Raises `AssayError` with the message of the process."""
        self._run(_SURVEY, str(root))

    def make(self, root: Path, wanted: WantedPage, output: Path) -> None:
        """Make a page and write it to `output`.

        Raises `AssayError` with the message of the process.
        """
        self._run(wanted.kind, str(root), str(output), *wanted.words)

    def close(self) -> None:
        """End the running process, and start no other."""
        self._is_closed = True
        if self._running:
            self._running.terminate()

    def _run(self, *words: str) -> None:
        with self._turn:
            if self._is_closed:
                raise AssayError("the server is ending")
            # The process has one end of the pipe. If the server is killed, the pipe closes, which
            # the process sees.
            theirs, ours = os.pipe()
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


class Follower:
    """A process that judges a running session again and again, until it ends or is stopped."""

    def __init__(self, root: Path, session: str) -> None:
        # The process has one end of the pipe. If the server is killed, the pipe closes, which the
        # process sees.
        theirs, self._ours = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "assay.web.work", _FOLLOW, str(root), session],
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        finally:
            os.close(theirs)

    def lines(self) -> Iterator[bytes]:
        """A line for each look: its stage, the run it became, and JSON, separated by tabs."""
        assert self._process.stdout
        with self._process.stdout as said:
            yield from said
        self._process.wait()

    def stop(self) -> None:
        """End the process, after which `lines` gives no more. Call it once."""
        os.close(self._ours)
        self._process.terminate()


def main(words: list[str]) -> int:
    """Do what `Worker` or `Follower` started this process for; returns its exit code."""
    Thread(target=_end_with_the_server, daemon=True).start()
    try:
        if words[0] == _SURVEY:
            _survey(Path(words[1]))
        elif words[0] == _FOLLOW:
            _follow(Path(words[1]), words[2])
        else:
            wanted = WantedPage(PageKind(words[0]), tuple(words[3:]))
            _make(Path(words[1]), wanted, Path(words[2]))
    except AssayError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except FileNotFoundError:
        return 1  # the session has ended in the meantime
    return 0


def _end_with_the_server() -> None:
    """Ends this process when the server was killed and so cannot end it.

    What was judged until then is kept.
    """
    # Reading through `sys.stdin` would hold a lock that Python needs at exit.
    os.read(sys.stdin.fileno(), 1)
    os._exit(0)  # nobody reads the exit code any more


def _survey(root: Path) -> None:
    from assay.workflows.pages.survey import survey_of_store

    survey_of_store(root)


def _make(root: Path, wanted: WantedPage, output: Path) -> None:
    from assay.files import write_whole

    write_whole(judged_page(root, wanted, served=True), output)


def _follow(root: Path, name: str) -> None:
    from assay.encoding import json_bytes
    from assay.record.store.folder import Folder
    from assay.show.page.store.live import look_data
    from assay.workflows.pages.live import Clocks, SessionFollower

    os.nice(_NICE)
    clocks = Clocks(time.monotonic, time.process_time, time.sleep)
    for look in SessionFollower(Folder.opened(root), name).looks(clocks):
        _avoid_cpus(look.cpus)
        told = json_bytes(look_data(look))
        sys.stdout.buffer.write(b"%b\t%b\t%b\n" % (look.stage.encode(), look.run.encode(), told))
        sys.stdout.flush()


def _avoid_cpus(cpus: frozenset[int]) -> None:
    """Move this process to CPUs on which nothing is measured, if there are any."""
    if others := os.sched_getaffinity(0) - cpus:
        os.sched_setaffinity(0, others)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
