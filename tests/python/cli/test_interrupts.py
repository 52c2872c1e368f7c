"""Every verb, at every step, ended by INT, TERM, HUP and KILL: what it says, keeps and leaves.

INT, TERM and HUP mean the same: the record is finished, what there is is printed, the exit code is
128 plus the signal, and nothing is left behind. After KILL no process lives on, and the next
`assay` removes the rest. `ASSAY_ENDINGS=all` tries each step with each signal; without it each step
of measuring gets all four, and the others share them out.
"""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import DATA, NATIVE
from interruptions import BENCH, BUILD, INDEX, At, Call, Launch, Program, Running, Stage
from repositories import TestRepository

from assay.cli.app import VERBS
from assay.measure.executor import find_launcher
from assay.record.journal import parse_journal
from assay.record.reader import read
from assay.record.store.store import Store

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
STEPS = ("importing", "building", "listing", "trial", "round", "judging", "writing")
NO_BUILD = "it builds nothing by itself"
NO_MEASURING = "it measures nothing"
NO_JUDGING = "it judges nothing"
NO_FILE = "it writes no file"
NO_LIST = "it asks no program for its benchmarks"

JUDGE = Call("assay.judge.verdict:judge")
WRITE = Call("assay.files:write_whole")
RECORD = Call("assay.record.writer:write")
PREPARE = Call("assay.measure.session:Session.prepare")
ROUND = Call("assay.measure.session:Session.round")
OLD, NEW = (str(DATA / "gbench" / f"test1_run{n}.json") for n in (1, 2))

OVERHEAD = """
target = "{bench}"
[measure]
rounds = 50
[[condition]]
name = "plain"
[[condition]]
name = "mounted"
setup = ['mkdir -p "$PLAN/mount"', '{mount}']
teardown = ['{unmount}', 'rm -rf "$PLAN/mount"']
background = "echo ready; sleep 10000"
ready = "ready"
proof.state = "echo 1"
"""
SWEEP = 'plugins = ["p"]\nthreads = [1]\nrounds = 3\nmixes = { reads = { read = 1.0 } }\n'
PROJECT = '[build]\ncommands = ["$STAGE/make", "cp bench.in bench"]\n[suites.main]\nrun = "bench"\n'


class Case(NamedTuple):
    """A command line, where it is ended, and whether it then has something measured to keep."""

    words: tuple[str, ...]
    at: At
    keeps: str = ""  # the record's file


def measuring(*words: str, keeps: str = "", round_launch: int = 5) -> dict[str, Case | str]:
    """The steps of a verb that measures the stage's program."""
    return {
        "listing": Case(words, Launch("list")),
        "trial": Case(words, Launch("launch1")),
        "round": Case(words, Launch(f"launch{round_launch}"), keeps),
    }


def only_writes(writing: Case | str) -> dict[str, Case | str]:
    """The steps of a verb that reads files."""
    nothing = {"building": NO_BUILD, "listing": NO_LIST, "judging": NO_JUDGING}
    return {**nothing, "trial": NO_MEASURING, "round": NO_MEASURING, "writing": writing}


_RUN = ("run", "./bench", "--rounds", "3", "-q", "-o", "r.json")
_COMPARE = (
    "compare",
    "./bench",
    "./bench",
    "--rounds",
    "9",
    "-q",
    "-o",
    "r.json",
    "--json",
    "c.json",
)
_REVISIONS = ("git:HEAD~1", "git:HEAD")
_GATE = ("gate", "HEAD~1", "git:HEAD", "--rounds", "9", "-q", "-o", "r.json")
_BISECT = ("bisect", "HEAD~1", "HEAD", "--bench", "one", "-q", "--json", "b.json")
_FLOOR = ("floor", "./bench", "--rounds", "9", "-q")
_TRUST = ("trust", "./bench", "--budget", "2s", "-q", "--json", "t.json")
_WHY = (
    "why",
    "@plain",
    "@plain",
    "--filter",
    "getpid",
    "--stages",
    "memory",
    "-q",
    "--json",
    "w.json",
)
_SUITE = ("suite", "restore", "-q", "--quick", "--json", "s.json", "-o", "r.json")
_SWEEP = ("index", "--sweep", "sweep.toml", "--quiet", "-o", "r.json")
_DRIVE = ("index", "@plugin", "-m", "time", "--seconds", "1000", "-n", "1000", "--json", "i.json")
_OVERHEAD = ("overhead", "overhead.toml", "-q", "-o", "r.json")
_OS = ("os", "exec", "-B", "30", "-C", "100000", "-D", "600000", "-L", "-S")

