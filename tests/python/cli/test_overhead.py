"""assay overhead as a user runs it: measured, proven, refused, interrupted, killed."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Done, assay_command
from patience import PATIENCE_S, wait_until

from assay.measure.conditions.undo import MARK, processes_with_mark

Assay = Callable[..., Done]

SLOWED = '''
target = """cmd:test -z "$SEEN" || echo tick >> "$SEEN" """
[measure]
rounds = 14
confidence = 0.9
budget_s = 60
[[condition]]
name = "slowed"
wrap = "sh -c 'sleep 0.05; exec \\"$@\\"' sh"
setup = ['echo in >> "$PLAN/log"']
teardown = ['echo out >> "$PLAN/log"']
proof.state = "echo 1"
[[condition]]
name = "watched"
environment.SEEN = "$SCRATCH/seen"
background = "echo ready; sleep 600"
ready = "ready"
proof = { lines = "^tick", file = "$SCRATCH/seen" }
'''

# Changes a setting and leaves a process that shuns our session; says when it is in force.
STUCK = """
target = "cmd:sleep 600"
[[condition]]
name = "stuck"
settings."{folder}/setting" = "changed"
setup = ['setsid sleep 600 >/dev/null 2>&1 & echo $! > "$PLAN/stray"', 'echo rule > "$PLAN/rule"']
background = "echo ready; exec sleep 600"
ready = "ready"
wrap = "sh -c 'touch {folder}/in_force; exec \\"$@\\"' sh"
teardown = ['rm -f "$PLAN/rule"']
proof.state = "echo 1"
"""


@dataclass
class Place:
    """A folder with a plan, and a state folder of its own."""

    folder: Path

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def undo(self) -> Path:
        return self.state / "assay" / "undo"

    def plan(self, text: str) -> Path:
        path = self.folder / "plan.toml"
        path.write_text(text)
        return path

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "XDG_STATE_HOME": str(self.state),
            "TMPDIR": str(self.folder / "temp"),
        }

    def start(self, *arguments: object) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*assay_command(), "overhead", *map(str, arguments)],
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def assay(self, *arguments: object) -> Done:
        done = subprocess.run(
            [*assay_command(), *map(str, arguments)],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def overhead(self, text: str, *arguments: object) -> Done:
        return self.assay("overhead", self.plan(text), *arguments)

    def nothing_left(self) -> bool:
        return not self.undo.exists() and list((self.folder / "temp").iterdir()) == []


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "temp").mkdir()
    return Place(tmp_path)


def test_conditions_are_measured_proven_compared_and_kept(place: Place) -> None:
    record, page = place.folder / "record.json", place.folder / "page.html"
    done = place.overhead(SLOWED, "-o", record, "--html", page, "-q")
    assert done.code == 0, done.err
    assert done.err == ""
    assert "90 % intervals" in done.out
    assert "watched against slowed" in done.out
    assert "Holm over 3 comparisons" in done.out
    document = json.loads(record.read_text())
    facts = document["context"]["assay"]
    slowed = next(one for one in facts["comparisons"] if one["condition"] == "slowed")
    assert slowed["reference"] == "undisturbed"
    assert slowed["change"] > 1.0  # fifty milliseconds, of one or two
    shown = {one["name"]: one["shown"] for one in facts["conditions"]}
    assert shown["slowed"]["events"] == shown["slowed"]["visits"] == 14
    assert shown["watched"]["events"] == 14
    rows = [row["assay"] for row in document["benchmarks"]]
    assert len(rows) == 42
    assert {row["condition"] for row in rows} == {"undisturbed", "slowed", "watched"}
    orders = {tuple(r["condition"] for r in rows if r["round"] == n) for n in range(14)}
    assert len(orders) > 2  # drawn anew in each round
    drawn = page.read_text()
    assert "under slowed and watched, against undisturbed: 14 rounds</h1>" in drawn
    assert drawn.count('<td class="number">14</td>') == 2  # the events of both proofs
    log = (place.folder / "log").read_text().split()
    assert log == ["in", "out"] * 15  # a trial and fourteen rounds
    assert place.nothing_left()


def test_a_record_is_read_by_other_verbs(place: Place) -> None:
    record, page = place.folder / "record.json", place.folder / "page.html"
    done = place.overhead(SLOWED, "-o", record, "-q", "--rounds", 2)
    assert "watched against slowed" in done.out
    assert place.assay("multiview", record, "-o", page).code == 0
    text = page.read_text()
    assert place.assay("report", record, "-o", place.folder / "report.md").code == 0
    report = (place.folder / "report.md").read_text()
    assert "watched against undisturbed" in report
    assert "watched against slowed" in report
    for column in ("record: undisturbed", "record: slowed", "record: watched"):
        assert column in text


def test_a_condition_without_events_is_rejected(place: Place) -> None:
    text = SLOWED.replace('lines = "^tick"', 'lines = "^tock"')
    done = place.overhead(text, "-q")
    assert done.code == 3
    assert done.err.startswith("error: condition 'watched': its proof counted no event")
    assert done.out == ""
    assert place.nothing_left()


def test_a_condition_that_fails_later_is_given_up_and_the_rest_goes_on(place: Place) -> None:
    text = SLOWED.replace('proof.state = "echo 1"', 'proof.state = "wc -l < $PLAN/log | grep -v 7"')
    done = place.overhead(text, "-q")
    assert done.code == 3
    assert "failed" in done.out
    assert "failed slowed: condition 'slowed': proof: `" in done.out
    watched = next(line for line in done.out.splitlines() if line.startswith("watched "))
    assert "%" in watched  # all its rounds
    assert place.nothing_left()


@pytest.mark.parametrize(
    ("changed", "to", "code", "words"),
    [
        ("name = ", "nmae = ", 2, ("unknown key `nmae`", "did you mean `name`?")),
        (
            '"""cmd:test -z "$SEEN" || echo tick >> "$SEEN" """',
            '"no/such/bench"',
            2,
            ("no/such/bench: no such file",),
        ),
        ("cmd:test", "cmd:exit 7; test", 3, ("'undisturbed'", "exited with code 7")),
        ('ready = "ready"', 'ready = "r3ady"\nready_within_s = 0.3', 3, ("not ready", "'watched'")),
        ("echo in >>", "exit 9 #", 3, ("'slowed'", "exited with code 9")),
        ('name = "slowed"', 'name = "slowed"\nneeds = ["no_such"]', 3, ("no_such, which is not",)),
    ],
)
def test_bad_plans_are_refused_and_leave_nothing(
    place: Place, changed: str, to: str, code: int, words: tuple[str, ...]
) -> None:
    assert changed in SLOWED
    done = place.overhead(SLOWED.replace(changed, to), "-q")
    assert done.code == code
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    for word in words:
        assert word in done.err
    assert place.nothing_left()


def test_a_teardown_that_fails_is_told_and_tried_again(place: Place) -> None:
    text = SLOWED.replace("echo out >>", "test -e $PLAN/fixed || exit 5; echo out >>")
    done = place.overhead(text, "-q", "--rounds", 2, "--condition", "slowed")
    assert done.code == 3
    assert done.err.startswith("error: condition 'slowed': could not be undone: undoing: `test")
    (place.folder / "fixed").touch()
    again = place.assay("--version")
    assert again.code == 0
    assert again.err.count("assay: undone, left behind by a killed run") == 1
    assert place.nothing_left()


def test_a_teardown_that_fails_later_ends_the_run_with_what_there_is(place: Place) -> None:
    fails = "test $(wc -l < $PLAN/log) -lt 11 || exit 5; echo out >>"
    done = place.overhead(SLOWED.replace("echo out >>", fails), "-q")
    assert done.code == 3
    assert ": 5 rounds, " in done.out
    assert done.out.count("could not be undone") == 1


@pytest.fixture
def stuck(place: Place) -> Iterator[tuple[Place, "subprocess.Popen[str]"]]:
    """A run in the middle of a launch, with everything changed that its condition changes."""
    (place.folder / "setting").write_text("before")
    text = STUCK.replace("{folder}", str(place.folder))
    plan = place.plan(text.replace("cmd:sleep 600", f"cmd:{place.folder}/target"))
    script = "#!/bin/sh\ntest ! -e in_force || exec sleep 600\n".replace(
        "in_force", f"{place.folder}/in_force"
    )
    (place.folder / "target").write_text(script)
    (place.folder / "target").chmod(0o755)
    process = place.start(plan, "-q")
    wait_until((place.folder / "in_force").exists)
    assert (place.folder / "setting").read_text() == "changed"
    yield place, process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _ours(place: Place) -> list[str]:
    """Processes that have the state folder of this test in their environment."""
    wanted = f"XDG_STATE_HOME={place.state}".encode()
    found = []
    for one in Path("/proc").iterdir():
        try:
            words = (one / "environ").read_bytes().split(b"\0") if one.name.isdecimal() else []
        except OSError:
            continue
        if wanted in words:
            found.append(one.name)
    return found


def _as_before(place: Place) -> bool:
    return (
        (place.folder / "setting").read_text() == "before"
        and not (place.folder / "rule").exists()
        and _ours(place) == []
        and place.nothing_left()
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_undoes_everything(
    stuck: tuple[Place, "subprocess.Popen[str]"], number: signal.Signals, code: int
) -> None:
    place, process = stuck
    process.send_signal(number)
    assert process.wait(20) == code
    assert _as_before(place)


def test_after_a_kill_the_next_command_undoes_everything(
    stuck: tuple[Place, "subprocess.Popen[str]"],
) -> None:
    place, process = stuck
    stray = (place.folder / "stray").read_text().strip()
    process.kill()
    process.wait()
    # What went through the launcher dies at once; what left our session waits for the next start.
    wait_until(lambda: _ours(place) == [stray])
    assert (place.folder / "setting").read_text() == "changed"
    done = place.assay("--version")
    assert done.code == 0
    assert done.out.startswith("assay ")
    assert "undone, left behind by a killed run: rm -f" in done.err
    assert _as_before(place)
    assert place.assay("--version").err == ""


def test_while_a_run_lives_another_command_undoes_nothing(
    stuck: tuple[Place, "subprocess.Popen[str]"],
) -> None:
    place, process = stuck
    assert place.assay("--version").err == ""
    assert (place.folder / "setting").read_text() == "changed"
    assert process.poll() is None


AUDITED = """
target = "{target}"
[[condition]]
name = "audit rule"
root = true
found.enabled = "auditctl -s | sed -n 's/^enabled //p'"
setup = ["auditctl -e 1", "auditctl -a never,exit -F path={folder}/none -F key=$RUN"]
teardown = ["auditctl -D -k $RUN", 'auditctl -e "$FOUND_enabled"']
proof.state = "auditctl -l | grep -c $RUN"
wrap = "sh -c 'touch {folder}/in_force; exec \\"$@\\"' sh"
"""


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("auditctl") is None, reason="needs root and auditctl"
)
@pytest.mark.xdist_group("audit")
def test_audit_rules_are_gone_after_a_kill_and_the_next_command(place: Place) -> None:
    def audit(*arguments: str) -> str:
        return subprocess.run(["auditctl", *arguments], capture_output=True, text=True).stdout

    def enabled() -> str:
        return next(line for line in audit("-s").splitlines() if line.startswith("enabled"))

    if "enabled" not in audit("-s"):
        pytest.skip("this kernel has no audit")
    rules, before = audit("-l"), enabled()
    target = place.folder / "target"
    target.write_text(f"#!/bin/sh\ntest ! -e {place.folder}/in_force || exec sleep 600\n")
    target.chmod(0o755)
    text = AUDITED.replace("{folder}", str(place.folder)).replace("{target}", f"cmd:{target}")
    process = place.start(place.plan(text), "-q")
    wait_until((place.folder / "in_force").exists)
    assert "key=assay_" in audit("-l")
    process.kill()
    process.wait()
    assert "key=assay_" in audit("-l")
    assert place.assay("--version").code == 0
    assert audit("-l") == rules
    assert enabled() == before
    assert place.nothing_left()


def test_ready_plans_run_without_root(place: Place, native: Callable[[str], Path]) -> None:
    """The two that need none, on the programs built here."""
    plans = Path(__file__).parents[3] / "examples" / "overhead"
    built = native("../examples/overhead_bench").resolve().parent
    for name, condition in (("seccomp", "filter of 4096"), ("file_watch", "inotify")):
        text = (plans / f"{name}.toml").read_text()
        text = text.replace("$PLAN/../../build/release/examples", str(built))
        done = place.overhead(text, "--condition", condition, "--rounds", 2, "-q")
        assert done.code == 0, done.err
        row = next(line for line in done.out.splitlines() if line.startswith(condition))
        assert int(row.replace(",", "").split()[-2]) > 0, row
    assert place.nothing_left()


def test_marks_are_told_apart_from_longer_ones(place: Place) -> None:
    """A run's mark may begin as another run's does."""
    marks = {mark: f"{place.folder}/{mark}" for mark in ("x", "x1", "ax")}
    processes = {
        mark: subprocess.Popen(["sleep", "600"], env={**os.environ, MARK: text, "LAST": text})
        for mark, text in marks.items()
    }
    try:
        for mark, process in processes.items():
            assert list(processes_with_mark(marks[mark])) == [process.pid]
        assert list(processes_with_mark(f"{place.folder}/")) == []
    finally:
        for process in processes.values():
            process.kill()
            process.wait()
    assert list(processes_with_mark(marks["x"])) == []
