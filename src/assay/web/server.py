"""The server: it answers in its own threads, while the main thread looks for new runs.

    place = listen_at("127.0.0.1", 8000)
    serve(root, pages, place, complain=print, seen=state_of_store(root))

It ends at Ctrl-C, SIGTERM and SIGHUP like every verb (`assay.interrupts`). Signals arrive in the
main thread, which then tells the server to end and waits for answers that are being sent.
"""

import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import uvicorn

from assay.errors import AssayError, UsageError
from assay.interrupts import Interrupted, stoppable_measuring
from assay.record.store.folder import Folder
from assay.record.store.searches import ENDING
from assay.survey import Survey
from assay.web.app import Served, application
from assay.web.guard import Guard
from assay.web.judged_page import comparison
from assay.web.live import Live
from assay.web.page_cache import PageCache
from assay.web.pages import Pages
from assay.web.patience import Patient
from assay.web.work import Worker
from assay.workflows.pages.comparison import ChosenRuns

_LOOK_S = 1.0  # the store is checked for new runs every so many seconds
_END_S = 3.0  # seconds that answers still being sent may take when the server ends
_MOST_AT_ONCE = 400  # at most so many connections at once; others are answered with status 503
_IDLE_S = 5  # seconds that a connection may be silent between two requests
_LONGEST_HEAD = 16_384  # bytes of the head of a request (its line and headers), at most
Seen = tuple[object, ...]
# For so many hosts the comparison of their two newest runs is made before anybody asks.
_PREPARED = 3


class ServerPlace(msgspec.Struct, frozen=True):
    """The socket that the server listens at, its address, and the host names it answers to."""

    socket: socket.socket
    guard: Guard
    url: str


def listen_at(address: str, port: int, names: Iterable[str] = ()) -> ServerPlace:
    """Open the socket that the server listens at; `port` 0 chooses a free one.

    Raises `UsageError`.
    """
    made = _bound_socket(address, port)
    where, port = made.getsockname()[:2]
    written = f"[{address}]" if ":" in address else address
    is_any = where in ("0.0.0.0", "::")
    is_local = where in ("127.0.0.1", "::1")
    ours = ("localhost", "127.0.0.1", "[::1]") if is_local else (socket.gethostname(),)
    guard = Guard(
        names=_with_port([*names, *ours, written], port),
        token="" if is_local else secrets.token_urlsafe(24),
        any_address=is_any,
    )
    shown = f"http://{socket.gethostname() if is_any else written}:{port}/"
    return ServerPlace(made, guard, f"{shown}?token={guard.token}" if guard.token else shown)


def _bound_socket(address: str, port: int) -> socket.socket:
    try:
        family, _, _, _, where = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(where)
        made.listen(128)
    except (OSError, OverflowError, UnicodeError) as error:
        what = f"cannot be listened at: {getattr(error, 'strerror', None) or error}"
        hint = "choose another with --port (0: any that is free) or --bind"
        raise UsageError(what, where=f"{address} port {port}", hint=hint) from None
    return made


def _with_port(names: Iterable[str], port: int) -> frozenset[str]:
    """Host names as browsers write them: without the port if it is 80."""
    lower = [name.lower() for name in names]
    return frozenset([f"{name}:{port}" for name in lower] + (lower if port == 80 else []))


def serve(
    root: Path, pages: Pages, place: ServerPlace, complain: Callable[[str], None], seen: Seen
) -> int | None:
    """Serve until a signal comes, and return its number.

    `seen` is the result of `state_of_store` from before `pages` were made. Taken afterwards, it
    would hide a run that was stored meanwhile, which would then never be shown.
    """
    worker = Worker()
    cache = PageCache(root, worker)
    live = Live(root, lambda run: any(row.run == run for row in pages.survey.runs))
    server = _server(application(Served(pages, cache, live, root), place.guard))
    answering = threading.Thread(target=server.run, args=([place.socket],), daemon=True)
    with stoppable_measuring() as stop:
        try:
            answering.start()
            cache.prepare(map(comparison, comparisons_to_prepare(pages.survey)))
            _look_for_runs(root, pages, cache, worker, complain, answering, seen)
        except Interrupted:
            pass
    server.should_exit = True
    live.close()
    worker.close()
    cache.close()
    answering.join(_END_S)
    place.socket.close()
    return stop.interrupted_by


def _server(app: object) -> uvicorn.Server:
    settings = uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=Patient,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_AT_ONCE,
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=_LONGEST_HEAD,
    )
    return uvicorn.Server(settings)


def _look_for_runs(
    root: Path,
    pages: Pages,
    cache: PageCache,
    worker: Worker,
    complain: Callable[[str], None],
    answering: threading.Thread,
    seen: Seen,
) -> None:
    """Check the store now and then, and judge new runs as soon as they are there.

    `Interrupted` ends it.
    """
    folder = Folder.opened(root)
    while answering.is_alive():
        time.sleep(_LOOK_S)
        there = _state_of_folder(folder)
        if there == seen:
            continue
        try:
            worker.survey(root)
            pages.refresh()
            seen = there
            cache.prepare(map(comparison, comparisons_to_prepare(pages.survey)))
        except AssayError as error:
            seen = there
            complain(str(error))


def state_of_store(root: Path) -> Seen:
    """A value that differs whenever the store has changed."""
    return _state_of_folder(Folder.opened(root))


def _state_of_folder(folder: Folder) -> Seen:
    """A value that changes when a run is stored, deleted, labelled or explained, when a change is
    confirmed, or when a search has ended.
    """
    runs, said = folder.runs(), [folder.files_in(name) for name in ("confirmations", "answers")]
    found = [_modification_time_ns(path) for path in folder.files_in("bisects", ENDING)]
    labels = tuple(folder.labels().items())
    return len(runs), runs[-1:], labels, tuple(map(len, said)), tuple(found)


def _modification_time_ns(path: Path) -> int:
    """When a file was last changed; 0 if it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def comparisons_to_prepare(survey: Survey) -> list[ChosenRuns]:
    """Comparisons likely to be looked at: the newest one, and each host's two newest runs."""
    by_host: dict[tuple[str, str], list[str]] = {}
    found: list[ChosenRuns] = []
    for row in reversed(survey.runs):
        if row.problem:
            continue
        if row.kind == "compare":
            found = found or [ChosenRuns(row.run, row.run)]
        elif len(of_host := by_host.setdefault((row.host, row.suite), [])) < 2:
            of_host.append(row.run)
    pairs = [ChosenRuns(runs[1], runs[0]) for runs in by_host.values() if len(runs) == 2]
    return [*found, *pairs[:_PREPARED]]
