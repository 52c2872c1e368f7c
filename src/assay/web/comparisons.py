"""Pages of comparisons: made once, by a process of its own, and kept in the user's cache.

    page = comparisons.page(chosen)      # the bytes, or None: it is being made

Run files never change, so a page is right for as long as this version of Assay makes it.
"""

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock

from assay import __version__
from assay.errors import AssayError
from assay.places import cache_folder
from assay.small_files import MB, read_small, small_if_there
from assay.web.work import Worker
from assay.workflows.pages.comparison import Chosen

_KEPT = 200  # pages
_LARGEST = 256 * MB  # of one: it holds all samples
_WAITING = 16  # that are asked for and not made yet; more are refused for now


class Comparisons:
    """Those of one store."""

    def __init__(self, root: Path, worker: Worker) -> None:
        self._root, self._worker = root, worker
        self._folder = cache_folder() / "comparisons"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._pool = ThreadPoolExecutor(1, "comparisons")
        self._lock = Lock()
        self._asked: dict[Chosen, Future[None]] = {}

    def page(self, chosen: Chosen) -> bytes | None:
        """None: it is being made, ask again. Raises `AssayError` when it cannot be."""
        place = self._place(chosen)
        if (kept := small_if_there(place, _LARGEST)) is not None:
            return kept
        with self._lock:
            making = self._asked.get(chosen)
            if making is None and len(self._asked) < _WAITING:
                self._asked[chosen] = self._pool.submit(self._make, chosen, place)
        if making is None or not making.done():
            return None
        with self._lock:
            self._asked.pop(chosen, None)
        making.result()
        return read_small(place, _LARGEST)

    def prepare(self, every: Iterable[Chosen]) -> None:
        """Make these before anybody asks; one that cannot be made is told when it is asked for."""
        for chosen in every:
            with suppress(AssayError, OSError):
                self.page(chosen)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _make(self, chosen: Chosen, place: Path) -> None:
        self._sweep()
        self._worker.compare(self._root, chosen, place)

    def _place(self, chosen: Chosen) -> Path:
        words = "\0".join((__version__, os.fspath(self._root.resolve()), *chosen))
        name = hashlib.sha256(os.fsencode(words)).hexdigest()[:32]
        return self._folder / f"{name}.html"

    def _sweep(self) -> None:
        """Remove the oldest, so that the cache stays small."""
        kept = sorted(self._folder.glob("*.html"), key=lambda one: one.stat().st_mtime)
        for path in kept[: max(0, len(kept) - _KEPT)]:
            path.unlink(missing_ok=True)
