"""`--rounds` and `--budget` of a search, and a margin of nothing: they hold, and it is said."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done
from repositories import new_repository

Assay = Callable[..., Done]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two commits of a program that does nothing."""
    made = new_repository(tmp_path / "project")
    toml = '[build]\ncommands = ["true"]\n[suites.main]\nrun = "cmd:true"\n'
    made.write("assay.toml", toml)
    made.commit("one", a_txt="1")
    made.commit("two", a_txt="2")
    return made.root


def rounds_of(place: Path) -> int:
    return sum(one["rounds"] for one in json.loads(place.read_text())["measured"])


@pytest.mark.parametrize("rounds", [1, 3])
def test_rounds_are_those_of_all_commits_together(
    assay: Assay, project: Path, tmp_path: Path, rounds: int
) -> None:
    words = ("bisect", "HEAD~1", "HEAD", "--json", "b.json", "--rounds")
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = assay(*words, str(rounds), cwd=project, **cache)
    assert done.code in (0, 4), done.err
    assert rounds_of(project / "b.json") <= rounds
    if done.code == 4:
        assert f"--rounds {rounds} are measured: with more, the same command goes on" in done.err
    done = assay(*words, str(rounds + 2), cwd=project, **cache)
    assert done.code in (0, 4), done.err
    assert rounds_of(project / "b.json") <= rounds + 2


def test_a_budget_that_is_over_ends_the_search(assay: Assay, project: Path, tmp_path: Path) -> None:
    words = ("bisect", "HEAD~1", "HEAD", "--json", "b.json", "--budget", "0.000001s")
    done = assay(*words, cwd=project, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.code == 4, done.err
    assert rounds_of(project / "b.json") == 0
    assert "--budget 1e-06s is over: with more, the same command goes on" in done.err


def test_a_margin_of_nothing_is_searched_for(assay: Assay, project: Path, tmp_path: Path) -> None:
    """A smallest slowdown of 0 made NaN of everything."""
    words = ("bisect", "HEAD~1", "HEAD", "--margin", "0", "--rounds", "2")
    done = assay(*words, cwd=project, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.code in (0, 4), done.err
    assert "Warning" not in done.err
