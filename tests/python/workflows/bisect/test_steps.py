"""The file of a search's steps: gone on with where it is ours, put aside where it is not."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.judge.bisection.graph import graph_of
from assay.judge.bisection.search import Broken, Rounds
from assay.judge.bisection.settings import SearchSettings
from assay.workflows.bisect.steps import Steps, forget

COMMITS = {"a": (), "b": ("a",)}
STEP = Rounds("b", (0.1, 0.2))


def opened(path: Path, told: list[str]) -> Steps:
    return Steps(path, SearchSettings(), COMMITS, told.append)


def lines(*steps: object, **settings: object) -> bytes:
    first = {**json.loads(json_bytes(SearchSettings())), **settings}
    return b"".join(json.dumps(one).encode() + b"\n" for one in (first, *steps))


def step(**more: object) -> dict[str, object]:
    return {"type": "Rounds", "commit": "b", "log_ratios": [0.1], **more}


def test_steps_are_gone_on_with(tmp_path: Path) -> None:
    told: list[str] = []
    with opened(tmp_path / "x" / "s.jsonl", told) as steps:
        steps.add(STEP)
        steps.add(Broken("a"))
    with (tmp_path / "x" / "s.jsonl").open("ab") as file:
        file.write(b'{"half')
    with opened(tmp_path / "x" / "s.jsonl", told) as steps:
        assert steps.seen == [STEP, Broken("a")]
        steps.add(STEP)
    with opened(tmp_path / "x" / "s.jsonl", told) as steps:
        assert steps.seen == [STEP, Broken("a"), STEP]
    assert told == []


BAD: dict[str, bytes] = {
    "rubbish": b"rubbish\n",
    "no UTF-8": b"\xff\n",
    "half of it": lines(step())[:-30] + b"\n",
    "another commit": lines(step(commit="c")),
    "no ratios": lines(step(log_ratios=[])),
    "ratios that nobody measures": lines(step(log_ratios=[1e308, -1e308])),
    "a ratio out of range": lines(step()).replace(b"0.1]", b"1e999]"),
    "another kind of step": lines(step(type="Other")),
    "nested": lines() + b"[" * 100_000 + b"\n",
    **{
        f"{name} of {value}": lines(step(), **{name: value})
        for name in ("target", "none", "undone", "several", "smallest", "layout", "build_cost")
        for value in (-1, 1e300, "x")
    },
    **{f"{name} of nothing": lines(**{name: 0}) for name in ("smallest", "layout", "target")},
    **{
        f"{name} of {value}": lines(step(), **{name: value})
        for name in ("first_rounds", "most_rounds", "budget_rounds")
        for value in (0, -5, 10**30)
    },
}


@pytest.mark.parametrize("name", BAD)
def test_a_damaged_or_hostile_file_is_put_aside_and_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(BAD[name])
    told: list[str] = []
    with opened(path, told) as steps:
        assert (steps.settings, steps.seen) == (SearchSettings(), [])
        assert steps.search(graph_of(COMMITS, "b")).next()
        steps.add(STEP)
    (aside,) = tmp_path.glob("*.damaged-*")
    assert aside.read_bytes() == BAD[name]
    (line,) = told
    assert line.startswith(f"{path} ")
    assert line.count(str(path)) == 1
    assert line.endswith(f": it is kept as {aside.name}, and the search begins anew")
    with opened(path, told) as steps:
        assert steps.seen == [STEP]
    assert len(told) == 1


ODD: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a link": lambda path: path.symlink_to("/etc/passwd"),
    "a link to nothing": lambda path: path.symlink_to("/tmp/no/such"),
    "a large file": lambda path: path.open("wb").truncate(1 << 30),
}


@pytest.mark.parametrize("what", ODD)
def test_what_is_no_file_of_steps_is_put_aside_and_named(what: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    ODD[what](path)
    told: list[str] = []
    with opened(path, told) as steps:
        steps.add(STEP)
    assert len(told) == 1
    assert path.is_file()
    assert not path.is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("what", ODD)
def test_whatever_lies_there_can_be_forgotten(what: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    forget(path)
    ODD[what](path)
    forget(path)
    assert not os.path.lexists(path)


def test_a_folder_that_leads_out_of_the_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "bisects").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="nothing in a store may lead out of it"):
        opened(tmp_path / "bisects" / "s.jsonl", [])
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be kept"):
        opened(tmp_path / "file" / "s.jsonl", [])
    assert not list((tmp_path / "elsewhere").iterdir())
