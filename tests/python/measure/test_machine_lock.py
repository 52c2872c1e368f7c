"""Only one process measures on a machine: it waits for another, says so, and for no dead one."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from other_users import NOBODY, why_not
from patience import wait_until

from assay.errors import MeasurementError
from assay.measure.machine_lock import FOLDER, VARIABLE, measuring_alone

# Measures until its standard input ends, and then whatever it is told to run meanwhile.
MEASURES = """
import subprocess, sys
from assay.measure.machine_lock import measuring_alone
def tell(text): print(text, flush=True)
with measuring_alone(tell):
    print("measuring", flush=True)
    if sys.argv[1:]:
        subprocess.run([sys.executable, "-c", sys.argv[1]], check=True)
    sys.stdin.read()
"""
ONCE = """
from assay.measure.machine_lock import measuring_alone
with measuring_alone(lambda text: print(text, flush=True)):
    print("measured inside", flush=True)
"""


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine that nobody else measures on, and that all users may."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv(VARIABLE, folder)
        yield Path(folder)


@contextmanager
def started(
    *more: str, prefix: tuple[str, ...] = ()
) -> Iterator[tuple["subprocess.Popen[str]", Callable[[], str]]]:
    """A process that wants to measure, and its next line."""
    words = [*prefix, sys.executable, "-c", MEASURES, *more]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield process, lambda line=process.stdout: line.readline().strip()  # type: ignore[misc]
    finally:
        process.kill()
        process.communicate()


def test_one_waits_for_the_other_and_says_for_whom(machine: Path) -> None:
    with started() as (first, said), started() as (_, said_too):
        lines = {said(), said_too()}
        assert "measuring" in lines
        (waits,) = lines - {"measuring"}
        assert waits.startswith("waiting for process ")
        assert "measure" in waits
        holder, other = (first, said_too) if f"process {first.pid} " in waits else (_, said)
        holder.communicate("")
        assert other() == "measuring"
    assert not list(machine.iterdir())  # nothing was made to be locked


def test_nobody_waits_for_a_killed_one(machine: Path) -> None:
    with started() as (first, said), started() as (second, said_too):
        lines = [said(), said_too()]
        holder = first if lines[0] == "measuring" else second
        holder.send_signal(signal.SIGKILL)
        assert (said_too if holder is first else said)() == "measuring"


def test_who_will_not_wait_is_told_who_measures(machine: Path) -> None:
    with started() as (process, said):
        assert said() == "measuring"
        with (
            pytest.raises(MeasurementError, match=f"process {process.pid} "),
            measuring_alone(pytest.fail, waits=False),
        ):
            pytest.fail("two measure at once")
        process.communicate("")
        with measuring_alone(pytest.fail, waits=False):
            pass


def test_what_a_measurement_starts_is_part_of_it(machine: Path) -> None:
    with started(ONCE) as (_, said):
        assert said() == "measuring"
        assert said() == "measured inside"


def test_another_machine_is_not_waited_for(
    machine: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started() as (_, said):
        assert said() == "measuring"
        monkeypatch.setenv(VARIABLE, str(tmp_path_factory.mktemp("other")))
        with measuring_alone(pytest.fail, waits=False):
            pass


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_users_wait_for_each_other(machine: Path) -> None:
    with started(prefix=NOBODY) as (process, said):
        assert said() == "measuring"
        with (
            pytest.raises(MeasurementError, match=f"process {process.pid} "),
            measuring_alone(pytest.fail, waits=False),
        ):
            pytest.fail("two measure at once")
    with started() as (_, said), started(prefix=NOBODY) as (other, said_too):
        lines = [said(), said_too()]
        wait_until(lambda: other.poll() is None)
        assert sorted(line.split()[0] for line in lines) == ["measuring", "waiting"]


def test_a_folder_that_is_not_there_is_named(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(machine / "missing"))
    with pytest.raises(MeasurementError, match=VARIABLE), measuring_alone(pytest.fail):
        pytest.fail("nothing was locked")


def test_only_root_can_put_something_else_in_its_place() -> None:
    assert not Path(FOLDER).stat().st_mode & 0o022
