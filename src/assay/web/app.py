"""Maps addresses to pages.

app = application(Served(pages, cache, live, root), guard)
"""

import asyncio
import re
import time
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import ASGIApp

from assay.errors import AssayError
from assay.record.store.folder import Folder
from assay.show.page.store.frame import LABS
from assay.show.page.store.impossible import impossible_page
from assay.show.page.store.listing import runs_page
from assay.show.page.store.live import ended_page, live_page, sessions_page
from assay.show.page.store.waiting import waiting_page
from assay.show.page.vega import runtime
from assay.show.words import format
from assay.survey import TriageState
from assay.web.guard import Guard, Guarded
from assay.web.judged_page import WantedPage, comparison, lab_run, runtime_file, side_by_side
from assay.web.live import Live
from assay.web.page_cache import PageCache
from assay.web.pages import Pages
from assay.workflows.pages.comparison import ChosenRuns, run_of
from assay.workflows.pages.labs import os_runs
from assay.workflows.pages.live import NAME, session, sessions
from assay.workflows.pages.triage import TriageNote, keep_triage_note

_PAGE = re.compile(r"[0-9a-f]{16}")
_MOST_BYTES = 1 << 20  # bytes of a submitted form, at most; enough for 20,000 changes
_PATIENCE_S = 10.0  # seconds within which a submitted form must arrive
_MOST_FIELDS = 20_000
_FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}
_UNBUFFERED = {"x-accel-buffering": "no"}  # asks a proxy in front of us not to buffer


class Served(msgspec.Struct, frozen=True):
    """All that the server makes its answers from: pages, cache, running sessions, store."""

    pages: Pages
    cache: PageCache
    live: Live
    root: Path


def application(served: Served, guard: Guard) -> ASGIApp:
    """The web application: its addresses, behind a guard that refuses forbidden requests."""
    routes = _Routes(served)
    starlette = Starlette(
        routes=[
            Route("/", routes.changed, methods=["GET"]),
            Route("/index.html", routes.changed, methods=["GET"]),
            Route("/benchmarks.html", routes.benchmarks, methods=["GET"]),
            Route("/benchmark/{page}.html", routes.benchmark, methods=["GET"]),
            Route("/runs.html", routes.runs, methods=["GET"]),
            Route("/compare.html", routes.compare, methods=["GET"]),
            Route("/compare/{run}.html", routes.comparison, methods=["GET"]),
            Route("/labs.html", routes.labs, methods=["GET"]),
            Route("/lab/{run}.html", routes.lab, methods=["GET"]),
            Route("/charts-{version}.txt", routes.charts, methods=["GET"]),
            Route("/os.html", routes.side_by_side, methods=["GET"]),
            Route("/bisects.html", routes.bisects, methods=["GET"]),
            Route("/hosts.html", routes.hosts, methods=["GET"]),
            Route("/why.html", routes.answers, methods=["GET"]),
            Route("/why/{page}.html", routes.why, methods=["GET"]),
            Route("/live.html", routes.sessions, methods=["GET"]),
            Route("/live/{session}.html", routes.session, methods=["GET"]),
            Route("/live/{session}/events", routes.events, methods=["GET"]),
            Route("/triage", routes.triage, methods=["POST"]),
        ],
        exception_handlers={AssayError: _error_response},
    )
    return Guarded(starlette, guard)


