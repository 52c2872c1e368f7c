"""A git server that speaks http on loopback: git's own `http-backend` behind Python's http.server.

with git_server(Path("repositories")) as port: ...      # http://127.0.0.1:PORT/history.git
"""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from pathlib import Path

_END_OF_HEAD = b"\r\n\r\n"


@contextmanager
def git_server(folder: Path) -> Iterator[int]:
    """The port on which all repositories of `folder` are served; everybody may push."""
    handler = type("Handler", (_Handler,), {"folder": folder})
    server = _Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that was killed while it was answered is nothing to print."""


class _Handler(BaseHTTPRequestHandler):
    """Hands each request to git as a CGI program."""

    folder: Path

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def log_message(self, *_: object) -> None:
        """Nothing is printed: a push asks often."""

    def _answer(self, body: bytes) -> None:
        command = ["git", "http-backend"]
        done = subprocess.run(command, input=body, env=self._variables(), capture_output=True)
        head, _, content = done.stdout.partition(_END_OF_HEAD)
        fields = [line.partition(": ") for line in head.decode().splitlines()]
        states = [value for name, _, value in fields if name == "Status"]
        self.send_response(int(states[0].split()[0]) if states else 200)
        for name, _, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _variables(self) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "somebody",  # git lets nobody push whom the server does not name
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            return b"".join(_chunks(self.rfile))
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))


def _chunks(file: BufferedIOBase) -> Iterator[bytes]:
    """The pieces of a body whose length was not known when it began; fewer, if it is cut short."""
    while size := int(file.readline().strip() or b"0", 16):
        yield file.read(size)
        file.readline()
    file.readline()
