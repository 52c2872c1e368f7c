"""Results are shown before any file is written: in every verb, on a disk that is full."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done

from assay.cli.common.exit_codes import DONE, NOT_MEASURED
from assay.cli.common.outcome import exit_code, show_then_keep
from assay.defaults import MARGIN as MARGIN_FRACTION
from assay.errors import InputError
from assay.measure.executor import find_launcher
from assay.show.words.format import percent

Assay = Callable[..., Done]
FULL = "/dev/full"
MARGIN = f"margin {percent(MARGIN_FRACTION)}"  # as every comparison says it
NO_ROOM = f"error: {FULL}: cannot be written: No space left on device; choose another place\n"
SUITE = """#!{python}
import json, sys
flags = dict(word.split("=", 1) for word in sys.argv[1:])
if "--benchmark_list_tests" in flags:
    print("BM_f<One>/8\\nBM_f<Other>/8")
    sys.exit()
name = flags["--benchmark_filter"].strip("^$").replace("\\\\", "")
row = {{"name": name, "run_name": name, "run_type": "iteration", "iterations": 10,
       "real_time": 1.5, "cpu_time": 1.25, "time_unit": "us"}}
open(flags["--benchmark_out"], "w").write(json.dumps({{"context": {{}}, "benchmarks": [row]}}))
"""
INDEX = """#!{python}
import json, sys
said = dict(zip(sys.argv, sys.argv[1:]))
row = {{"name": said["--label"] + "/all", "run_type": "iteration", "iterations": 10, "threads": 1,
       "real_time": 1.5, "cpu_time": 1.5, "time_unit": "us", "items_per_second": 4e6}}
