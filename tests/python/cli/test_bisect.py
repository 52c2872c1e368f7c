"""The example repository: a gate, a search for the commit, and a history, as a user types them."""

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done

from assay.model import Record, Sample
from assay.record.store.store import Store

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "examples" / "08_history" / "make_repository.sh"
SLOW = "Escape quotes"
BROKEN = "Begin to rewrite format"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("words")]
Assay = Callable[..., Done]


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("example") / "words"
    subprocess.run([str(SCRIPT), str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def searched(
    assay: Assay, search: tuple[str, ...], words: Path, cache: Path, is_right: Callable[[str], bool]
) -> Done:
    """A search in rounds of real time, up to three times: others may keep both CPUs busy for one
    of them. How often a search is right is for `./dev bench bisect_simulation`."""
    for tries in range(3):
        again = ("--restart",) if tries else ()
        done = assay(*search, *again, cwd=words, XDG_CACHE_HOME=str(cache))
        assert done.code in (0, 4), done.err + done.out
        if is_right(done.out):
            break
    return done


def test_the_commit_is_found_and_the_search_goes_on_where_it_was(
    assay: Assay, words: Path, cache: Path
) -> None:
    # As many rounds as name the commit; to be sure of it, a busy machine takes three times as many.
    search = ("bisect", "v1.0", "v1.1", "--bench", "format", "--rounds", "80", "--json", "b.json")
    done = searched(assay, search, words, cache, lambda out: f'"{SLOW}" made BM_format' in out)
    assert f'"{SLOW}" made BM_format worse: +' in done.out
    told = json.loads((words / "b.json").read_text())
    culprit = git(words, "log", "--format=%H", "--grep", SLOW)
    assert told["commits"] == [culprit]
    assert told["probability"] > 0.5  # how sure it is hangs on the noise of this machine
    broken = [one for one in told["measured"] if one["why"]]
    # Whether the search comes by the commit that does not build hangs on the rounds.
    named = [git(words, "log", "-1", "--format=%s", one["commit"]) for one in broken]
    assert named in ([], [BROKEN])
    assert ("is left out: `cmake --build build` exited with code 2" in done.err) == bool(named)
    again = assay(*search, cwd=words, XDG_CACHE_HOME=str(cache))
    assert "resuming after" in again.err
    assert "building" not in again.err
    assert again.out == done.out


def test_a_slowdown_nobody_made_is_none_of_them(assay: Assay, words: Path, cache: Path) -> None:
    search = ("bisect", "v1.0", "v1.1~5", "--bench", "checksum")
    wanted = "None of 4 commits made BM_checksum worse"
    done = searched(assay, search, words, cache, lambda out: out.startswith(wanted))
    assert done.out.startswith(wanted)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("v1.0", "v1.1"), "2 benchmarks match: BM_format, BM_checksum"),
        (("v1.0", "v1.1", "--bench", "nothing"), "GOOD has no such benchmark"),
        (("v1.1", "v1.0", "--bench", "format"), "has no commit that GOOD lacks; name GOOD first"),
        (("v1.0", "v9.9", "--bench", "format"), "no such revision"),
    ],
)
def test_what_cannot_be_searched_is_said(
    assay: Assay, words: Path, cache: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = assay("bisect", *arguments, cwd=words, XDG_CACHE_HOME=str(cache))
    assert done.code == 2
    assert message in done.err


def test_a_journal_of_steps_that_is_damaged_is_put_aside(
    assay: Assay, words: Path, cache: Path
) -> None:
    search = ("bisect", "v1.0", "v1.0~-0", "--bench", "format")
    assert assay(*search, cwd=words, XDG_CACHE_HOME=str(cache)).code == 2
    search = ("bisect", "v1.0~2", "v1.0", "--bench", "checksum")
    assert assay(*search, cwd=words, XDG_CACHE_HOME=str(cache)).code in (0, 4)  # by the noise here
    steps = (words / ".assay" / "bisects").glob("*.jsonl")
    newest = max(steps, key=lambda path: path.stat().st_mtime)
    newest.write_text("rubbish\n")
    done = assay(*search, cwd=words, XDG_CACHE_HOME=str(cache))
    assert done.code in (0, 4)
    assert "and the search begins anew" in done.err
    assert assay(*search, "--restart", cwd=words, XDG_CACHE_HOME=str(cache)).code in (0, 4)


def test_a_gate_of_a_branch(assay: Assay, words: Path, cache: Path) -> None:
    here = {"cwd": words, "XDG_CACHE_HOME": str(cache)}
    passed = assay("gate", **here)
    assert passed.code == 0, passed.err
    assert "both sides are the same program" in passed.out
    git(words, "checkout", "--quiet", "-b", "slow", "v1.0")
    source = words / "words.cpp"
    source.write_text(source.read_text().replace("sum * 31", "sum % 1000003 * 31"))
    failed = assay("gate", "main", "--markdown", "gate.md", "--junit", "gate.xml", **here)
    git(words, "checkout", "--quiet", "--force", "main")
    assert failed.code == 1, failed.out + failed.err
    assert "BM_checksum" in (words / "gate.md").read_text()
    assert "<failure" in (words / "gate.xml").read_text()


def test_the_history_of_its_commits(assay: Assay, words: Path, cache: Path) -> None:
    here = {"cwd": words, "XDG_CACHE_HOME": str(cache)}
    revisions = git(words, "log", "--reverse", "--format=%h", "v1.1").split()
    made = [assay("run", f"git:{one}", "--rounds", "3", "-q", **here).code for one in revisions]
    assert made.count(0) == 11
    assert made[5] == 3, "the sixth does not compile"
    done = assay("history", "format", "--json", "h.json", **here)
    assert done.code == 0, done.err
    (series,) = json.loads((words / "h.json").read_text())["series"]
    by_revision = [point["revision"] for point in series["points"] if not point["side"]]
    assert by_revision == [
        git(words, "rev-parse", one) for number, one in enumerate(revisions) if number != 5
    ]


def test_a_folder_without_main_is_told_what_to_name(assay: Assay, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=other")
    (tmp_path / "assay.toml").touch()
    done = assay("gate", cwd=tmp_path)
    assert done.code == 2
    assert "assay gate BRANCH" in done.err


def _much_slower(words: Path) -> str:
    """A commit after v1.0 that slows BM_format by more than a busy host can hide."""
    git(words, "checkout", "--quiet", "--force", "-B", "much-slower", "v1.0")
    source = words / "words.cpp"
    source.write_text(
        source.read_text().replace("out += c;", "out += c, out.pop_back(), out += c;")
    )
    git(words, "commit", "--quiet", "--all", "--message", "Much slower")
    git(words, "checkout", "--quiet", "main")
    return git(words, "rev-parse", "much-slower")


def _kept(store: Path, runs: list[tuple[str, float, float]]) -> None:
    """Made-up runs: the revision, and the levels of BM_format and BM_checksum."""
    opened, chance = Store.opened_or_made(store), random.Random(2)
    for number, (revision, *levels) in enumerate(runs):
        samples = tuple(
            Sample(benchmark=name, values={"real_time": (level * chance.lognormvariate(0, 0.01),)})
            for name, level in zip(("BM_format", "BM_checksum"), levels, strict=True)
        )
        facts = {"git": {"revision": revision, "time_s": 1e9 + number}}
        record = Record(context={}, facts=facts, samples=samples)
        opened.add(record, kind="run", now_s=1e9 + number)


def test_a_candidate_is_measured_again(
    assay: Assay, words: Path, cache: Path, tmp_path: Path
) -> None:
    """Made-up runs show a step in both benchmarks; rounds of both revisions find it in one.

    The other differs a little too, by where its code lies: that is not the step.
    """
    before, after = git(words, "rev-parse", "v1.0"), _much_slower(words)
    runs = [(before, 100.0, 100.0)] * 50 + [(after, 140.0, 140.0)] * 30
    _kept(tmp_path / "store", runs)
    where = ("--store", str(tmp_path / "store"))
    here = {"cwd": words, "XDG_CACHE_HOME": str(cache)}
    assert "1 candidate to be measured again" in assay("history", *where, **here).out
    done = assay("history", "--confirm", *where, "--json", str(tmp_path / "h.json"), **here)
    assert done.code == 0, done.err
    assert done.out.startswith("1 change confirmed.")
    (alert,) = json.loads((tmp_path / "h.json").read_text())["alerts"]
    states = {one["benchmark"]: one["confirmation"]["state"] for one in alert["changes"]}
    assert states == {"BM_format": "confirmed", "BM_checksum": "not reproduced"}


def test_a_candidate_that_does_not_build_keeps_no_other_waiting(
    assay: Assay, words: Path, cache: Path, tmp_path: Path
) -> None:
    first, broken = git(words, "rev-parse", "v1.0"), git(words, "rev-parse", f":/{BROKEN}")
    second, slower = git(words, "rev-parse", "v1.0~1"), _much_slower(words)
    runs = [(first, 100.0, 100.0), (broken, 140.0, 100.0), (second, 140.0, 100.0)]
    runs.append((slower, 140.0, 300.0))
    _kept(tmp_path / "store", [one for one in runs for _ in range(50)])
    out = tmp_path / "h.json"
    done = assay(
        *("history", "--confirm", "--budget", "4s", "--store", tmp_path / "store", "--json", out),
        cwd=words,
        XDG_CACHE_HOME=str(cache),
    )
    assert done.code == 3
    assert "not confirmed: " in done.err
    changes = [one for alert in json.loads(out.read_text())["alerts"] for one in alert["changes"]]
    said = {one["benchmark"]: one["confirmation"] is not None for one in changes}
    assert said == {"BM_format": False, "BM_checksum": True}
