"""`assay serve` from its start to its end."""

import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from patience import wait_until
from serving import PATIENCE_S, served
from stores import Step, filled

from assay.show.page.vega import runtime
from assay.web import server as looking
from assay.web.judged_page import runtime_file
from assay.web.page_cache import PageCache
from assay.web.pages import Pages
from assay.web.work import Worker

MAIN = [sys.executable, "-c", "from assay.cli import main; main()"]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("served") / ".assay"
    filled(place, {"BM_copy": Step()}, runs=12)
    return place


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it_as_every_verb(root: Path, number: signal.Signals) -> None:
    with served(root) as server:
        assert server.ask("/").status == 200
        assert server.ended_by(number) == 128 + number


def test_a_port_that_is_taken_is_told(root: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ["serve", "--store", str(root), "--port", port]
        done = subprocess.run([*MAIN, *words], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 2
    assert "--port" in done.stderr


@pytest.mark.parametrize(
    "words", [["--bind", "no such host"], ["--store", "nowhere"], ["--port", "70000"]]
)
def test_what_cannot_be_served_is_told(root: Path, tmp_path: Path, words: list[str]) -> None:
    given = words if "--store" in words else [*words, "--store", str(root)]
    done = subprocess.run(
        [*MAIN, "serve", *given], capture_output=True, text=True, timeout=PATIENCE_S, cwd=tmp_path
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_run_that_is_stored_arrives(root: Path) -> None:
    with served(root) as server:
        before = server.ask("/runs.html").body
        filled(root, {"BM_copy": Step(), "BM_new": Step()}, runs=1)
        while server.ask("/runs.html").body == before:
            assert server.process.poll() is None
        assert "BM_new" in server.ask("/benchmarks.html").body


def test_a_run_that_is_stored_while_pages_are_made_arrives(tmp_path: Path) -> None:
    """The store was looked at only when they were ready, so that nobody ever saw it."""
    root = tmp_path / ".assay"
    filled(root, {"BM_copy": Step()}, runs=12)
    seen = looking.state_of_store(root)
    pages = Pages(root, served=True)
    filled(root, {"BM_copy": Step(), "BM_new": Step()}, runs=1)
    assert b"BM_new" not in pages.benchmarks()

    class Answering(threading.Thread):
        looks = iter([True, False])

        def is_alive(self) -> bool:
            return next(self.looks)

    worker = Worker()
    cache = PageCache(root, worker)
    looking._look_for_runs(root, pages, cache, worker, pytest.fail, Answering(), seen)
    worker.close()
    cache.close()
    assert b"BM_new" in pages.benchmarks()


def test_what_draws_charts_is_asked_for_once(root: Path) -> None:
    name = runtime_file()
    with served(root) as server:
        charts = server.ask(f"/{name}")
        assert charts.body == runtime().packed
        assert charts.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert server.ask("/charts-0000000000000000.txt").status == 404
        runs = sorted(path.stem for path in (root / "runs").rglob("*.parquet"))
        pair = f"/compare.html?base={runs[0]}&candidate={runs[-1]}"
        wait_until(lambda: server.ask(pair).status == 200, "the page of a comparison")
        page = server.ask(pair).body
    assert f'data-at="../{name}"' in page
    assert runtime().packed not in page
