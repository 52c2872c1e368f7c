"""assay os, for real: a command line of libMicro's, its layout, and nothing left behind."""

import fcntl
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import DATA
from patience import PATIENCE_S

from assay import cli
from assay.history import Lab
from assay.judge.labs.os_times import FEWEST_LAUNCHES, MOST_LAUNCHES, os_times
from assay.record.reader import parse, read
from assay.record.store.folder import Folder
from assay.workflows.store import catalogue_of

ROW = re.compile(r"^(\S+)\s+(\d+)\s+(\d+)\s+(\d+\.\d{5})\s+(\d+)(\s.*)?$")
FIGURE = re.compile(r"^#\s+([a-z0-9%, ]+?)\s+(-?\d+(?:\.\d+)?)$")
BUCKET = re.compile(r"^#\s+(\d+)\s+(> 95%|\d+\.\d{5}) \|([* ]{32})\s*(-|\d+\.\d{5})$")


@pytest.fixture(autouse=True)
def lab(monkeypatch: pytest.MonkeyPatch, native: Callable[[str], Path]) -> Iterator[Path]:
    """The programs of the build tree; one test at a time, over all workers of pytest.

    They look for leftovers of the lab on the whole machine.
    """
    program = native("assay-os")
    monkeypatch.setenv("ASSAY_LIBEXEC", str(program.parent))
    with (program.parent / "os_lab.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield program


def parsed(text: str) -> dict[str, object]:
    """What a reader of libMicro's files finds: facts, rows, figures, buckets."""
    facts, rows, figures, buckets = {}, [], {}, 0
    for line in text.splitlines():
        if line.startswith("!"):
            key, value = line[1:].split("\t", 1)
            facts[key.strip()] = value
        elif BUCKET.match(line):
            buckets += int(BUCKET.match(line)[1])  # type: ignore[index]
        elif found := FIGURE.match(line):
            figures[found[1]] = float(found[2])
        elif found := ROW.match(line):
            rows.append((found[1], int(found[2]), int(found[3]), float(found[4]), int(found[5])))
    return {"facts": facts, "rows": rows, "figures": figures, "buckets": buckets}


LIBMICROS = ("min", "max", "range", "95%", "99%", "mean", "median", "stddev")


def test_parser_reads_libmicros_own() -> None:
    paths = sorted((DATA / "libmicro").glob("*.out"))
    assert len(paths) == 15
    for path in paths:
        found = parsed(path.read_text())
        assert found["rows"][0][0] == "exec"  # type: ignore[index]
        assert found["buckets"] == 10000
        assert set(LIBMICROS) <= set(found["figures"])  # type: ignore[call-overload]


def test_a_command_line_of_libmicros(capsys: pytest.CaptureFixture[str]) -> None:
    words = "os exec -E -C 60 -D 10 -L -S -N exec --report libmicro"
    assert cli.invoke(words.split()) == 0
    out, err = capsys.readouterr()
    assert re.match(r"Running: +exec for +\d+\.\d{5} seconds\n", err)
    assert out.startswith("# assay os exec -E -C 60 -D 10 -L -S -N exec \n")
    found = parsed(out)
    ((name, processes, threads, each_us, samples),) = found["rows"]  # type: ignore[misc]
    assert (name, processes, threads, samples) == ("exec", 1, 1, 60)  # type: ignore[has-type]
    assert each_us > 10  # type: ignore[has-type]  # a fork and an exec are no nop
    assert found["buckets"] == 60
    assert set(LIBMICROS) <= set(found["figures"])  # type: ignore[call-overload]


def test_table_and_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "r.json"
    assert cli.invoke(["os", "nop", "strlen_10", "-C", "12", "-T", "2", "--json", str(kept)]) == 0
    out = capsys.readouterr().out
    assert "nop" in out
    assert "strlen_10" in out
    rows = json.loads(kept.read_text())["benchmarks"]
    assert {row["name"] for row in rows} == {"strlen_10"}, "the last one's record"
    assert len(rows) == 6
    assert all(len(row["assay"]["samples"]["real_time"]) == 4 for row in rows)
    assert all(row["real_time"] > 0 for row in rows)


def test_without_effort_asked_for_there_are_launches_enough_for_an_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """How long it goes on: workflows/os_lab/test_case.py, which needs no time."""
    kept = tmp_path / "r.json"
    assert cli.invoke(["os", "nop", "-L", "--report=libmicro", "--json", str(kept)]) == 0
    (nop,) = os_times(read(kept).samples)
    assert 6 <= nop.launches <= MOST_LAUNCHES
    assert 0 < nop.low <= nop.typical <= nop.high
    text = capsys.readouterr().out
    assert text.startswith("# assay os nop -L \n"), "as asked for, not as each launch was told"
    ((name, _, _, _, samples),) = parsed(text)["rows"]  # type: ignore[misc]
    assert (name, samples) == ("nop", nop.samples)  # type: ignore[has-type]


def test_report_none_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.invoke(["os", "getpid", "-E", "-C", "6", "--report", "none"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"Running: +getpid for +\d+\.\d{5} seconds\n", err)


def test_operands_after_two_dashes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.invoke(["os", "chdir", "-C", "6", "--json", "-", "--", "/", "/tmp"]) == 0
    (chdir,) = {row["label"] for row in json.loads(capsys.readouterr().out)["benchmarks"]}
    assert chdir == "chdir -C 6 -- / /tmp"


def test_command_lines_are_understood_as_the_golden_files_have_it(lab: Path) -> None:
    """What judges and shows has them from `tests/data/os`; here is the program's own answer."""
    golden = json.loads((DATA / "os" / "commands.json").read_text())
    lines = json.dumps([line["words"] for line in golden])
    command = [str(lab), "parse", "-"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [line["command"] for line in golden]


def test_parse_says_what_is_wrong(lab: Path) -> None:
    command = [str(lab), "parse", "-"]
    lines = '[["nop"], ["strlen", "-q"]]'
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: strlen -q: no such option (see assay os list strlen)\n"


def test_record_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.invoke(["os", "getpid", "-C", "6", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["benchmarks"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("os", "what shall be measured"),
        ("os strlne", "strlne: no such case or run"),
        ("os strlen --bogus", "strlen --bogus: no such option"),
        ("os strlen -s x", "-s x: not a number"),
        ("os list --all", "takes --runs"),
        ("os list nothing", "nothing: no such case"),
        ("os all --filter none_of_them", "no run of that name"),
        ("os all --budget soon", "not a time"),
        ("os all --what", "no such option; try `assay os all --help`"),
        ("os all --report html", "invalid choice"),
        ("os all --filter (", "--filter"),
        ("os nop --dir /nowhere", "/nowhere"),
        ("os nop --json", "needs a file"),
        ("os nop --report html", "--report html: no such report (there are libmicro and none)"),
        ("os nop --report", "--report: needs a value"),
        ("os nop --report=", "--report: needs a value"),
        ("os nop -C", "-C: needs a value"),
    ],
)
def test_bad_input(words: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.invoke(words.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert complaint in err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.invoke(["os", "list"]) == 0
    assert "cascade_mutex" in capsys.readouterr().out
    assert cli.invoke(["os", "list", "--runs"]) == 0
    runs = capsys.readouterr().out.splitlines()
    assert len(runs) > 261
    assert cli.invoke(["os", "list", "strlen"]) == 0
    assert "-s, --size N" in capsys.readouterr().out


def test_all_of_a_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "os.json"
    words = ["os", "all", "--filter", "^(getpid|strlen_1.*)$", "-q", "-C", "2"]
    assert cli.invoke([*words, "-o", str(kept), "--report", "libmicro"]) == 0
    found = parsed(capsys.readouterr().out)
    assert found["facts"]["OS"] == "Linux"  # type: ignore[index]
    names = [row[0] for row in found["rows"]]  # type: ignore[attr-defined]
    assert names == ["getpid", "strlen_10", "strlen_1k"]
    rows = [row["name"] for row in json.loads(kept.read_text())["benchmarks"]]
    assert all(FEWEST_LAUNCHES <= rows.count(name) <= MOST_LAUNCHES for name in names)


def test_what_is_stored_or_imported_is_of_the_os_lab(tmp_path: Path) -> None:
    kept, root = tmp_path / "os.json", tmp_path / ".assay"
    words = ["os", "all", "--filter", "^getpid$", "-q", "-C", "2", "-o", str(kept)]
    assert cli.invoke([*words, "--store", str(root)]) == 0
    assert cli.invoke(["runs", "import", str(kept), "--store", str(root)]) == 0
    with catalogue_of(Folder.opened(root)) as catalogue:
        assert [row.lab for row in catalogue.runs()] == [Lab.OS, Lab.OS]


# ---- many workers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "cascade_mutex -T 200",
        "cascade_cond -P 200",
        "cascade_flock -P 200",
        "cascade_lockf -P 200",
        "cascade_fcntl -P 200",
    ],
)
def test_two_hundred_workers(words: str, lab: Path) -> None:
    command = [str(lab), *words.split(), "-C", "1", "--launches", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = os_times(parse(done.stdout.encode(), "standard output").samples)
    assert found.processes * found.threads == 200
    assert found.samples == 200
    assert found.typical > 0


def test_too_few_descriptors_is_said(lab: Path) -> None:
    command = f"ulimit -n 60; exec '{lab}' dup -C 6"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["benchmarks"]


# ---- nothing is left behind ------------------------------------------------------------------


def traces(folder: Path) -> set[str]:
    """Files, semaphores and processes of the lab, wherever they could be."""
    places = [folder, Path("/dev/shm"), Path("/tmp"), Path("/var/tmp")]
    files = {str(p) for place in places if place.is_dir() for p in place.glob("assay-os-*")}
    found = set(Path("/proc/sysvipc/sem").read_text().splitlines()[1:])
    for process in Path("/proc").glob("[0-9]*"):
        try:
            name = (process / "comm").read_text().strip()
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if name.startswith("assay-os") and state != "Z":
            found.add(f"{process} {name}")
    return files | found


def settled(folder: Path, before: set[str]) -> set[str]:
    """What is there beyond `before`, once the kernel had time to end what it kills."""
    for _ in range(50):
        left = traces(folder) - before
        if not any(name.startswith("/proc") for name in left):
            return left
        time.sleep(0.1)
    return left


@pytest.mark.parametrize(
    "words", ["fork -B 20", "file_lock -P 3", "cascade_flock -P 4", "close -f @tmp", "exec"]
)
def test_nothing_is_left(words: str, lab: Path, tmp_path: Path) -> None:
    before = traces(tmp_path)
    command = [str(lab), *words.split(), "-C", "12", "--dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    assert settled(tmp_path, before) == set()


def test_every_run_of_the_catalogue_once(lab: Path, tmp_path: Path) -> None:
    before = traces(tmp_path)
    text = subprocess.run(
        [str(lab), "catalogue"], capture_output=True, text=True, check=True
    ).stdout
    runs = json.loads(text)
    assert len(runs) > 290
    brief = ["-C", "1", "--launches", "1", "-D", "0.2", "--dir", str(tmp_path)]
    for run in runs:
        words = [str(lab), *run["words"], *brief]
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert done.returncode == 0, f"{run['words']}: {done.stderr}"
        record = parse(done.stdout.encode(), run["name"])
        skipped = [one for one in record.failures if one.what.startswith("skipped: ")]
        assert {one.benchmark for one in (*record.samples, *skipped)} == {run["name"]}
    assert settled(tmp_path, before) == set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_by_one_that_is_ended(
    number: signal.Signals, lab: Path, tmp_path: Path
) -> None:
    before = traces(tmp_path)
    command = [str(lab), "exit", "-B", "30", "-P", "3", "-C", "100000", "-D", "60"]
    process = subprocess.Popen([*command, "--dir", str(tmp_path)], stdout=subprocess.DEVNULL)
    for _ in range(100):
        time.sleep(0.05)
        if len(traces(tmp_path) - before) > 5:
            break
    assert len(traces(tmp_path) - before) > 5, "it never ran: this tests nothing"
    os.kill(process.pid, number)
    code = process.wait(10)
    assert code in (-number, 128 + number)
    left = settled(tmp_path, before)
    assert not any(name.startswith("/proc") for name in left), left
    if number == signal.SIGKILL:
        assert left, "SIGKILL left nothing to be cleaned: this tests nothing"
        subprocess.run([str(lab), "clean"], check=True)
        left = settled(tmp_path, before)
    assert left == set()


# ---- as Google Benchmarks ----------------------------------------------------------------------


def test_benchmarks_can_be_run(
    native: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = str(native("assay-os-bench"))
    assert cli.invoke(["list", bench, "--filter", "^os/strlen"]) == 0
    assert capsys.readouterr().out.split() == ["os/strlen/size:10", "os/strlen/size:1k"]
    kept = tmp_path / "r.json"
    words = ["run", bench, "--filter", "^os/(strlen/size:10|close/bad)$", "--rounds", "1", "-q"]
    assert cli.invoke([*words, "-o", str(kept)]) == 0
    rows = json.loads(kept.read_text())["benchmarks"]
    assert {row["name"] for row in rows} == {"os/strlen/size:10", "os/close/bad"}
    assert all(row["real_time"] > 0.2 for row in rows)
