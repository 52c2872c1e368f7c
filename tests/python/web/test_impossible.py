"""One page that cannot be made takes no other page from anybody, and says why it cannot."""

from pathlib import Path

import msgspec
import pytest
from records import two_sided
from serving import served
from stores import Step, filled

from assay.cli import invoke
from assay.errors import InputError
from assay.model import Failure, Record, Side
from assay.record.store.store import Store
from assay.web.pages import Pages

NOW_S = 1_790_000_000.0


def _crashed() -> Record:
    """A comparison of which no launch ended well."""
    failure = Failure(benchmark="BM_copy", what="it exited with code 1", side=Side.BASE)
    return msgspec.structs.replace(two_sided(), samples=(), failures=(failure,))


def _one_side() -> Record:
    """A comparison of which one side crashed each time."""
    whole = two_sided()
    left = tuple(one for one in whole.samples if one.side is Side.CANDIDATE)
    return msgspec.structs.replace(whole, samples=left)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    store = filled(tmp_path / ".assay", {"BM_copy": Step()}, runs=12)
    for number, record in enumerate((two_sided(), _crashed(), _one_side(), two_sided())):
        store.add(record, kind="compare", now_s=NOW_S + number)
    return store.folder.root


def _compared(root: Path) -> list[str]:
    return Store.opened(root).folder.runs()[-4:]


def test_an_export_goes_on_and_says_what_is_missing(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert invoke(["serve", "--export", str(tmp_path / "site"), "--store", str(root)]) == 0
    told = capsys.readouterr().out
    texts = {path.stem: path.read_text() for path in (tmp_path / "site" / "compare").iterdir()}
    good, crashed, one_side, last = _compared(root)
    assert sorted(texts) == [good, crashed, one_side, last]
    assert "2 of them cannot be shown, and say why" in told
    for run in (crashed, one_side):
        assert f"run:{run} cannot be shown" in texts[run]
        assert f"{run}.html: " in told
    assert "1 launch failed" in texts[crashed]
    for run in (good, last):
        assert "cannot be shown" not in texts[run]


def test_a_page_of_a_benchmark_that_cannot_be_made_is_one_too(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def _refused(self: Pages, page: str) -> bytes:
        raise InputError("is damaged", where="catalogue")

    monkeypatch.setattr(Pages, "benchmark", _refused)
    assert invoke(["serve", "--export", str(tmp_path / "site"), "--store", str(root)]) == 0
    pages = list((tmp_path / "site" / "benchmark").iterdir())
    assert pages
    assert all("catalogue: is damaged" in page.read_text() for page in pages)
    assert len(list((tmp_path / "site" / "compare").iterdir())) == 4


def test_a_place_that_cannot_be_written_ends_the_export(root: Path, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "compare").write_text("in the way")
    assert invoke(["serve", "--export", str(tmp_path / "site"), "--store", str(root)]) == 2


def test_the_server_says_the_same_among_its_rooms(root: Path) -> None:
    good, crashed, *_ = _compared(root)
    with served(root) as server:
        for run, status in ((good, 200), (crashed, 409)):
            while (answer := server.ask(f"/compare/{run}.html")).status == 202:
                assert server.process.poll() is None
            assert answer.status == status
        assert "1 launch failed" in answer.body
        assert '<a href="../runs.html">' in answer.body
        assert "content-security-policy" in answer.body.lower()


def test_a_store_that_was_moved_is_told_and_no_old_page_is_shown(root: Path) -> None:
    moved = root.with_name("moved")
    with served(root) as server:
        good = f"/compare/{_compared(root)[0]}.html"
        while server.ask(good).status == 202:
            assert server.process.poll() is None
        root.rename(moved)
        for path in ("/", "/benchmarks.html", "/runs.html", good):
            answer = server.ask(path)
            assert answer.status == 409
            assert "is no store of runs" in answer.body
        moved.rename(root)
        assert server.ask("/").status == 200
