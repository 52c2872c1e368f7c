"""Follows sessions for readers: one process for each session, shared by its readers.

    async for part in live.told(name, request.is_disconnected): ...   # server-sent events

A session is followed only while somebody reads, because looks take time of the machine that it
measures on. A slow reader gets the newest look, and misses those before it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple

import msgspec

from assay.live import LiveStage
from assay.record.store.folder import Folder
from assay.typed_json import decoded
from assay.web.work import Follower

_READERS = 40  # at most so many browsers follow running sessions at once
_SESSIONS = 4  # at most so many sessions are followed at once, each by a process
_REMEMBERED = 50  # so many ended sessions are remembered, with the run that each was stored as
_POLL_S = 0.2
# Seconds without news after which something is sent, to notice readers who are gone.
_QUIET_S = 15.0
_SHOWN_S = 30.0  # seconds to wait, at most, until the pages show a run that was just stored
_FULL = "So many readers follow sessions already that this page does not: look again later."
_GONE = "This session cannot be followed: its journal is gone, or cannot be read."


class _PageAddress(msgspec.Struct, frozen=True):
    """The one field that is read of a look's JSON: the address of the run's page."""

    href: str


class StoredSession(NamedTuple):
    """What became of a session: the run that it was stored as, and the
    address of that run's page.
    """

    run: str
    href: str


class _Followed(msgspec.Struct):
    """A running session that browsers follow. Threads replace `newest` only as a whole."""

    process: Follower
    # Of the latest state of the session: its number, its stage, the run if it is stored, and JSON.
    newest: tuple[int, str, str, bytes] | None = None
    is_over: bool = False
    readers: int = 0


class Live:
    """Follows the running sessions of one store for any number of browsers.

    Threads may share it.
    """

    def __init__(self, root: Path, is_shown: Callable[[str], bool]) -> None:
        self.root = root
        self.is_shown = is_shown  # tells whether the pages show a run already
        self._lock = Lock()
        self._followed: dict[str, _Followed] = {}
        self._ended: OrderedDict[str, StoredSession] = OrderedDict()

    def stored_session(self, name: str) -> StoredSession | None:
        """What a followed session became; None if that is not known."""
        return self._ended.get(name)

    def close(self) -> None:
        with self._lock:
            for one in self._followed.values():
                one.process.stop()
            self._followed.clear()

    async def told(self, name: str, is_gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[bytes]:
        """Server-sent events on one session, until the session ends or its reader leaves."""
        followed = self._add_reader(name) if self._has_journal(name) else None
        if followed is None:
            why = _FULL if self._has_journal(name) else _GONE
            yield _event("refused", why.encode())
            return
        try:
            async for part in self._looks(followed, is_gone):
                yield part
        finally:
            self._remove_reader(name, followed)

    async def _looks(
        self, followed: _Followed, is_gone: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[bytes]:
        seen, quiet_s = 0, 0.0
        while not await is_gone():
            newest, is_over = followed.newest, followed.is_over
            if newest and newest[0] > seen:
                seen, quiet_s = newest[0], 0.0
                await self._wait_until_shown(newest[2])
                yield _event("look", newest[3])
            if is_over:
                if not newest or not LiveStage(newest[1]).is_last:
                    yield _event("refused", _GONE.encode())
                return
            quiet_s += _POLL_S
            if quiet_s >= _QUIET_S:
                quiet_s = 0.0
                yield b":\n\n"
            await asyncio.sleep(_POLL_S)

    async def _wait_until_shown(self, run: str) -> None:
        """Wait until the pages show a stored run, so that a link to it works."""
        for _ in range(int(_SHOWN_S / _POLL_S)):
            if not run or self.is_shown(run):
                return
            await asyncio.sleep(_POLL_S)

    def _has_journal(self, name: str) -> bool:
        """Whether the store has a journal of this session; without one, no process is started."""
        paths = Folder(self.root).journals()
        return any(path.stem == name for path in paths)

    def _add_reader(self, name: str) -> _Followed | None:
        """Count one more reader of a session, and follow it if it is not followed yet.

        None if there are too many readers or sessions.
        """
        with self._lock:
            readers = sum(one.readers for one in self._followed.values())
            followed = self._followed.get(name)
            if readers >= _READERS or (not followed and len(self._followed) >= _SESSIONS):
                return None
            if followed is None:
                followed = self._followed[name] = _Followed(Follower(self.root, name))
                Thread(target=self._keep_looks, args=(name, followed), daemon=True).start()
            followed.readers += 1
            return followed

    def _remove_reader(self, name: str, followed: _Followed) -> None:
        with self._lock:
            followed.readers -= 1
            if followed.readers == 0 and self._followed.get(name) is followed:
                del self._followed[name]
                followed.process.stop()

    def _keep_looks(self, name: str, followed: _Followed) -> None:
        """Runs in a thread: takes the states of a session from the process that judges it, and
        keeps the newest, until the process ends.
        """
        try:
            for number, line in enumerate(followed.process.lines(), 1):
                if not line.endswith(b"\n"):
                    return  # the process was killed while it wrote this line
                stage, run, look = line.rstrip(b"\n").split(b"\t", 2)
                followed.newest = number, stage.decode(), run.decode(), look
                if run:
                    one = decoded(look, _PageAddress, where=name, what="a look at a session")
                    self._remember(name, StoredSession(run.decode(), one.href))
        finally:
            followed.is_over = True

    def _remember(self, name: str, stored: StoredSession) -> None:
        self._ended[name] = stored
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)


def _event(name: str, data: bytes) -> bytes:
    """A server-sent event; `data` must be a single line."""
    return b"event: %b\ndata: %b\n\n" % (name.encode(), data)