CASES: dict[str, dict[str, Case | str]] = {
    "run": {
        **measuring(*_RUN, keeps="r.json"),
        "building": Case(("run", "git:HEAD", "-q", "-o", "r.json"), Launch("build")),
        "judging": Case(_RUN, Call("assay.judge.labs.levels:levels"), "r.json"),
        "writing": Case(_RUN, WRITE, "r.json"),
    },
    "compare": {
        **measuring(*_COMPARE, keeps="r.json", round_launch=7),
        "building": Case(("compare", *_REVISIONS, "-q"), Launch("build")),
        "judging": Case(_COMPARE, JUDGE, "r.json"),
        "writing": Case(_COMPARE, RECORD, "r.json"),
    },
    "gate": {
        **measuring(*_GATE, keeps="r.json", round_launch=7),
        "building": Case(_GATE, Launch("build")),
        "judging": Case(_GATE, JUDGE, "r.json"),
        "writing": Case(_GATE, RECORD, "r.json"),
    },
    "why": {
        "building": Case(("why", *_REVISIONS, "-q"), Launch("build")),
        "listing": Case(("why", "./bench", "./bench", "-q"), Launch("list")),
        "trial": Case(_WHY, Call("assay.workflows.why.workflow:_ask_stage")),
        "round": Case(_WHY, Call("assay.measure.profile.traced.loop_file:parse")),
        "judging": "each of its stages does that between two launches",
        "writing": Case(_WHY, WRITE),
    },
    "overhead": {
        **measuring(*_OVERHEAD, keeps="r.json", round_launch=9),
        "building": "as `run`",
        "judging": Case(
            _OVERHEAD, Call("assay.workflows.overhead.result:comparison_facts"), "r.json"
        ),
        "writing": Case((*_OVERHEAD, "--rounds", "2"), WRITE, "r.json"),
    },
    "multiview": only_writes(Case(("multiview", OLD, NEW, "-o", "m.html"), WRITE)),
    "history": only_writes(Case(("history", "--json", "h.json"), WRITE)),
    "serve": only_writes(Case(("serve", "--export", "site"), WRITE)),
    "bisect": {
        **measuring(*_BISECT, round_launch=5),
        "building": Case(_BISECT, Launch("build")),
        "judging": Case(_BISECT, Call("assay.judge.bisection.search:Search.next")),
        "writing": Case(_BISECT, WRITE),
    },
    "runs": only_writes(Case(("runs", "import", OLD), WRITE)),
    "report": only_writes(Case(("report", OLD, "-o", "page.html"), WRITE)),
    "list": {
        **only_writes(NO_FILE),
        "building": Case(("list", "git:HEAD"), Launch("build")),
        "listing": Case(("list", "./bench"), Launch("list")),
    },
    "floor": {
        **measuring(*_FLOOR, round_launch=7),
        "building": "as `compare`",
        "judging": Case(_FLOOR, JUDGE),
        "writing": Case((*_FLOOR[:2], "--rounds", "24", "-q"), WRITE),
    },
    "trust": {
        **measuring(*_TRUST, round_launch=7),
        "building": Case(("trust", "git:HEAD", "-q"), Launch("build")),
        "judging": Case(_TRUST, JUDGE),
        "writing": Case(_TRUST, WRITE),
    },
    "index": {
        "building": NO_BUILD,
        "listing": NO_LIST,
        "trial": Case(_DRIVE, Program("assay-index", 2)),
        "round": Case(_SWEEP, Launch("launch2"), "r.json"),
        "judging": NO_JUDGING,
        "writing": Case(_SWEEP, WRITE, "r.json"),
    },
    "suite": {
        **measuring(*_SUITE, keeps="r.json", round_launch=4),
        "building": NO_BUILD,
        "judging": Case(_SUITE, Call("assay.judge.labs.levels:levels"), "r.json"),
        "writing": Case(_SUITE, WRITE, "r.json"),
    },
    "os": {
        "building": NO_BUILD,
        "listing": Case(("os", "list"), Call("assay.workflows.os_lab.lab:OsLab.cases")),
        "trial": Case(_OS, Program("assay-os-launch")),
        "round": Case(
            ("os", "all", "--filter", "strlen", "-q", "-o", "r.json"),
            Call("assay.workflows.os_lab.lab:OsLab.measure"),
        ),
        "judging": NO_JUDGING,
        "writing": Case((*_OS[:2], "-C", "10", "-D", "1", "--json", "o.json"), WRITE),
    },
    "doctor": only_writes(NO_FILE),
    "init": only_writes("an assay.toml that is there, as the stage's is, is never written"),
    "completion": only_writes(NO_FILE),
    "demo": {
        "building": NO_BUILD,
        "listing": Case(("demo", "-q"), Call("assay.workflows.common.matching:match")),
        "trial": Case(("demo", "-q"), PREPARE),
        "round": Case(("demo", "-q"), ROUND),
        "judging": "as `compare`",
        "writing": "as `compare`",
    },
}


def _importing(verb: str) -> Case:
    return Case((verb, "--help"), Call(f"assay.cli.{VERBS[verb].module}"))


def _every_step() -> Iterator[tuple[str, str, Case]]:
    for name in VERBS:
        yield name, "importing", _importing(name)
        for step, case in CASES.get(name, {}).items():
            if isinstance(case, Case):
                yield name, step, case


