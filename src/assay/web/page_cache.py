"""Pages that take seconds to make, made once and kept in the user's cache.

    page = cache.page(comparison(chosen))      # the bytes, or None: it is being made

The files of runs never change, so a page is right until Assay itself would make it differently: its
name contains the version of everything that makes it.
"""

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock

from assay.errors import AssayError
from assay.places import cache_folder
from assay.small_files import MB, read_small, read_small_if_there
from assay.web.judged_page import WantedPage, version_of_pages
from assay.web.work import Worker

_KEPT = 200  # at most so many pages are kept on disk
_LARGEST = 256 * MB  # bytes; a larger page, with all its samples, is not served
# At most so many pages wait to be made; requests for others are put off until there is room.
_WAITING = 16


class PageCache:
    """The pages of one store that take seconds to make, kept on disk once they are made."""

    def __init__(self, root: Path, worker: Worker) -> None:
        self._root, self._worker = root, worker
        self._folder = cache_folder() / "pages"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._pool = ThreadPoolExecutor(1, "pages")
        self._lock = Lock()
        self._asked: dict[WantedPage, Future[None]] = {}

    def page(self, wanted: WantedPage) -> bytes | None:
        """The page; None while it is being made. Raises `AssayError` if it cannot be made."""
        place = self._place(wanted)
        if (kept := read_small_if_there(place, _LARGEST)) is not None:
            return kept
        with self._lock:
            making = self._asked.get(wanted)
            if making is None and self._has_room():
                self._asked[wanted] = self._pool.submit(self._make, wanted, place)
        if making is None or not making.done():
            return None
        with self._lock:
            self._asked.pop(wanted, None)
        if making.cancelled():
            raise AssayError("the server is ending")
        making.result()
        return read_small(place, _LARGEST)

    def prepare(self, every: Iterable[WantedPage]) -> None:
        """Make pages before anybody asks.

        If one cannot be made, the reader who asks for it is told why.
        """
        for wanted in every:
            with suppress(AssayError, OSError):
                self.page(wanted)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _has_room(self) -> bool:
        """Whether one more page may be made. Forgets pages that are made, and the oldest failures.

        Pages that are made once counted until somebody asked for them, so that a server made
        sixteen pages and then no more.
        """
        failed = [one for one, making in self._asked.items() if making.done() and _failed(making)]
        forgotten = set(failed[: -_WAITING or None])
        self._asked = {
            one: making
            for one, making in self._asked.items()
            if one not in forgotten and (not making.done() or _failed(making))
        }
        return sum(not making.done() for making in self._asked.values()) < _WAITING

    def _make(self, wanted: WantedPage, place: Path) -> None:
        self._sweep()
        self._worker.make(self._root, wanted, place)

    def _place(self, wanted: WantedPage) -> Path:
        root = os.fspath(self._root.resolve())
        words = "\0".join((version_of_pages(), root, wanted.kind, *wanted.words))
        name = hashlib.sha256(os.fsencode(words)).hexdigest()[:32]
        return self._folder / f"{name}.html"

    def _sweep(self) -> None:
        """Remove the oldest pages, so that the cache stays small."""
        kept = sorted(self._folder.glob("*.html"), key=lambda one: one.stat().st_mtime)
        for path in kept[: max(0, len(kept) - _KEPT)]:
            path.unlink(missing_ok=True)


def _failed(done: Future[None]) -> bool:
    return done.cancelled() or done.exception() is not None
