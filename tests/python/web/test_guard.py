"""Who is answered by `assay serve`, and what is refused."""

import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from serving import Serving, served
from stores import Step, filled

from assay.record.store.store import Store


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("guarded") / ".assay"
    filled(place, {"BM_copy": Step(1.2, 20)}, runs=40)
    return place


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Serving]:
    with served(root) as running:
        yield running


PAGES = ("/", "/index.html", "/benchmarks.html", "/runs.html")


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_answered(server: Serving, path: str) -> None:
    answer = server.ask(path)
    assert answer.status == 200
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src &#39;none&#39;" in answer.body
    assert "unsafe" not in answer.body.partition("<style>")[0]


def test_a_name_for_the_same_machine_is_answered(server: Serving) -> None:
    port = urlsplit(server.url).port
    assert server.ask("/", headers={"Host": f"localhost:{port}"}).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "", "evil.example:80"]
)
def test_another_host_is_refused(server: Serving, host: str) -> None:
    assert server.ask("/", headers={"Host": host}).status == 421


TRAVERSALS = (
    "/../../etc/passwd",
    "/benchmark/../../../etc/passwd",
    "/benchmark/..%2f..%2fetc%2fpasswd.html",
    "/benchmark/%2e%2e/%2e%2e/store.json",
    "/compare/..%2fstore.json.html",
    "/compare/20250101-000000.000000-ffff.html",
    "/.assay/store.json",
    "//etc/passwd",
    "/benchmark/0000000000000000.html",
    "/benchmark/%00.html",
)


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out_of_the_pages(server: Serving, path: str) -> None:
    answer = server.ask(path)
    assert answer.status == 404
    assert "assay_store" not in answer.body


@pytest.mark.parametrize(
    "words",
    ["base=../../x&candidate=LAST", "base=%00&candidate=%ff", "base=&candidate=LAST", "base=LAST"],
)
def test_odd_runs_are_told_and_not_looked_for(server: Serving, words: str) -> None:
    answer = server.ask(f"/compare.html?{words}")
    assert answer.status == 400
    assert "no run is meant by this" in answer.body


def test_an_address_that_is_too_long_is_refused(server: Serving) -> None:
    assert server.ask("/?q=" + "a" * 5000).status == 414
    assert server.ask("/" + "a" * 100_000).status in (400, 414, 431)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_but_reading_and_triage(server: Serving, method: str) -> None:
    assert server.ask("/", method).status == 405
    assert server.ask("/triage").status == 405
    assert server.ask("/benchmarks.html", "POST", "").status == 405


def test_a_page_of_another_site_says_nothing_here(server: Serving, root: Path) -> None:
    form = "key=x&state=expected"
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": f"http://{server.host}", "Sec-Fetch-Site": "same-site"},
    ):
        assert server.ask("/triage", "POST", form, headers).status == 403
    assert not (root / "triage").exists()


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ("state=nonsense", 400),
        ("state=expected&note=" + "n" * 300, 400),
        ("key=" + "k" * (1 << 20), 413),
        ("key=" + "&key=".join("k" * 25_000), 400),
        ("state=expected&key=not-there&back=//evil.example", 303),
    ],
)
def test_a_form_is_checked(server: Serving, form: str, status: int) -> None:
    answer = server.ask("/triage", "POST", form)
    assert answer.status == status
    assert answer.headers.get("location", "index.html") == "index.html"


def test_who_says_nothing_keeps_nobody_waiting(server: Serving) -> None:
    port = urlsplit(server.url).port
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    for one in silent:
        one.sendall(b"GET / HTTP/1.1\r\nHost:")
    assert server.ask("/").status == 200
    for one in silent:
        one.close()


def test_two_hundred_readers_see_whole_pages(server: Serving, root: Path) -> None:
    """While runs are stored: no error, and every page is all of one of the states there was."""
    found: dict[tuple[str, int], set[str]] = {}
    lock, oldest = threading.Lock(), len(Store.opened(root).folder.runs())

    def read() -> None:
        for path in ("/benchmarks.html", "/runs.html"):
            answer = server.ask(path)
            assert answer.status == 200
            with lock:
                found.setdefault((path, _runs_in(answer.body)), set()).add(answer.body)

    with ThreadPoolExecutor(200) as readers:
        reading = [readers.submit(read) for _ in range(200)]
        filled(root, {"BM_copy": Step(1.2, 20)}, runs=2)
        for one in reading:
            one.result()
    newest = len(Store.opened(root).folder.runs())
    assert newest == oldest + 2
    assert {runs for _, runs in found} <= set(range(oldest, newest + 1))
    while _runs_in(server.ask("/runs.html").body) < newest:
        assert server.process.poll() is None
    for path in ("/benchmarks.html", "/runs.html"):
        found.setdefault((path, newest), set()).add(server.ask(path).body)
    assert all(len(bodies) == 1 for bodies in found.values())


def _runs_in(page: str) -> int:
    """Of how many the page is."""
    told = re.search(r" in (\d+) runs\.", page)
    return int(told[1]) if told else page.count("<option ")


def test_other_machines_need_the_token(root: Path) -> None:
    with served(root, "--bind", "127.0.0.2", "--name", "bench.example") as server:
        address = urlsplit(server.url)
        assert server.ask("/").status == 401
        assert server.ask("/?token=wrong").status == 401
        assert server.ask("/", headers={"Cookie": "assay-token=wrong"}).status == 401
        assert server.ask("/", headers={"Cookie": "assay-token=\x01;;=\xe9"}).status == 401
        assert server.ask("/", headers={"Host": f"localhost:{address.port}"}).status == 421
        answer = server.ask(f"/runs.html?{address.query}&q=a")
        assert (answer.status, answer.headers["location"]) == (303, "/runs.html?q=a")
        assert "HttpOnly" in answer.headers["set-cookie"]
        cookie = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
        assert server.ask("/runs.html", headers=cookie).status == 200
        named = {**cookie, "Host": f"bench.example:{address.port}"}
        assert server.ask("/", headers=named).status == 200
        bearer = {"Authorization": f"Bearer {address.query.partition('=')[2]}"}
        assert server.ask("/", headers=bearer).status == 200
        outwards = server.ask(f"//evil.example/?{address.query}")
        assert outwards.headers["location"].startswith("/evil.example")
