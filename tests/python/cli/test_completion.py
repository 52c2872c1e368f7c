"""Completion, by the real shells: verbs, options, labels, revisions, benchmarks."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from remotes import folder_with_assay, git
from stores import Step, filled

from assay.cli import invoke
from assay.cli.completion import completion_candidates


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a tag, a store with a label, and `assay` on PATH."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
    git(tmp_path, "tag", "v1.0")
    (tmp_path / "assay.toml").write_text('[suites.parser]\nrun = "b"\n')
    store = filled(tmp_path / ".assay", {"BM_parse": Step(), "BM_print": Step()}, runs=2)
    store.folder.label(store.folder.newest(), "release/1.0")
    assert invoke(["runs"]) == 0  # which makes the catalogue
    monkeypatch.setenv("PATH", f"{folder_with_assay(tmp_path)}:{os.environ['PATH']}")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["comp"], ["compare", "completion"]),
        (["--v"], ["--version"]),
        (["nothing", "x"], []),
        (["runs", "pu"], ["push", "pull"]),
        (["runs", "show", ""], ["LAST", "release/1.0"]),
        (["compare", "git:"], ["git:main", "git:v1.0"]),
        (["compare", "run:rel"], ["run:release/1.0"]),
        (["compare", "--filt"], ["--filter"]),
        (["compare", "--filter", "BM_pr"], ["BM_print"]),
        (["compare", "--quiet", "git:v"], ["git:v1.0"]),
        (["run", "--suite", ""], ["parser"]),
        (["run", "--budget", ""], []),
        (["gate", "ma"], ["main"]),
        (["history", "BM_"], ["BM_parse", "BM_print"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
    ],
)
def test_what_may_follow(project: Path, words: list[str], found: list[str]) -> None:
    assert completion_candidates(words, project) == found


@pytest.mark.parametrize("what", ["no project", "a broken project", "a broken store"])
def test_where_nothing_is_known_nothing_is_told(what: str, tmp_path: Path) -> None:
    if what == "a broken project":
        (tmp_path / "assay.toml").write_text("[")
    elif what == "a broken store":
        (tmp_path / "assay.toml").touch()
        (tmp_path / ".assay").mkdir()
        (tmp_path / ".assay" / "store.json").write_text("{")
    for words in (["runs", "show", ""], ["compare", "run:"], ["history", ""], ["gate", ""]):
        assert completion_candidates(words, tmp_path) == []


def shell(name: str, *words: str) -> list[str]:
    if shutil.which(name) is None:
        pytest.skip(f"no {name}")
    done = subprocess.run([name, *words], capture_output=True, text=True)
    assert done.stderr == ""
    return sorted(done.stdout.split())


TYPED = {
    "assay runs pu": ["pull", "push"],
    "assay compare --filter BM_pr": ["BM_print"],
    "assay runs show ": ["LAST", "release/1.0"],
}


@pytest.mark.parametrize("line", TYPED)
def test_bash_completes(project: Path, line: str) -> None:
    script = (
        f'eval "$(assay completion bash)"; COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}; _assay;'
        ' printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert shell("bash", "--norc", "-c", script) == TYPED[line]


def test_bash_is_given_what_follows_a_colon(project: Path) -> None:
    script = (
        'eval "$(assay completion bash)"; COMP_LINE="assay compare git:v"; COMP_POINT=19; _assay;'
        ' printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert shell("bash", "--norc", "-c", script) == ["v1.0"]


@pytest.mark.parametrize("line", TYPED)
def test_fish_completes(project: Path, line: str) -> None:
    script = f"assay completion fish | source; complete -C {line!r}"
    assert shell("fish", "--no-config", "-c", script) == TYPED[line]


@pytest.mark.parametrize("line", TYPED)
def test_zsh_completes(project: Path, line: str) -> None:
    """`compadd` works only while somebody types, so that here it prints what it is given."""
    words = " ".join(f"'{word}'" for word in line.split(" "))
    script = (
        'compdef() { : }; eval "$(assay completion zsh)"; compadd() { shift; print -l -- "$@" };'
        f" words=({words}); CURRENT=${{#words}}; PREFIX=$words[-1]; _assay"
    )
    assert shell("zsh", "-f", "-c", script) == TYPED[line]
