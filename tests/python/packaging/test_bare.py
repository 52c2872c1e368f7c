"""With the wheel alone, every verb works or names in one sentence what to install.

On a PATH without compiler, git, valgrind, perf, strace or cmake, as a machine has it on which
nobody develops. `./dev bench wheel_roots` asks the same in bare Debians, and installs what is
named.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import NATIVE, ROOT
from verbs_tried import TRIES, Answer, Kind, Try, prepare
from wheel import clean_environment, installed_wheel

from assay.cli.runs import Action

walked = pytest.mark.xdist_group("bare")  # one walk serves all

# Of the hundreds that every Debian has, those that the verbs and the tries themselves start.
BASIC = ("sh", "cat", "cp", "env", "false", "ls", "setarch", "sleep", "taskset", "true", "uname")
PAGE = (ROOT / "docs" / "guides" / "install.md").read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed_wheel(tmp_path_factory)


@pytest.fixture(scope="module")
def variables(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """With a folder of basic tools for a PATH, and an empty home."""
    basic = tmp_path_factory.mktemp("basic")
    for name in BASIC:
        found = shutil.which(name)
        assert found, name
        (basic / name).symlink_to(found)
    home = tmp_path_factory.mktemp("home")
    return clean_environment(home) | {"PATH": str(basic), "HOME": str(home)}


@pytest.fixture(scope="module")
def answers(
    folder: Path, variables: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[Try, Answer]:
    place, programs = tmp_path_factory.mktemp("tried"), NATIVE / "libexec" / "assay"
    prepare(place, programs / "copy_element_reserved", programs / "copy_element_naive")
    return {one: _answer(one, folder, variables, place) for one in TRIES}


def _answer(asked: Try, folder: Path, variables: dict[str, str], place: Path) -> Answer:
    command = [str(folder / "bin" / "assay"), *asked.line.split()]
    cwd = place / asked.within
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=variables)
    return Answer(asked, done.returncode, done.stdout, done.stderr)


@pytest.mark.slow
@walked
def test_every_verb_is_tried(folder: Path, variables: dict[str, str]) -> None:
    code = "from assay.cli.app import VERBS; print(*VERBS)"
    python = str(folder / "bin" / "python")
    verbs = subprocess.check_output([python, "-c", code], text=True, env=variables).split()
    assert len(verbs) > 20
    assert {one.verb for one in TRIES} == set(verbs)


def test_everything_that_is_done_with_runs_is_tried() -> None:
    words = [one.words.partition(" ")[0] for one in TRIES if one.verb == "runs"]
    assert {word or Action.LIST for word in words} == set(Action)


@pytest.mark.slow
@walked
@pytest.mark.parametrize("asked", TRIES, ids=lambda one: one.line.replace("/", "_"))
def test_it_works_or_names_what_to_install(answers: dict[Try, Answer], asked: Try) -> None:
    found = answers[asked]
    assert "Traceback" not in found.errors
    assert found.kind is not Kind.NEITHER, f"exit code {found.code}\n{found.output}{found.errors}"


@pytest.mark.slow
@walked
@pytest.mark.parametrize("tool", ["git", "valgrind", "perf", "strace"])
def test_what_is_named_is_in_the_page(answers: dict[Try, Answer], tool: str) -> None:
    """And is named: with such a tool on the PATH the walk would show nothing."""
    named = [one for one in answers.values() if re.search(rf"\b{tool}\b", one.sentence)]
    assert named
    for one in named:
        (row,) = re.findall(rf"(?m)^\| `{one.asked.verb}`.*", PAGE)
        assert re.search(rf"\b{tool}\b", row), one.asked.line


def test_the_page_has_every_verb() -> None:
    """In its table, once."""
    rows = re.findall(r"(?m)^\| `(\w+)`", PAGE)
    assert sorted(rows) == sorted({one.verb for one in TRIES})


NAMED = "error: why: perf is not installed; apt-get install linux-perf\n"


@pytest.mark.parametrize(
    ("code", "output", "errors", "kind"),
    [
        (0, "BM_a 12 ns", "", Kind.WORKS),
        (0, "BM_a", "", Kind.NEITHER),  # it printed no figure
        (1, "BM_a 12 ns", "", Kind.NEITHER),
        (3, "", NAMED, Kind.NAMES),
        (2, "", "error: no git; install git, or name an executable\n", Kind.NAMES),
        (3, "", "error: x: not here; run `./dev setup` in a clone of Assay\n", Kind.NAMES),
        (3, "", "error: perf is not installed\n", Kind.NEITHER),
        (3, "", "error: x: it exited with code 127; is it a benchmark?\n", Kind.NEITHER),
        (3, "", f"{NAMED}and more\n", Kind.NEITHER),
        (3, "half a table", NAMED, Kind.NEITHER),
        (70, "", NAMED, Kind.NEITHER),
        (3, "", f"Traceback (most recent call last):\n{NAMED}", Kind.NEITHER),
    ],
)
def test_how_an_answer_is_judged(code: int, output: str, errors: str, kind: Kind) -> None:
    assert Answer(Try("why", "", r"\d+ ns"), code, output, errors).kind is kind
