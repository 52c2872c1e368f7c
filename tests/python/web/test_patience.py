"""Connections that are too slow: to ask, or to take their answer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPResponse

import pytest
import uvicorn
from own_thread import finished
from patience import PATIENCE_S, wait_until
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from assay.web.guard import Guard, Guarded
from assay.web.patience import Patient

PAGE = b"x" * (64 << 20)  # more than the buffers of a connection hold
_SHORT_S = 0.05


class Hasty(Patient):
    head_s = taking_s = _SHORT_S


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    await Response(PAGE)(scope, receive, send)


@contextmanager
def answering_at(protocol: type[Patient]) -> Iterator[int]:
    """Its port."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = int(listening.getsockname()[1])
        app = Guarded(page, Guard(names=frozenset({f"127.0.0.1:{port}"})))
        settings = uvicorn.Config(app, http=protocol, lifespan="off", log_level="error")
        server = uvicorn.Server(settings)
        answering = threading.Thread(target=server.run, args=([listening],), daemon=True)
        answering.start()
        listening.listen()
        yield port
        server.should_exit = True
        answering.join(PATIENCE_S)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with answering_at(Hasty) as port:
        yield port


def connected(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    return made


def head(port: int, more: str = "") -> bytes:
    return f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n".encode()


def taken(connection: socket.socket) -> int:
    """Bytes until its end; one that the server ended says so."""
    found = 0
    try:
        while part := connection.recv(1 << 20):
            found += len(part)
    except OSError:
        pass
    return found


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost:"])
def test_half_a_head_is_not_waited_for(port: int, said: bytes) -> None:
    with connected(port) as slow:
        with suppress(OSError):  # the server may have been quicker
            slow.sendall(said)
        assert taken(slow) == 0


def test_half_a_second_head_is_not_waited_for(port: int) -> None:
    with _refused_once(port) as slow:
        with suppress(OSError):
            slow.sendall(b"GET / HT")
        assert taken(slow) == 0


def test_an_answer_that_is_not_taken_is_not_kept(port: int) -> None:
    with connected(port) as slow:
        with suppress(OSError):
            slow.sendall(head(port))
            slow.recv(1)
        wait_until(lambda: not _is_open(slow), "the end of the connection")
        assert taken(slow) < len(PAGE)


def test_who_takes_it_gets_the_whole_page() -> None:
    with answering_at(Patient) as port, connected(port) as quick:
        quick.sendall(head(port, "Connection: close\r\n"))
        assert taken(quick) > len(PAGE)


def _refused_once(port: int) -> socket.socket:
    """Answered, and still open. On a busy machine even a whole head comes late."""
    while True:
        made = connected(port)
        with suppress(OSError, HTTPException):
            made.sendall(head(port).replace(b"Host: 127", b"Host: 128"))
            answer = HTTPResponse(made)
            answer.begin()
            answer.read()  # all of it: it may come in several parts
            if answer.status == 421:
                return made
        made.close()


def _is_open(connection: socket.socket) -> bool:
    """Without reading."""
    try:
        connection.sendall(b"\r\n")
    except OSError:
        return False
    return True


def test_a_page_is_handed_on_in_parts() -> None:
    """Whole, it lay in memory once more for each slow reader."""
    handed: list[Message] = []

    async def keep(message: Message) -> None:
        handed.append(message)

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    headers = [(b"host", b"here")]
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
    guarded = Guarded(page, Guard(names=frozenset({"here"})))
    finished(guarded(scope, nothing, keep))
    bodies = [one["body"] for one in handed[1:]]
    assert b"".join(bodies) == PAGE
    assert max(map(len, bodies)) <= 65_536
    assert [one["more_body"] for one in handed[1:]] == [True] * (len(bodies) - 1) + [False]
