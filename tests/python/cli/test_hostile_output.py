"""Whatever names and messages say, no verb and no export lets them command anybody.

Every verb that can show text of others is walked, as a user starts it: the door is where the
command line begins (`assay.outside_text`).
"""

import ast
import csv
import io
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from conftest import ROOT, Done
from records import HOSTILE, two_sided
from test_outside_text import COMMANDS, commands_in

from assay.cli.app import VERBS
from assay.model import Failure, Record
from assay.record.store.store import Store
from assay.record.writer import write

NAMES = (*COMMANDS, *(name for name in HOSTILE if len(name) < 200), "/close", "@org/team #1")
SOURCES = sorted((ROOT / "src" / "assay").rglob("*.py"))
# Of what these print nothing comes from a stranger: the case's own numbers, the host, our files.
# The door itself; two sentences of our own, told where there is no stream any more; and the process
# of the page Live, whose output is a pipe that only the server reads.
DOORS = ("outside_text.py", "__init__.py", "library_exit.py", "web/work.py")
OF_OUR_OWN = {"os", "index", "doctor", "demo", "suite", "overhead", "bisect", "floor"}


def hostile_record() -> Record:
    made = two_sided(dict.fromkeys(NAMES, 1.1), rounds=8, samples=2)
    failures = tuple(Failure(benchmark=one, what=one, target=one) for one in COMMANDS)
    facts = made.facts.merged_with({"notes": list(COMMANDS), "git": {"revision": COMMANDS[0]}})
    return msgspec.structs.replace(made, facts=facts, failures=failures)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store and files that hold hostile names; programs that say them."""
    record = hostile_record()
    write(record, tmp_path / "run.json")
    (tmp_path / "::error::x.json").write_text('{"benchmarks": "::error::x"}')
    store = Store.opened_or_made(tmp_path / ".assay")
    run = store.add(record, kind="::error::x", now_s=1_790_000_000.0)
    store.folder.file_of(run[:-4] + "ffff").write_bytes(b"PAR1 ::error:: PAR1")
    (tmp_path / ".assay" / "labels").mkdir()
    (tmp_path / ".assay" / "labels" / "::error::x").write_text("../../x")
    (tmp_path / "assay.toml").write_text('[build]\ncommands = ["echo ::error::x; false"]\n')
    lines = "\n".join(COMMANDS)
    for name, code in (("crashes", 3), ("lists", 0)):
        program = tmp_path / name
        program.write_text(
            f"#!/bin/sh\ncat >&2 <<'E'\n{lines}\nE\ncat <<'E'\n{lines}\nE\nexit {code}\n"
        )
        program.chmod(0o755)
    return tmp_path


WALK = {
    "list": [("list", "run.json"), ("list", "./lists"), ("list", "./crashes")],
    "compare": [
        ("compare", "run.json", "--gate"),
        ("compare", "run.json", "run.json", "--format", "gbench"),
        ("compare", "./crashes", "./lists"),
        ("compare", "cmd:./crashes", "cmd:./crashes", "--rounds", "1"),
        ("compare", "::error::x", "./::error::x.json"),
        ("compare", "::error::x.json"),
    ],
    "gate": [("gate",)],
    "run": [("run", "cmd:./crashes", "--rounds", "1"), ("run", "./lists", "--rounds", "1")],
    "trust": [
        ("trust", "./crashes"),
        ("trust", "./lists", "--budget", "2s"),
        ("trust", "::error::x"),
    ],
    "why": [("why", "run:LAST", "run:LAST"), ("why", "::error::x", "::error::x")],
    "multiview": [("multiview", "run.json", "run.json", "-o", "m.html")],
    "report": [("report", "run.json", "-o", "r.html"), ("report", "::error::x.json")],
    "history": [("history",), ("history", "::error::x")],
    "serve": [("serve", "--export", "site"), ("serve", "--export", "run.json")],
    "init": [("init",)],
    "completion": [("completion", "bash"), ("completion", "::error::x")],
    "runs": [
        ("runs",),
        ("runs", "show", "LAST"),
        ("runs", "show", "::error::x"),
        ("runs", "label", "LAST", "::error::x"),
        ("runs", "import", "::error::x.json"),
    ],
}


@pytest.mark.parametrize("verb", WALK)
def test_nothing_a_verb_prints_commands_anybody(
    assay: Callable[..., Done], folder: Path, verb: str
) -> None:
    for words in WALK[verb]:
        done = assay(*words, cwd=folder, HOME=str(folder), XDG_STATE_HOME=str(folder))
        assert done.code in (0, 1, 2, 3, 4), (words, done.err)
        assert done.out + done.err
        assert not list(commands_in(done.out)), words
        assert not list(commands_in(done.err)), words
        assert "\x1b" not in done.out + done.err


def test_every_verb_is_walked() -> None:
    assert VERBS.keys() == WALK.keys() | OF_OUR_OWN


FORMS = ("a.md", "a.xml", "a.csv", "a.txt", "a.om")


@pytest.fixture(scope="module")
def exports(assay: Callable[..., Done], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports")
    write(hostile_record(), folder / "run.json")
    assay("compare", "run.json", "--markdown", "a.md", "--junit", "a.xml", cwd=folder)
    for form in FORMS[2:]:
        write(hostile_record(), folder / form)
    return folder


@pytest.mark.parametrize("form", FORMS)
def test_no_line_of_an_export_begins_with_a_command(exports: Path, form: str) -> None:
    lines = (exports / form).read_bytes().decode().splitlines()
    assert len(lines) > len(NAMES)
    assert not [line for line in lines if line.strip().startswith("::")]


def test_no_line_of_a_comment_is_a_quick_action_of_gitlab(exports: Path) -> None:
    lines = (exports / "a.md").read_text().splitlines()
    assert not [line for line in lines if line.strip().startswith("/")]


@pytest.mark.parametrize("form", ["a.md", "a.xml"])
def test_what_is_pasted_into_a_log_commands_nothing_at_all(exports: Path, form: str) -> None:
    assert not list(commands_in((exports / form).read_text()))


def test_no_cell_of_the_csv_is_run(exports: Path) -> None:
    rows = list(csv.reader(io.StringIO((exports / "a.csv").read_bytes().decode())))
    texts = [row[0] for row in rows]
    assert "'@SUM(A1)" in texts
    assert not [text for text in texts if text.lstrip().startswith(("=", "+", "-", "@", "\t"))]


def _calls(path: Path) -> list[ast.Call]:
    return [one for one in ast.walk(ast.parse(path.read_text())) if isinstance(one, ast.Call)]


def test_no_child_writes_to_our_output_by_itself() -> None:
    """What a child prints must come to us first, or nobody neutralises it."""
    starts = [
        (path.name, call.lineno, {one.arg for one in call.keywords})
        for path in SOURCES
        for call in _calls(path)
        if ast.unparse(call.func) in ("subprocess.run", "subprocess.Popen", "subprocess.check_call")
    ]
    assert starts  # few: most of what Assay starts, it starts by way of `assay-launch`
    assert not [one for one in starts if not one[2] & {"capture_output", "stdout"}]


def test_nobody_writes_past_the_door() -> None:
    past = (
        "sys.__stdout__",
        "sys.__stderr__",
        "sys.stdout.buffer",
        "sys.stderr.buffer",
        "os.write(1",
        "os.write(2",
        "os.system(",
    )
    assert len(SOURCES) > 300
    found = [
        (path.name, word)
        for path in SOURCES
        for word in past
        if not str(path).endswith(DOORS) and word in path.read_text()
    ]
    assert not found
