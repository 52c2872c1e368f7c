"""Who follows a session: so many and no more, and a process only while somebody does."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from own_thread import finished
from patience import PATIENCE_S
from running import Written
from serving import served
from stores import Step, filled

from assay.show.page.store.live import ended_page
from assay.web import live as module
from assay.web.live import Live


class Reader:
    """One that reads some events and goes."""

    def __init__(self, live: Live, name: str) -> None:
        self.gone = False
        self.events: AsyncIterator[bytes] = live.told(name, self._is_gone)

    async def _is_gone(self) -> bool:
        return self.gone

    async def next(self) -> bytes:
        async for event in self.events:
            if event.startswith(b"event"):
                return event  # what only keeps the connection alive is left out
        raise StopAsyncIteration

    async def leave(self) -> None:
        self.gone = True
        assert [one async for one in self.events] == []


def test_a_process_ends_with_its_last_reader(tmp_path: Path) -> None:
    async def read() -> None:
        first, second = Reader(live, session.name), Reader(live, session.name)
        assert (await first.next()).startswith(b"event: look\ndata: {")
        assert (await second.next()).startswith(b"event: look\n"), "the newest look, at once"
        (followed,) = live._followed.values()
        await first.leave()
        assert live._followed
        await second.leave()
        assert not live._followed
        followed.process._process.wait(PATIENCE_S)  # the session goes on: it was ended

    with Written(tmp_path / ".assay", ["BM_a"]) as session:
        session.round(times=3)
        live = Live(tmp_path / ".assay", lambda run: True)
        finished(read())


class _Killed:
    """Instead of a process that follows: killed while it wrote its second look."""

    def __init__(self, root: Path, session: str) -> None:
        self._said = [b"measuring\t\t{}\n", b"measur"]

    def lines(self) -> Iterator[bytes]:
        yield from self._said

    def stop(self) -> None:
        """It has ended."""


def test_a_process_that_is_killed_keeps_no_reader_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "Follower", _Killed)

    async def read() -> list[bytes]:
        return [one async for one in Reader(live, session.name).events]

    with Written(tmp_path / ".assay", ["BM_a"]) as session:
        live = Live(tmp_path / ".assay", lambda run: True)
        look, told = finished(asyncio.wait_for(read(), PATIENCE_S))
    assert look == b"event: look\ndata: {}\n\n"
    assert told.startswith(b"event: refused\n")


def test_the_page_of_an_ended_session_leads_to_a_page_that_there_is(tmp_path: Path) -> None:
    """A run of one side has no page under *Compare*: the list of runs shows it."""
    with Written(tmp_path / ".assay", ["BM_a"]) as session:
        live = Live(tmp_path / ".assay", lambda run: True)
        process = _Killed(tmp_path, session.name)
        process._said = [b'stored\tr1\t{"href": "../runs.html?q=r1"}\n']
        live._keep_looks(session.name, module._Followed(process))  # type: ignore[arg-type]
        stored = live.stored_session(session.name)
    assert stored
    assert stored == ("r1", "../runs.html?q=r1")
    assert b'<a href="../runs.html?q=r1">run r1</a>' in ended_page(session.name, *stored)
    assert b"Nobody followed it" in ended_page(session.name)


def test_more_readers_than_may_be_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_READERS", 0)

    async def read() -> bytes:
        return await Reader(live, "20261125-101112-1").next()

    with Written(tmp_path / ".assay", ["BM_a"], number=1):
        live = Live(tmp_path / ".assay", lambda run: True)
        assert finished(read()).startswith(b"event: refused\ndata: So many readers")
    assert not live._followed


def test_a_session_that_is_gone_is_told(tmp_path: Path) -> None:
    filled(tmp_path / ".assay", {"BM_copy": Step()}, runs=2)
    with served(tmp_path / ".assay") as server:
        events = server.ask("/live/20261125-101112-1/events")
        assert events.headers["content-type"].startswith("text/event-stream")
        assert events.body.startswith("event: refused\ndata: This session cannot be followed")
        assert server.ask("/live/20261125-101112-1.html").status == 404
        for odd in ("..%2f..%2fstore", "x", "20261125-101112-1%00"):
            assert server.ask(f"/live/{odd}/events").status == 404
            assert server.ask(f"/live/{odd}.html").status == 404
        listed = server.ask("/live.html")
        assert (listed.status, listed.headers["refresh"]) == (200, "5")
