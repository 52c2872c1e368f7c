"""What a run owes is written down first, undone last first, and by the next start if need be."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from patience import wait_until

from assay.errors import MeasurementError
from assay.interrupts import Interrupted, handling_signals
from assay.measure.conditions import undo_journal
from assay.measure.conditions.undo import (
    MARK,
    Command,
    EndProcesses,
    RemoveFile,
    RestoreSetting,
    carry_out_undo_step,
    processes_with_mark,
    read_setting,
)
from assay.measure.conditions.undo_journal import UndoJournal, settle_abandoned

LEAVES_BEHIND = """
import os, sys
from pathlib import Path
from assay.measure.conditions.undo import *
from assay.measure.conditions.undo_journal import UndoJournal
here = Path(sys.argv[1])
undo_journal = UndoJournal(here / "undo")
undo_journal.register(RemoveFile(str(here / "folder")))
(here / "folder").mkdir()
undo_journal.register(RestoreSetting(str(here / "setting"), "before"))
(here / "setting").write_text("changed")
undo_journal.register(Command('echo second >> "$HERE/order"', {"HERE": str(here)}))
undo_journal.register(Command('echo first >> "$HERE/order"', {"HERE": str(here)}))
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def abandoned(tmp_path: Path) -> Path:
    """What a run left that was killed with everything changed and nothing undone."""
    (tmp_path / "setting").write_text("before")
    process = _left_running(tmp_path)
    process.kill()
    process.wait()
    return tmp_path


def _left_running(here: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", LEAVES_BEHIND, str(here)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_the_next_start_undoes_what_a_killed_run_left_last_first(abandoned: Path) -> None:
    told = settle_abandoned(abandoned / "undo")
    assert len(told) == 4
    assert all(line.startswith("undone, left behind by a killed run") for line in told)
    assert told[0].endswith(f'echo first >> "{abandoned}/order"')  # could be done by hand
    assert (abandoned / "order").read_text() == "first\nsecond\n"
    assert (abandoned / "setting").read_text() == "before"
    assert not (abandoned / "folder").exists()
    assert not (abandoned / "undo").exists()  # one look at it tells the next start
    assert settle_abandoned(abandoned / "undo") == []


def test_a_run_that_lives_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "setting").write_text("before")
    process = _left_running(tmp_path)
    try:
        assert settle_abandoned(tmp_path / "undo") == []
        assert (tmp_path / "setting").read_text() == "changed"
    finally:
        process.kill()
        process.wait()
    assert len(settle_abandoned(tmp_path / "undo")) == 4


def test_after_a_boot_only_folders_are_left_to_remove(
    abandoned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo_journal, "boot_id", lambda: "another")
    (told,) = settle_abandoned(abandoned / "undo")
    assert "rm -r" in told
    assert not (abandoned / "order").exists()


@pytest.mark.parametrize("mode", [0o602, 0o620])
def test_a_file_that_others_can_write_is_not_believed(abandoned: Path, mode: int) -> None:
    (file,) = (abandoned / "undo").iterdir()
    file.chmod(mode)
    assert settle_abandoned(abandoned / "undo") == []
    assert not (abandoned / "order").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_somebody_else_is_not_believed(abandoned: Path) -> None:
    (file,) = (abandoned / "undo").iterdir()
    os.chown(file, 12345, 12345)
    assert settle_abandoned(abandoned / "undo") == []
    assert not (abandoned / "order").exists()


def test_a_damaged_line_costs_only_itself(abandoned: Path) -> None:
    (file,) = (abandoned / "undo").iterdir()
    lines = file.read_bytes().split(b"\n")
    lines[1] = b"{rubbish"
    file.write_bytes(b"\n".join(lines))
    assert len(settle_abandoned(abandoned / "undo")) == 3


def test_settling_goes_back_to_the_mark_and_leaving_settles_the_rest(tmp_path: Path) -> None:
    note = f'echo %s >> "{tmp_path}/order"'
    with UndoJournal(tmp_path / "undo") as undo_journal:
        undo_journal.register(Command(note % "outer"))
        mark = undo_journal.number_of_steps()
        undo_journal.register(Command(note % "inner"))
        undo_journal.roll_back(mark)
        assert (tmp_path / "order").read_text() == "inner\n"
    assert (tmp_path / "order").read_text() == "inner\nouter\n"
    assert not (tmp_path / "undo").exists()


def test_what_cannot_be_undone_is_told_and_tried_again_by_the_next_start(tmp_path: Path) -> None:
    command = Command(f'test -e "{tmp_path}/now" || {{ echo no luck >&2; exit 3; }}')
    with UndoJournal(tmp_path / "undo") as undo_journal:
        undo_journal.register(command)
    (said,) = undo_journal.failed
    assert "exited with code 3" in said
    assert "no luck" in said
    (tmp_path / "now").touch()
    (told,) = settle_abandoned(tmp_path / "undo")
    assert told.startswith("undone")


def test_a_signal_waits_until_everything_is_undone(tmp_path: Path) -> None:
    with handling_signals():
        undo_journal = UndoJournal(tmp_path / "undo")
        undo_journal.register(Command(f'touch "{tmp_path}/second"'))
        undo_journal.register(Command(f"kill -TERM {os.getpid()}"))
        # Another thread takes the signal, as NumPy's do: Python still handles it in this one.
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        with pytest.raises(Interrupted):
            undo_journal.roll_back()
    assert (tmp_path / "second").exists()
    undo_journal.__exit__(None, None, None)


def test_a_journal_that_cannot_be_written_refuses_the_run(tmp_path: Path) -> None:
    (tmp_path / "undo").write_text("a file, no folder")
    with pytest.raises(MeasurementError, match="cannot be written"):
        UndoJournal(tmp_path / "undo")


def test_processes_are_ended_by_their_mark_and_by_nothing_else() -> None:
    ours = _sleeper({MARK: "ours-1"}, "setsid sleep 600 & wait")
    theirs = _sleeper({MARK: "ours-10"}, "exec sleep 600")
    try:
        # There are two: the shell, and what left its session.
        wait_until(lambda: len(list(processes_with_mark("ours-1"))) == 2)
        carry_out_undo_step(EndProcesses("ours-1"))
        assert ours.wait(5) == -signal.SIGKILL
        assert list(processes_with_mark("ours-1")) == []
        assert theirs.poll() is None
    finally:
        theirs.kill()
        theirs.wait()


def _sleeper(environment: dict[str, str], line: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(["/bin/sh", "-c", line], env={**os.environ, **environment})


def test_of_a_choice_the_chosen_word_is_what_was_set(tmp_path: Path) -> None:
    (tmp_path / "enabled").write_text("always [madvise] never\n")
    assert read_setting(tmp_path / "enabled") == "madvise"
    (tmp_path / "plain").write_text("4096\n")
    assert read_setting(tmp_path / "plain") == "4096"
    with pytest.raises(MeasurementError, match="cannot be read"):
        read_setting(tmp_path / "none")


def test_steps_are_read_as_they_were_written() -> None:
    steps = (Command("a", {"B": "c"}), RestoreSetting("p", "x"), EndProcesses("m"), RemoveFile("f"))
    for step in steps:
        kind = Command | RestoreSetting | EndProcesses | RemoveFile
        assert msgspec.json.decode(msgspec.json.encode(step), type=kind) == step
