"""A condition is brought about, proven, and put back: also when something on the way fails."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.errors import MeasurementError
from assay.measure.conditions.condition import (
    Condition,
    Workspace,
    in_force,
    missing_requirement,
    with_variables_filled_in,
)
from assay.measure.conditions.proof import EventCount, Proof
from assay.measure.conditions.undo import run_line
from assay.measure.conditions.undo_journal import UndoJournal

TICKER = "sh -c 'while true; do echo tick; echo lost 2; sleep 0.01; done'"


@pytest.fixture
def undo_journal(tmp_path: Path) -> Iterator[UndoJournal]:
    with UndoJournal(tmp_path / "undo") as journal:
        yield journal


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(f"assay_test_{os.getpid()}", tmp_path, tmp_path / "scratch")


def test_everything_is_there_inside_and_gone_outside(
    tmp_path: Path, workspace: Workspace, undo_journal: UndoJournal
) -> None:
    setting = tmp_path / "setting"
    setting.write_text("always [never]")
    condition = Condition(
        name="all of it",
        found={"mine": f"cat {setting}"},
        settings={str(setting): "always"},
        setup=('echo "$RUN $PLAN" > "$SCRATCH/made"',),
        teardown=(f'echo "$FOUND_mine" > {tmp_path}/back', f"echo second >> {tmp_path}/back"),
        environment={"PLACE": "$SCRATCH/made"},
        wrap="env IN=$RUN",
    )
    with in_force(condition, workspace, undo_journal) as here:
        made = Path(here.environment["PLACE"])
        assert made.read_text() == f"assay_test_{os.getpid()} {tmp_path}\n"
        assert here.wrap == ("env", f"IN=assay_test_{os.getpid()}")
        assert setting.read_text() == "always"
        assert "SCRATCH" not in here.environment  # its length would shift the target's stack
    assert not made.parent.exists()
    assert setting.read_text() == "never"
    assert (tmp_path / "back").read_text() == "always [never]\nsecond\n"


def test_a_setup_that_fails_is_named_and_undone(
    tmp_path: Path, workspace: Workspace, undo_journal: UndoJournal
) -> None:
    condition = Condition(
        name="half",
        setup=(f"touch {tmp_path}/one", "echo cannot >&2; exit 4"),
        teardown=(f"rm {tmp_path}/one",),
    )
    with pytest.raises(MeasurementError) as failed, in_force(condition, workspace, undo_journal):
        pass
    assert "condition 'half': setup: `echo cannot" in failed.value.message
    assert 'exited with code 4 (it said: "cannot")' in failed.value.message
    assert not (tmp_path / "one").exists()
    assert list(workspace.scratch.iterdir()) == []


def test_a_setup_that_leaves_a_process_running_leaves_none(
    workspace: Workspace, undo_journal: UndoJournal
) -> None:
    line = "sleep 300 >/dev/null 2>&1 & echo $! > $SCRATCH/pid"
    with in_force(Condition(name="daemon", setup=(line,)), workspace, undo_journal):
        pid = int((workspace.scratch / "daemon" / "pid").read_text())
        assert Path(f"/proc/{pid}").exists()
    assert not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text()


def test_a_background_program_is_ready_counted_and_ended(
    workspace: Workspace, undo_journal: UndoJournal
) -> None:
    condition = Condition(
        name="ticker",
        background=TICKER,
        ready="^tick",
        proof=Proof(lines="^tick", lost=r"^lost (\d+)"),
    )
    with in_force(condition, workspace, undo_journal) as here:
        here.begin()
        run_line("sleep 0.1", {}, what="waiting")
        counted = here.count()
        assert here.background is not None
    assert counted is not None
    assert counted.events > 3
    assert counted.lost is not None
    assert abs(counted.lost - 2 * counted.events) <= 2
    assert not here.background.alive()


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (
            Condition(name="mute", background="sleep 60", ready="hello", ready_within_s=0.2),
            ("not ready within 0.2 s", "'hello'", "it said nothing"),
        ),
        (
            Condition(name="dead", background="sh -c 'echo bad luck; exit 1'", ready="hello"),
            ("ended by itself", "bad luck"),
        ),
        (Condition(name="none", background="no_such_program_1 x", ready="x"), ("ended by itself",)),
        (Condition(name="file", settings={"/no/such/setting": "1"}), ("cannot be read",)),
        (Condition(name="look", found={"it": "exit 1"}), ("looking: `exit 1`",)),
    ],
)
def test_what_cannot_be_had_is_told_with_its_name(
    workspace: Workspace, undo_journal: UndoJournal, condition: Condition, words: tuple[str, ...]
) -> None:
    with pytest.raises(MeasurementError) as failed, in_force(condition, workspace, undo_journal):
        pass
    for word in words:
        assert word in failed.value.message
    assert list(workspace.scratch.iterdir()) == []


def test_a_background_program_that_dies_while_measuring_is_noticed(
    workspace: Workspace, undo_journal: UndoJournal
) -> None:
    condition = Condition(name="brief", background="sh -c 'echo ready; sleep 0.1'", ready="ready")
    with in_force(condition, workspace, undo_journal) as here:
        run_line("sleep 0.4", {}, what="waiting")
        with pytest.raises(MeasurementError, match="ended by itself"):
            here.count()


@pytest.mark.parametrize(
    ("proof", "expected"),
    [
        (Proof(counter="cat $PLAN/number"), EventCount(3)),
        (Proof(state='test "$IN" = there && echo 7'), EventCount(7)),
        (Proof(lines="one", file="$PLAN/log"), EventCount(2)),
        (Proof(lines="nothing"), EventCount(0)),
        (Proof(lines=r"^sum (\d+)", file="$PLAN/log"), EventCount(11)),
        (Proof(state="echo 1", lost_counter="cat $PLAN/number"), EventCount(1, 3)),
    ],
)
def test_proofs_count(
    tmp_path: Path,
    workspace: Workspace,
    undo_journal: UndoJournal,
    proof: Proof,
    expected: EventCount,
) -> None:
    (tmp_path / "number").write_text("4\n")
    (tmp_path / "log").write_text("one\n")
    condition = Condition(name="proven", wrap="env IN=there", proof=proof)
    with in_force(condition, workspace, undo_journal) as here:
        here.begin()
        (tmp_path / "number").write_text("7\n")
        (tmp_path / "log").write_text("one\ntwo one\nsum 4\nsum 7\nthree one\n")
        assert here.count() == expected


def test_a_proof_that_prints_no_number_is_told(
    workspace: Workspace, undo_journal: UndoJournal
) -> None:
    condition = Condition(name="words", proof=Proof(counter="echo many"))
    with (
        pytest.raises(MeasurementError, match="printed 'many', no number"),
        in_force(condition, workspace, undo_journal) as here,
    ):
        here.begin()


def test_what_is_missing_is_said_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_requirement(Condition(name="a", needs=("no_such_program_1", "sh"))) == (
        "needs no_such_program_1, which is not installed"
    )
    assert "no_such_wrap_1" in missing_requirement(Condition(name="a", wrap="no_such_wrap_1 -x"))
    assert missing_requirement(Condition(name="a", needs=("sh",), wrap="env A=$RUN")) == ""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert missing_requirement(Condition(name="a", root=True)) == "needs root"


def test_variables_are_filled_in_and_strangers_stay() -> None:
    assert (
        with_variables_filled_in("$SCRATCH/${RUN}.log $HOME", {"SCRATCH": "/s", "RUN": "r"})
        == "/s/r.log $HOME"
    )