def _endings() -> Iterator[tuple[str, str, signal.Signals]]:
    """Verb, step and signal; which signal an unmeasured step gets goes round."""
    for place, (verb, step, _) in enumerate(_every_step()):
        if os.environ.get("ASSAY_ENDINGS") == "all" or (verb == "compare" and step != "importing"):
            yield from ((verb, step, one) for one in ENDINGS)
        else:
            yield verb, step, ENDINGS[place % len(ENDINGS)]


def test_every_verb_of_the_app_says_of_every_step_how_it_is_ended_there() -> None:
    """A new verb gets its line in `CASES`; a step it has not got, a reason."""
    assert CASES.keys() == VERBS.keys()
    for verb, steps in CASES.items():
        assert {"importing", *steps} == set(STEPS), verb
        assert all(steps.values()), verb
    found = {one for _, _, one in _endings()}
    assert found == set(ENDINGS)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """With a repository of two commits, plans, and labs that only pretend."""
    made = Stage(tmp_path)
    made.program(tmp_path / "make", BUILD)
    work = TestRepository(made.work)
    work.git("init", "-q")
    work.write("bench.in", BENCH)
    (made.work / "bench.in").chmod(0o755)
    work.write("assay.toml", PROJECT)
    work.commit("one")
    work.commit("two", change="2")
    is_root = os.geteuid() == 0
    mount = 'mount -t tmpfs assay-test "$PLAN/mount"' if is_root else "true"
    unmount = 'umount "$PLAN/mount"' if is_root else "true"
    plan = OVERHEAD.format(bench=made.bench, mount=mount, unmount=unmount)
    (made.work / "overhead.toml").write_text(plan)
    (made.work / "sweep.toml").write_text(SWEEP)
    return made


def libexec(stage: Stage) -> Path:
    """The launcher, a suite and an index lab of the stage's own."""
    folder = stage.folder / "libexec"
    stage.program(folder / "suites" / "restore" / "toy", BENCH)
    stage.program(folder / "assay-index", INDEX)
    (folder / "assay-launch").symlink_to(find_launcher())
    return folder


def started(stage: Stage, case: Case) -> Running:
    if case.words[0] in ("history", "serve"):
        store = Store.opened_or_made(stage.work / ".assay", "")
        store.add(read(Path(OLD)), kind="run", now_s=1.0)
    known = {
        "@plain": str(NATIVE / "tests" / "plain_benchmark"),
        "@plugin": str(NATIVE / "libexec" / "assay" / "plugins" / "libstlmap.so"),
    }
    words = tuple(known.get(word, word) for word in case.words)
    is_played = words[0] == "suite" or "--sweep" in words
    place = libexec(stage) if is_played else NATIVE / "libexec" / "assay"
    return stage.started(words, case.at, ASSAY_LIBEXEC=str(place))


@pytest.mark.parametrize(("verb", "step", "number"), list(_endings()))
def test_ended(verb: str, step: str, number: signal.Signals, stage: Stage) -> None:
    case = _importing(verb) if step == "importing" else CASES[verb][step]
    assert isinstance(case, Case)
    running = started(stage, case)
    running.reached()
    code, out, err = running.ended_by(number)
    said = f"{out}\n{err}"
    assert code == (-number if number == signal.SIGKILL else 128 + number), said
    assert "Traceback" not in said
    if number == signal.SIGKILL:
        stage.left_behind()  # waits until no process is left, which needs no help
        stage.next_start()
    assert stage.left_behind() == []
    if case.keeps:
        _is_kept(stage.work / case.keeps, number)
        assert number == signal.SIGKILL or out.strip(), "what there is is printed"


def _is_kept(record: Path, number: signal.Signals) -> None:
    """As a record; after KILL at the latest as a journal."""
    journal = record.with_name(f"{record.name}.journal")
    parts = record.with_name(f"{record.name}.parts")
    if record.exists():
        kept = json.loads(record.read_text())
        assert kept["benchmarks"]
    elif journal.exists():
        assert number == signal.SIGKILL
        assert parse_journal(journal.read_bytes(), str(journal)).samples
    else:
        assert number == signal.SIGKILL
        assert list(parts.glob("*.json"))


@pytest.mark.parametrize("number", ENDINGS[:3])
def test_a_second_signal_of_one_wish_ends_nothing_more(
    number: signal.Signals, stage: Stage
) -> None:
    """`timeout` signals a process and then its group, and a terminal that closes does too."""
    running = started(stage, Case(_COMPARE, JUDGE))
    running.reached()
    running.process.send_signal(number)
    running.process.send_signal(number)
    code, out, err = running.ended_by(number)
    assert code == 128 + number
    assert "interrupted" not in err
    assert "BM_one/8" in out
    assert (stage.work / "r.json").exists()
    assert (stage.work / "c.json").exists()


def test_a_signal_that_is_ignored_stays_ignored(stage: Stage) -> None:
    """`nohup assay ...` measures on when its terminal closes."""
    running = stage.started(_COMPARE, JUDGE, ignoring="HUP")
    running.reached()
    code, out, _ = running.ended_by(signal.SIGHUP)
    assert code == 0
    assert "BM_one/8" in out
