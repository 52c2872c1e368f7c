"""What the durability check writes is a record like any other."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from conftest import NATIVE, Done

from assay.record.reader import read

Assay = Callable[..., Done]
CRASH = NATIVE / "libexec" / "assay" / "assay-crash"
HONEST = NATIVE / "tests" / "plugins" / "honest_log.so"


def checked(out: Path) -> Path:
    """A check of three kills of a store that keeps its promise."""
    command = [CRASH, HONEST, "--kills", "3", "--work_ms", "20", "--json", out]
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    return out


def test_a_sample_for_every_kill_and_the_counts(tmp_path: Path) -> None:
    record = read(checked(tmp_path / "crash.json"))
    (sample,) = record.samples
    assert sample.benchmark == "crash/honest_log/reopen"
    assert len(sample.values["real_time"]) == 3
    assert sample.values["lost"] == (0.0,)
    assert sample.values["acknowledged"][0] >= 3 * 200
    assert not record.failures


def test_two_checks_are_compared(assay: Assay, tmp_path: Path) -> None:
    old, new = checked(tmp_path / "old.json"), checked(tmp_path / "new.json")
    done = assay("compare", old, new)
    assert done.code == 0, done.err
    assert "crash/honest_log/reopen" in done.out
