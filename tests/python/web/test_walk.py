"""Anything asked of any route: never an error of ours, never a page without its policy."""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

import pytest
from explanations import answer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from lab_runs import stored
from own_thread import finished
from records import HOSTILE
from starlette.types import ASGIApp, Message, Scope
from stores import Step, filled

from assay.answers import WhyQuestion
from assay.record.store.answers import Answers
from assay.show.page.store.why import href
from assay.web.app import Served, application
from assay.web.guard import Guard
from assay.web.live import Live
from assay.web.page_cache import PageCache
from assay.web.pages import Pages
from assay.web.work import Worker

EVERY = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
HOST = "127.0.0.1:8000"


class Question(NamedTuple):
    """As the server hands it on."""

    path: bytes  # as it is written
    query: bytes = b""
    method: str = "GET"
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""


class Said(NamedTuple):
    """The answer."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes


class Site(NamedTuple):
    """Two servers of one store, and what is in it."""

    plain: ASGIApp
    with_token: ASGIApp
    words: tuple[str, ...]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    root = tmp_path_factory.mktemp("walked") / ".assay"
    store = filled(root, {HOSTILE[0]: Step(1.3, 20), "BM_copy/8": Step(1.2, 20)}, runs=40)
    runs = store.folder.runs()
    store.folder.label(runs[3], "release/1.2")
    asked = WhyQuestion("BM_copy/8", runs[19], runs[20])
    Answers(store.folder).keep(answer(asked))
    of_labs = [run for run in stored(root, HOSTILE[0]).folder.runs() if run not in runs]
    pages, worker = Pages(root, served=True), Worker()
    worker.close()  # what would be judged is told as an error at once
    cache = PageCache(root, worker)
    live = Live(root, lambda run: True)
    served = Served(pages, cache, live, root)
    names = frozenset({HOST})
    benchmarks = [one.page for one in pages.survey.watched]
    why = href(asked).removeprefix("why/").removesuffix(".html")
    yield Site(
        application(served, Guard(names=names)),
        application(served, Guard(names=names, token="secret")),
        (
            *benchmarks,
            why,
            runs[0],
            runs[-1],
            *of_labs,
            "release/1.2",
            "LAST",
            "host:",
            "",
            "..",
            "store",
        ),
    )
    cache.close()
    live.close()


ROUTES = (
    "/",
    "/index.html",
    "/benchmarks.html",
    "/benchmark/{}.html",
    "/runs.html",
    "/compare.html",
    "/compare/{}.html",
    "/bisects.html",
    "/hosts.html",
    "/labs.html",
    "/lab/{}.html",
    "/os.html",
    "/charts-{}.txt",
    "/why.html",
    "/why/{}.html",
    "/live.html",
    "/live/{}.html",
    "/live/{}/events",
    "/triage",
    "/{}",
)
FIELDS = ("base", "candidate", "q", "key", "state", "note", "back", "token", "page", "sort")
TEXTS = some.one_of(
    some.text(max_size=40),
    some.sampled_from(HOSTILE),
    some.sampled_from(
        ("expected", "to do", "fixed by", "../" * 5, "%00", "\x00", "(a+)+$", "", "k" * 20_000)
    ),
)


def words(site: Site) -> some.SearchStrategy[str]:
    """Real ones, cut and changed ones, anything."""
    real = some.sampled_from(site.words)
    cut = some.builds(lambda one, at: one[:at], real, some.integers(0, 80))
    longer = some.builds(lambda one, more: one + more, real, TEXTS)
    return some.one_of(real, cut, longer, TEXTS)


def questions(site: Site) -> some.SearchStrategy[Question]:
    word = words(site).map(lambda one: quote(one.encode("utf-8", "surrogatepass"), safe="/."))
    paths = some.builds(
        lambda route, one: route.replace("{}", one), some.sampled_from(ROUTES), word
    )
    pair = some.tuples(some.sampled_from(FIELDS), word)
    fields = some.lists(pair, max_size=5).map(lambda all: "&".join("=".join(one) for one in all))
    form = fields.map(str.encode)
    name = some.sampled_from((b"host", b"cookie", b"authorization", b"origin", b"range", b"accept"))
    return some.builds(
        Question,
        some.one_of(paths.map(str.encode), some.binary(max_size=60).map(lambda some: b"/" + some)),
        some.one_of(form, some.binary(max_size=200)),
        some.sampled_from(("GET", "GET", "GET", "POST", "HEAD", "PUT", "X")),
        some.lists(some.tuples(name, some.binary(max_size=60)), max_size=3).map(tuple),
        some.one_of(form, some.binary(max_size=400)),
    )


def said(app: ASGIApp, question: Question) -> Said:
    return finished(_said(app, question))


async def _said(app: ASGIApp, question: Question) -> Said:
    body = {"type": "http.request", "body": question.body, "more_body": False}
    waiting: list[Message] = [body]
    given: list[Message] = []

    async def receive() -> Message:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        given.append(message)

    await app(_scope(question), receive, send)
    whole = b"".join(one.get("body", b"") for one in given[1:])
    return Said(given[0]["status"], dict(given[0]["headers"]), whole)


def _scope(question: Question) -> Scope:
    """The host is ours unless the question has another."""
    return {
        "type": "http",
        "http_version": "1.1",
        "method": question.method,
        "scheme": "http",
        "path": unquote(question.path.decode("latin-1")),
        "raw_path": question.path,
        "query_string": question.query,
        "root_path": "",
        "headers": [*question.headers, (b"host", HOST.encode())],
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 1),
    }


FORM = b"state=expected&key=%00&back=?%0d%0aa:b"
KNOWN = {
    200: Question(b"/"),
    303: Question(b"/triage", b"", "POST", (), FORM),
    400: Question(b"/compare.html", b"base=nowhere"),
    403: Question(b"/triage", b"", "POST", ((b"origin", b"http://evil"),), FORM),
    404: Question(b"/nothing"),
    405: Question(b"/", b"", "PUT"),
    414: Question(b"/", b"q" * 5000),
    421: Question(b"/", b"", "GET", ((b"host", b"evil"),)),
}


@pytest.mark.parametrize("status", KNOWN)
def test_every_kind_of_answer_is_reached(site: Site, status: int) -> None:
    assert said(site.plain, KNOWN[status]).status == status


def test_nothing_that_is_asked_is_an_error_of_ours(site: Site) -> None:
    answered: set[int] = set()

    @settings(EVERY, max_examples=400)
    @given(question=questions(site))
    def walk(question: Question) -> None:
        found = said(site.plain, question)
        answered.add(found.status)
        assert found.status < 500
        assert b"default-src 'none'" in found.headers[b"content-security-policy"] or (
            b"html" in found.headers[b"content-type"]
        )
        assert b"Traceback" not in found.body
        assert b"assay_store" not in found.body
        assert "\n" not in found.headers.get(b"location", b"").decode("latin-1")

    walk()
    assert {200, 404, 405} <= answered  # else it walked nowhere


def test_nobody_is_answered_without_the_token(site: Site) -> None:
    @settings(EVERY, max_examples=100)
    @given(question=questions(site))
    def walk(question: Question) -> None:
        found = said(site.with_token, question)
        assert found.status in (401, 403, 405, 414, 421)
        assert len(found.body) < 100

    walk()
