"""The pages that `asv publish` wrote of the same runs, as a peer to be seen beside ours.

    with asv_pages(Path("published/wide")) as pages:
        pages["Regressions"]             # what to ask a browser for

They are served as they are, from a thread of ours. Their scripts are to be beside them (published
pages load them from elsewhere), so that no network is measured.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.seen_page import Asked

_DRAWN = {
    "grid": "document.querySelector('#summarygrid-display canvas')",
    "list": "document.querySelector('#summarylist-body tbody tr')",
    "regressions": "document.querySelector('#regressions-body table')",
    "graph": "document.querySelector('#main-graph canvas.flot-overlay')",
}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing: the bench prints."""


@contextmanager
def asv_pages(folder: Path) -> Iterator[dict[str, Asked]]:
    """By name."""
    answer = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield _pages(f"http://127.0.0.1:{server.server_port}/", folder)
        finally:
            server.shutdown()


def _pages(url: str, folder: Path) -> dict[str, Asked]:
    one = min(json.loads((folder / "index.json").read_bytes())["benchmarks"])
    return {
        "Benchmark grid": Asked(f"{url}#/", _DRAWN["grid"]),
        "Benchmark list": Asked(f"{url}#/summarylist", _DRAWN["list"]),
        "Regressions": Asked(f"{url}#/regressions", _DRAWN["regressions"]),
        "One benchmark": Asked(f"{url}#{one}", _DRAWN["graph"]),
    }
