"""A program whose shared libraries are not here is told apart from one that fails."""

import subprocess
from pathlib import Path

import pytest
from conftest import ScriptedExecutor, finished

from assay.errors import MeasurementError
from assay.measure.executor import FinishedProcess, Launch, ProcessExecutor, find_launcher
from assay.measure.targets.gbench import GBenchTarget
from assay.record.reader import parse


def made(folder: Path, *libraries: str) -> str:
    """A program that needs libraries, each of which is then removed."""
    (folder / "main.c").write_text("int main(void) { return 0; }\n")
    command = ["cc", str(folder / "main.c"), "-o", str(folder / "bench"), "-Wl,--no-as-needed"]
    for name in libraries:
        path = folder / name
        make = ["cc", "-shared", "-x", "c", "/dev/null", "-o", str(path), f"-Wl,-soname,{name}"]
        subprocess.run(make, check=True)
        command.append(str(path))
    subprocess.run(command, check=True)
    for name in libraries:
        (folder / name).unlink()
    return str(folder / "bench")


def listed(program: str) -> tuple[str, ...]:
    executor = ProcessExecutor(find_launcher())
    return GBenchTarget((program,), "bench", executor, parse, 60.0).benchmarks("")


def test_all_that_is_missing_is_named_at_once(tmp_path: Path) -> None:
    program = made(tmp_path, "libfirst.so.1", "libsecond.so.2")
    with pytest.raises(MeasurementError) as caught:
        listed(program)
    assert caught.value.message == (
        "bench: cannot start without libfirst.so.1 and libsecond.so.2; "
        "install what has them, or set LD_LIBRARY_PATH to the folder"
    )


def test_one_is_one(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match=r"without libfirst\.so\.1; install what has it,"):
        listed(made(tmp_path, "libfirst.so.1"))


def test_a_program_that_fails_is_not_asked_again() -> None:
    """Of one that started, the variable of the loader might be read by itself."""
    asked: list[Launch] = []

    def answer(launch: Launch) -> FinishedProcess:
        asked.append(launch)
        return finished(exit_code=127, stderr_tail="libfirst.so.1: cannot open shared object file")

    target = GBenchTarget(("/bench",), "bench", ScriptedExecutor(answer), parse, 5.0)
    with pytest.raises(MeasurementError, match="is it a Google Benchmark executable"):
        target.benchmarks("")
    assert len(asked) == 1
