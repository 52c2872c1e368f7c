"""Pages that are made while the server ends."""

import threading
from pathlib import Path

import pytest
from patience import PATIENCE_S, wait_until

from assay.errors import AssayError
from assay.web.judged_page import WantedPage, comparison
from assay.web.page_cache import PageCache
from assay.web.work import Worker
from assay.workflows.pages.comparison import ChosenRuns


class Instant(Worker):
    """One that makes each page at once; of `broken` it makes none."""

    broken = ""

    def make(self, root: Path, wanted: WantedPage, output: Path) -> None:
        if self.broken in wanted.words:
            raise AssayError("cannot be made")
        output.write_text("\0".join(wanted.words))


def made(cache: PageCache, wanted: WantedPage) -> bytes:
    """The page, as a reader gets it who asks again until it is there."""
    found: list[bytes] = []

    def is_there() -> bool:
        found.extend(one for one in [cache.page(wanted)] if one is not None)
        return bool(found)

    wait_until(is_there)
    return found[0]


def test_any_number_of_pages_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server once made sixteen, and those who asked for the next were told to wait for ever."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache = PageCache(tmp_path, Instant())
    for number in range(40):
        wanted = comparison(ChosenRuns("a", str(number)))
        assert made(cache, wanted) == "\0".join(wanted.words).encode()
    cache.close()


def test_pages_that_fail_leave_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    worker = Instant()
    worker.broken = "a"
    cache = PageCache(tmp_path, worker)
    broken = [comparison(ChosenRuns("a", str(number))) for number in range(40)]
    for wanted in broken:
        assert cache.page(wanted) is None
        wait_until(lambda: all(one.done() for one in cache._asked.values()))
    assert made(cache, comparison(ChosenRuns("b", "c")))
    with pytest.raises(AssayError, match="cannot be made"):
        cache.page(broken[-1])
    cache.close()


class Held(Worker):
    """One that makes nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.go_on = threading.Event(), threading.Event()

    def make(self, root: Path, wanted: WantedPage, output: Path) -> None:
        self.began.set()
        self.go_on.wait(PATIENCE_S)


def test_who_waits_is_told_that_the_server_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    worker = Held()
    cache = PageCache(tmp_path, worker)
    first, second = (comparison(ChosenRuns("a", other)) for other in "bc")
    assert cache.page(first) is None
    assert worker.began.wait(PATIENCE_S)
    assert cache.page(second) is None  # it waits behind the first
    cache.close()
    with pytest.raises(AssayError, match="the server is ending"):
        cache.page(second)
    worker.go_on.set()
