"""Runs `assay serve` over a store and sends it requests, also such as no browser sends."""

import http.client
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

PATIENCE_S = 120.0  # far more than anything takes, except a hang


class Answer(NamedTuple):
    """The answer to one request."""

    status: int
    headers: Mapping[str, str]
    body: str


class Serving(NamedTuple):
    """A running server."""

    process: subprocess.Popen[str]
    url: str

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request with exactly this path, which an HTTP client might normalise."""
        name, _, port = self.host.rpartition(":")
        connection = http.client.HTTPConnection(name, int(port), timeout=PATIENCE_S)
        connection.putrequest(method, path, skip_host=True)
        given = {"Host": self.host, **(headers or {})}
        if body is not None:
            given["Content-Length"] = str(len(body.encode()))
        for key, value in given.items():
            connection.putheader(key, value)
        connection.endheaders(body.encode() if body is not None else None)
        answer = connection.getresponse()
        headers_here = {key.lower(): value for key, value in answer.getheaders()}
        found = Answer(answer.status, headers_here, answer.read().decode())
        connection.close()
        return found

    def ended_by(self, number: signal.Signals) -> int:
        """End it by a signal; returns its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


@contextmanager
def served(root: Path, *words: str) -> Iterator[Serving]:
    """It is listening when the block begins."""
    command = [sys.executable, "-c", "from assay.cli import main; main()"]
    process = subprocess.Popen(
        [*command, "serve", "--store", str(root), "--port", "0", *words],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        yield Serving(process, process.stdout.readline().split()[0])
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        if process.stdout:
            process.stdout.close()
