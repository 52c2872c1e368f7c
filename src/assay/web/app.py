"""Which address is which page.

app = application(Served(pages, comparisons, root), guard)
"""

import asyncio
import re
import time
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from assay.errors import AssayError
from assay.record.store.folder import Folder
from assay.show.page.store.impossible import impossible_page
from assay.show.page.store.listing import runs_page
from assay.show.page.store.waiting import waiting_page
from assay.survey import TriageState
from assay.web.comparisons import Comparisons
from assay.web.guard import Guard, Guarded
from assay.web.pages import Pages
from assay.workflows.pages.comparison import Chosen, run_of
from assay.workflows.pages.triage import Said, say

_PAGE = re.compile(r"[0-9a-f]{16}")
_MOST_BYTES = 1 << 20  # of a form: 20,000 changes
_PATIENCE_S = 10.0  # for a form to arrive
_MOST_FIELDS = 20_000


@dataclass(frozen=True)
class Served:
    """What is behind the addresses."""

    pages: Pages
    comparisons: Comparisons
    root: Path


def application(served: Served, guard: Guard) -> ASGIApp:
    """Behind its guard."""
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
            Route("/triage", routes.triage, methods=["POST"]),
        ],
        exception_handlers={AssayError: _told},
    )
    return Guarded(starlette, guard)


class _Routes:
    def __init__(self, served: Served) -> None:
        self._all = served

    @property
    def _served(self) -> Served:
        """Raises `InputError` where the store is gone: pages of it would be answered for ever."""
        Folder.opened(self._all.root)
        return self._all

    async def changed(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.changed())

    async def benchmarks(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.benchmarks())

    async def runs(self, request: Request) -> Response:
        return HTMLResponse(self._served.pages.runs())

    def benchmark(self, request: Request) -> Response:
        page = request.path_params["page"]
        found = self._served.pages.benchmark(page) if _PAGE.fullmatch(page) else None
        return HTMLResponse(found) if found else _absent()

    def comparison(self, request: Request) -> Response:
        """A run that is a comparison, as it was measured."""
        run = request.path_params["run"]
        if run not in {row.run for row in self._served.pages.survey.runs}:
            return _absent()
        return self._compared(Chosen(run, run), (run, run), "../")

    def compare(self, request: Request) -> Response:
        """Any two, or the fields to choose them."""
        words = request.query_params.get("base", ""), request.query_params.get("candidate", "")
        if not any(words):
            return RedirectResponse("runs.html", HTTPStatus.SEE_OTHER)
        survey = self._served.pages.survey
        try:
            chosen = Chosen(*(run_of(survey, word.strip()) for word in words))
            return self._compared(chosen, words, "")
        except AssayError as error:
            page = runs_page(survey, served=True, chosen=words, problem=str(error))
            return HTMLResponse(page, HTTPStatus.BAD_REQUEST)

    def _compared(self, chosen: Chosen, words: tuple[str, str], root: str) -> Response:
        found = self._served.comparisons.page(chosen)
        if found is None:
            page = waiting_page(words, root)
            return HTMLResponse(page, HTTPStatus.ACCEPTED, {"refresh": "1"})
        return HTMLResponse(found)

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
            said = _said(fields)
        except ValueError as error:
            return PlainTextResponse(f"no such form: {error}\n", HTTPStatus.BAD_REQUEST)
        await run_in_threadpool(self._say, said)
        back = fields.get("back", [""])[0]
        where = f"index.html{back}" if back.startswith("?") and back.isprintable() else "index.html"
        return RedirectResponse(where, HTTPStatus.SEE_OTHER)

    def _say(self, said: Said) -> None:
        say(self._served.root, self._served.pages.survey, said)
        self._served.pages.triaged()


def _said(fields: dict[str, list[str]]) -> Said:
    """Raises `ValueError`."""
    word, note = fields.get("state", [""])[0], fields.get("note", [""])[0]
    if len(note) > 200:
        raise ValueError("a note has at most 200 letters")
    return Said(
        keys=frozenset(fields.get("key", ())),
        state=TriageState(word) if word else None,
        note=note,
        now_s=time.time(),
    )


async def _body(request: Request) -> bytes | None:
    """None: it is longer than any form of ours."""
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > _MOST_BYTES:
            return None
    return bytes(found)


def _absent() -> Response:
    return PlainTextResponse("there is no such page\n", HTTPStatus.NOT_FOUND)


async def _told(request: Request, error: Exception) -> Response:
    """Why a page cannot be shown, as a page; to a form as text."""
    if request.method == "POST":
        return PlainTextResponse(f"{error}\n", HTTPStatus.CONFLICT)
    run = request.path_params.get("run", "")
    root = "../" if request.path_params else ""
    page = impossible_page(f"run:{run}" if run else "", str(error), served=True, root=root)
    return HTMLResponse(page, HTTPStatus.CONFLICT)
