"""Pages that are made while the server ends."""

import threading
from pathlib import Path

import pytest
from patience import PATIENCE_S

from assay.errors import AssayError
from assay.web.judged_page import Wanted, comparison
from assay.web.page_cache import PageCache
from assay.web.work import Worker
from assay.workflows.pages.comparison import Chosen


class Held(Worker):
    """One that makes nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.began, self.go_on = threading.Event(), threading.Event()

    def make(self, root: Path, wanted: Wanted, output: Path) -> None:
        self.began.set()
        self.go_on.wait(PATIENCE_S)


def test_who_waits_is_told_that_the_server_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    worker = Held()
    cache = PageCache(tmp_path, worker)
    first, second = (comparison(Chosen("a", other)) for other in "bc")
    assert cache.page(first) is None
    assert worker.began.wait(PATIENCE_S)
    assert cache.page(second) is None  # it waits behind the first
    cache.close()
    with pytest.raises(AssayError, match="the server is ending"):
        cache.page(second)
    worker.go_on.set()