document = {{"context": {{"assay": {{"schema": 1}}}}, "benchmarks": [row]}}
open(said["--json"], "w").write(json.dumps(document))
"""
SWEEP = 'plugins = ["p"]\nthreads = [1]\nrounds = 1\nmixes = { reads = { read = 1.0 } }\n'
OVERHEAD = """
target = "cmd:true"
[measure]
rounds = 2
[[condition]]
name = "wrapped"
wrap = "env"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to measure in: the launcher, a suite and an index lab that only pretend."""
    assert Path(FULL).is_char_device()
    libexec = tmp_path / "libexec"
    (libexec / "suites" / "restore").mkdir(parents=True)
    (libexec / "assay-launch").symlink_to(find_launcher())
    for path, text in (
        (libexec / "suites" / "restore" / "toy", SUITE),
        (libexec / "assay-index", INDEX),
    ):
        path.write_text(text.format(python=sys.executable))
        path.chmod(0o755)
    (tmp_path / "overhead.toml").write_text(OVERHEAD)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    monkeypatch.setenv("ASSAY_LIBEXEC", str(libexec))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("compare cmd:true cmd:true --rounds 2 --json", MARGIN),
        ("compare cmd:true cmd:true --rounds 2 --markdown", MARGIN),
        ("compare cmd:true cmd:true --rounds 2 --junit", MARGIN),
        ("compare cmd:true cmd:true --rounds 2 --html", MARGIN),
        ("compare cmd:true cmd:true --rounds 2 --format gbench --json", "OVERALL_GEOMEAN"),
        ("run cmd:true --rounds 1 --html", "median of launches"),
        ("overhead overhead.toml --html", "wrapped"),
        ("suite restore --json", "BM_f<One>/8"),
        ("suite restore --html", "BM_f<One>/8"),
        ("index --sweep sweep.toml --html", "4M"),
    ],
)
def test_a_full_disk_hides_no_result(assay: Assay, place: Path, words: str, shown: str) -> None:
    done = assay(*words.split(), FULL, "--quiet", cwd=place)
    assert (done.code, done.err) == (2, NO_ROOM)
    assert shown.lower() in done.out.lower()
    assert Path(FULL).is_char_device(), "the device was replaced by a file"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("compare cmd:true cmd:true --rounds 2", MARGIN),
        ("run cmd:true --rounds 1", "median of launches"),
        ("overhead overhead.toml", "wrapped"),
        ("suite restore", "BM_f<One>/8"),
    ],
)
def test_a_record_that_cannot_be_written_is_kept_as_a_journal(
    assay: Assay, place: Path, words: str, shown: str
) -> None:
    (place / "r.json").symlink_to(FULL)
    done = assay(*words.split(), "-o", "r.json", "--quiet", cwd=place)
    why = "r.json: cannot be written: No space left on device"
    assert (done.code, done.err) == (2, f"error: {why}; the results are kept in r.json.journal\n")
    assert shown in done.out
    assert "record: r.json.journal" in done.out
    files = ("r.json.journal",) if "compare" in words else ("r.json.journal", "r.json.journal")
    assert assay("compare", *files, cwd=place).code == 0, "the journal cannot be read"


def test_a_sweep_that_cannot_be_written_keeps_its_parts(assay: Assay, place: Path) -> None:
    (place / "s.json").symlink_to(FULL)
    done = assay("index", "--sweep", "sweep.toml", "-o", "s.json", "--quiet", cwd=place)
    assert done.code == 2
    assert "4M" in done.out
    assert len(list((place / "s.json.parts").iterdir())) == 1


def test_a_floor_that_cannot_be_kept_is_shown(assay: Assay, place: Path) -> None:
    (place / "cache").write_text("not a folder")
    done = assay("floor", "cmd:true", "--rounds", 12, "--quiet", cwd=place)
    assert "cannot be told from noise after" in done.out
    assert done.code == 2
    assert done.err.startswith(f"error: {place}/cache/assay/floors: cannot be made: ")


def test_every_file_is_tried(assay: Assay, place: Path) -> None:
    words = ("run", "cmd:true", "--rounds", 1, "--quiet", "-o", place / "no.json")
    (place / "no.json").symlink_to(FULL)
    done = assay(*words, "--html", "page.html", cwd=place)
    assert done.code == 2
    assert (place / "page.html").stat().st_size > 100_000


def test_a_full_standard_output_is_told_and_the_files_are_written(
    assay: Assay, place: Path
) -> None:
    command = ("run", "cmd:true", "--rounds", 1, "--quiet", "-o", "r.json")
    script = 'exec "$0" "$@" > /dev/full'
    code, err = _in_shell(script, place, *map(str, command))
    assert (code, err) == (
        2, "error: standard output: cannot be written: No space left on device\n"
    )  # fmt: skip
    assert (place / "r.json").stat().st_size > 100


@pytest.mark.parametrize("rounds", ["0", "-1"])
@pytest.mark.parametrize(
    "words", ["overhead overhead.toml", "floor cmd:true", "run cmd:true", "compare cmd:a cmd:b"]
)
def test_no_rounds_at_all_are_refused(assay: Assay, place: Path, words: str, rounds: str) -> None:
    done = assay(*words.split(), "--rounds", rounds, "--quiet", cwd=place)
    assert (done.code, done.err) == (2, f"error: --rounds {rounds}: must be 1 or more\n")
    assert not done.out


@pytest.mark.parametrize(
    ("interrupted_by", "failed", "code"),
    [
        (None, False, DONE),
        (None, True, NOT_MEASURED),
        (signal.SIGINT, False, 130),
        (signal.SIGTERM, True, 143),
    ],
)
def test_a_signal_counts_more_than_failures(
    interrupted_by: int | None, failed: bool, code: int
) -> None:
    assert exit_code(interrupted_by, failed=failed) == code


# ---- finish, by itself ------------------------------------------------------------------


def test_the_order_is_show_then_keep(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[str] = []
    show_then_keep(lambda: print("shown"), lambda: seen.append(capsys.readouterr().out))
    assert seen == ["shown\n"]


def test_all_that_went_wrong_is_told() -> None:
    def fails(where: str) -> None:
        raise InputError("cannot be written", where=where)

    done: list[str] = []
    with pytest.raises(InputError, match=r"^a: cannot be written; b: cannot be written$"):
        show_then_keep(
            lambda: None, lambda: fails("a"), lambda: done.append("x"), lambda: fails("b")
        )
    assert done == ["x"]


def test_a_closed_pipe_stops_no_file() -> None:
    def closed() -> None:
        raise BrokenPipeError

    done: list[str] = []
    with pytest.raises(BrokenPipeError):
        show_then_keep(closed, lambda: done.append("x"))
    assert done == ["x"]


def _in_shell(script: str, folder: Path, *words: str) -> tuple[int, str]:
    import subprocess

    from conftest import assay_command

    command = ["sh", "-c", script, *assay_command(), *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=os.environ)
    return done.returncode, done.stderr
