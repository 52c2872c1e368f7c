"""An object store on loopback that does as a test says: what no well-kept one can be made to do.

    with odd_objects() as odd:
        odd.refuses["PUT"] = (507, "QuotaExceeded")     # answers of one method
        odd.is_blind = True                             # overwrites, whatever the condition

It checks no signature. What it holds is in `odd.objects`, by bucket and key.
"""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape


class OddObjects:
    """What the store holds, and how it misbehaves."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.objects: dict[str, bytes] = {}
        self.puts: list[str] = []  # keys for which a PUT was answered with success
        self.hosts: list[str] = []  # that requests were for
        self.regions: set[str] = set()  # that they were signed for
        self.refuses: dict[str, tuple[int, str]] = {}  # status and code, by method
        self.spares: re.Pattern[str] | None = None  # keys that are not refused
        self.late_s = 0.0  # how far its clock is ahead
        self.conflicts = 0  # so many PUTs are answered with 409 first
        self.is_blind = False  # it does not know `If-None-Match`
        self.is_endless = False  # each part of a listing has another after it
        self.asked_for_lists = 0
        self.lists = threading.Event()  # lists are answered only when it is set
        self.lists.set()
        self.cut = 0  # so many answers to GET end early
        self.broken = 0  # so many answers to GET break HTTP in the middle
        self.page: str | None = None  # what is answered to everything
        self.list: str | None = None  # what is answered for each list
        self.lock = threading.Lock()

    @property
    def variables(self) -> dict[str, str]:
        """The variables AWS_* of somebody who uses it."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": "ODDKEY",
            "AWS_SECRET_ACCESS_KEY": "odd-secret",
        }


@contextmanager
def odd_objects() -> Iterator[OddObjects]:
    """Such a store, for as long as the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.odd = OddObjects(server.server_address[1])  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.odd  # type: ignore[attr-defined]
    finally:
        server.odd.lists.set()  # type: ignore[attr-defined]
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def odd(self) -> OddObjects:
        return self.server.odd  # type: ignore[attr-defined,no-any-return]

    def date_time_string(self, timestamp: float | None = None) -> str:
        return super().date_time_string((timestamp or time.time()) + self.odd.late_s)

    def log_message(self, *_: object) -> None:
        """Tests print what they want."""

    def _answer(self, status: int, body: bytes = b"", *, cut: int = 0) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        with suppress(OSError):  # who asked may be gone
            self.end_headers()
            self.wfile.write(body[: len(body) - cut])
        self.close_connection |= bool(cut)

    def _break(self, body: bytes) -> None:
        """Answer in chunks, of which the second has no length."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%b\r\nno length\r\n" % (len(body), body))
        self.close_connection = True

    def _refused(self, status: int, code: str) -> None:
        self._answer(status, f"<Error><Code>{code}</Code><Message>no</Message></Error>".encode())

    def _is_refused(self, key: str) -> bool:
        """Whether the test wants this refused; it is answered then."""
        self.odd.hosts.append(self.headers["Host"])
        signed = self.headers.get("Authorization", "")
        self.odd.regions |= set(re.findall(r"/([\w-]+)/s3/aws4_request", signed))
        if self.odd.page is not None:
            self._answer(200, self.odd.page.encode())
        elif (no := self.odd.refuses.get(self.command)) and not (
            self.odd.spares and self.odd.spares.search(key)
        ):
            self._refused(*no)
        else:
            return False
        return True

    def do_PUT(self) -> None:
        key = unquote(urlsplit(self.path).path)
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if self._is_refused(key):
            return
        with self.odd.lock:
            if self.odd.conflicts:
                self.odd.conflicts -= 1
                self._refused(409, "ConditionalRequestConflict")
            elif key in self.odd.objects and not self.odd.is_blind:
                self._refused(412, "PreconditionFailed")
            else:
                assert self.headers["If-None-Match"] == "*"
                self.odd.objects[key] = data
                self.odd.puts.append(key)
                self._answer(200)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        key, asked = unquote(parts.path), parse_qs(parts.query)
        if self._is_refused(key):
            return
        if "list-type" in asked:
            self.odd.asked_for_lists += 1
            self.odd.lists.wait()
            self._answer(200, self._listing(f"{key}/{asked.get('prefix', [''])[0]}").encode())
        elif (data := self.odd.objects.get(key)) is None:
            self._refused(404, "NoSuchKey")
        else:
            with self.odd.lock:
                cut, self.odd.cut = min(1, self.odd.cut), max(0, self.odd.cut - 1)
                broken, self.odd.broken = self.odd.broken > 0, self.odd.broken - 1
            if broken:
                self._break(data)
            else:
                self._answer(200, data, cut=cut)

    def _listing(self, begin: str) -> str:
        if self.odd.list is not None:
            return self.odd.list
        bucket = begin.split("/")[1]
        rows = [
            f"<Contents><Key>{escape(quote(key.removeprefix(f'/{bucket}/')))}</Key>"
            f"<Size>{len(data)}</Size></Contents>"
            for key, data in sorted(self.odd.objects.items())
            if key.startswith(begin)
        ]
        more = "<NextContinuationToken>x</NextContinuationToken>" if self.odd.is_endless else ""
        return (
            "<ListBucketResult><EncodingType>url</EncodingType>"
            f"<IsTruncated>{str(self.odd.is_endless).lower()}</IsTruncated>{more}"
            f"{''.join(rows)}</ListBucketResult>"
        )