class _Routes:
    def __init__(self, served: Served) -> None:
        self._all = served

    @property
    def _served(self) -> Served:
        """All that answers are made from.

        Raises `InputError` if the store's folder is gone: its pages would otherwise be served for
        ever.
        """
        Folder.opened(self._all.root)
        return self._all

    async def changed(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.changed())

    async def benchmarks(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.benchmarks())

    async def runs(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.runs())

    async def bisects(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.bisects())

    async def hosts(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.hosts())

    async def answers(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.answers())

    def why(self, request: Request) -> Response:
        found = self._served.pages.why(request.path_params["page"])
        return HTMLResponse(found) if found else _page_not_found()

    def benchmark(self, request: Request) -> Response:
        page = request.path_params["page"]
        found = self._served.pages.benchmark(page) if _PAGE.fullmatch(page) else None
        return HTMLResponse(found) if found else _page_not_found()

    def comparison(self, request: Request) -> Response:
        """The page of a run that is a comparison, as it was measured."""
        run = request.path_params["run"]
        if run not in {row.run for row in self._served.pages.survey.runs}:
            return _page_not_found()
        return self._page_or_waiting(comparison(ChosenRuns(run, run)), (run,), "runs.html", "../")

    async def labs(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.labs())

    def lab(self, request: Request) -> Response:
        """The page of a run that a lab measured."""
        run = request.path_params["run"]
        labs = {row.run: row.lab for row in self._served.pages.survey.runs}
        lab = labs.get(run)
        if lab is None:
            return _page_not_found()
        return self._page_or_waiting(lab_run(run, lab), (run,), LABS, "../")

    def charts(self, request: Request) -> Response:
        """The charts' runtime. Its name contains a hash, so browsers may keep it for ever."""
        if request.url.path != f"/{runtime_file()}":
            return _page_not_found()
        return PlainTextResponse(runtime().packed, headers=_FOR_EVER)

    def side_by_side(self, request: Request) -> Response:
        """The runs of the OS lab, side by side."""
        runs = os_runs(self._served.pages.survey)
        of = format.count(len(runs), "run") + " of the OS lab"
        return (
            self._page_or_waiting(side_by_side(runs), (of,), LABS, "")
            if runs
            else _page_not_found()
        )

    def compare(self, request: Request) -> Response:
        """Any two runs compared, or the form to choose them."""
        words = request.query_params.get("base", ""), request.query_params.get("candidate", "")
        if not any(words):
            return RedirectResponse("runs.html", HTTPStatus.SEE_OTHER)
        survey = self._served.pages.survey
        try:
            chosen = ChosenRuns(*(run_of(survey, word.strip()) for word in words))
            return self._page_or_waiting(comparison(chosen), words, "runs.html", "")
        except AssayError as error:
            page = runs_page(survey, served=True, chosen=words, problem=str(error))
            return HTMLResponse(page, HTTPStatus.BAD_REQUEST)

    def _page_or_waiting(
        self, wanted: WantedPage, of: Sequence[str], here: str, root: str
    ) -> Response:
        """The page if it is already made, else one that says it is being
        made and reloads itself.
        """
        found = self._served.cache.page(wanted)
        if found is None:
            page = waiting_page(of, here, root)
            return HTMLResponse(page, HTTPStatus.ACCEPTED, {"refresh": "1"})
        return HTMLResponse(found)

    def sessions(self, request: Request) -> Response:
        """The list of sessions; while there are none, it reloads itself."""
        found = sessions(Folder.opened(self._all.root))
        return HTMLResponse(sessions_page(found), headers=None if found else {"refresh": "5"})

    def session(self, request: Request) -> Response:
        name = request.path_params["session"]
        if not NAME.fullmatch(name):
            return _page_not_found()
        if found := session(Folder.opened(self._all.root), name):
            return HTMLResponse(live_page(found))
        if stored := self._served.live.stored_session(name):
            return HTMLResponse(ended_page(name, *stored))
        return HTMLResponse(ended_page(name), HTTPStatus.NOT_FOUND)

    async def events(self, request: Request) -> Response:
        """A stream of events: the state of a session, whenever it changes."""
        name = request.path_params["session"]
        if not NAME.fullmatch(name):
            return _page_not_found()
        told = self._served.live.told(name, request.is_disconnected)
        return StreamingResponse(told, media_type="text/event-stream", headers=_UNBUFFERED)

    async def triage(self, request: Request) -> Response:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                body = await _body(request)
        except TimeoutError:
            return PlainTextResponse("the form did not arrive\n", HTTPStatus.REQUEST_TIMEOUT)
        except ClientDisconnect:
            return PlainTextResponse("gone\n", HTTPStatus.BAD_REQUEST)
        if body is None:
            return PlainTextResponse("the form is too long\n", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
            said = _triage_of_form(fields)
        except ValueError as error:
            return PlainTextResponse(f"no such form: {error}\n", HTTPStatus.BAD_REQUEST)
        await run_in_threadpool(self._store_triage, said)
        back = fields.get("back", [""])[0]
        where = f"index.html{back}" if back.startswith("?") and back.isprintable() else "index.html"
        return RedirectResponse(where, HTTPStatus.SEE_OTHER)

    def _store_triage(self, said: TriageNote) -> None:
        keep_triage_note(self._served.root, self._served.pages.survey, said)
        self._served.pages.refresh_triage()


def _triage_of_form(fields: dict[str, list[str]]) -> TriageNote:
    """What a submitted form says about changes of level.

    Raises `ValueError` if it is no such form.
    """
    word, note = fields.get("state", [""])[0], fields.get("note", [""])[0]
    if len(note) > 200:
        raise ValueError("a note has at most 200 letters")
    return TriageNote(
        keys=frozenset(fields.get("key", ())),
        state=TriageState(word) if word else None,
        note=note,
        now_s=time.time(),
    )


async def _body(request: Request) -> bytes | None:
    """The bytes of a submitted form; None if it is longer than any form of these pages."""
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > _MOST_BYTES:
            return None
    return bytes(found)


def _page_not_found() -> Response:
    return PlainTextResponse("there is no such page\n", HTTPStatus.NOT_FOUND)


async def _error_response(request: Request, error: Exception) -> Response:
    """The answer when a page cannot be made: a page with the reason; for a form, text."""
    if request.method == "POST":
        return PlainTextResponse(f"{error}\n", HTTPStatus.CONFLICT)
    run = request.path_params.get("run", "")
    root = "../" if request.path_params else ""
    page = impossible_page(f"run:{run}" if run else "", str(error), served=True, root=root)
    return HTMLResponse(page, HTTPStatus.CONFLICT)
