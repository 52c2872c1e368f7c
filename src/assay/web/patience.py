"""Limits how long a connection may take to send a request and to receive the answer.

    uvicorn.Config(app, http=Patient, ...)

At most 400 connections are served at once (`server.py`), with or without the token, which is
checked only after a request's head. A connection that sent half a head once kept its place for
ever, and 400 of them kept everybody else out. So did connections that received nothing of their
answer, each with its own copy of the page.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class _Deadline:
    """A time limit: aborts a connection unless `met` is called within it."""

    def __init__(self) -> None:
        self._running: asyncio.TimerHandle | None = None

    def begins(self, loop: asyncio.AbstractEventLoop, after_s: float, transport: Any) -> None:
        if self._running is None:
            self._running = loop.call_later(after_s, transport.abort)

    def met(self) -> None:
        if self._running is not None:
            self._running.cancel()
        self._running = None


class Patient(H11Protocol):
    """A connection to a client, which is aborted if the client is too slow."""

    head_s = 10.0  # seconds within which the head of a request must arrive
    taking_s = 30.0  # seconds within which a client must take each 48 kB or so of an answer

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._asked, self._taken = _Deadline(), _Deadline()
        self._asked.begins(self.loop, self.head_s, transport)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._asked.begins(self.loop, self.head_s, self.transport)
        else:
            self._asked.met()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._taken.begins(self.loop, self.taking_s, self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taken.met()

    def timeout_keep_alive_handler(self) -> None:
        """Abort an idle connection soon.

        Closing it would wait until the client has received everything, which may be never.
        """
        super().timeout_keep_alive_handler()
        self.loop.call_later(self.taking_s, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._asked.met()
        self._taken.met()
