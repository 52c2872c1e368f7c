"""The store as a user meets it: runs kept without asking, found by name, never lost."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from other_users import NOBODY, why_not
from patience import PATIENCE_S

from assay.cli import invoke
from assay.record.store.folder import Folder
from assay.record.store.store import Store
from assay.workflows.store import import_file

ROOT = Path(__file__).parents[3]
SESSION = ROOT / "schema" / "golden" / "session.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "assay.toml").touch()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert invoke([*arguments]) == code, capsys.readouterr().err
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def measured(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    return said(capsys, "run", "cmd:true", "--rounds", "2", "-q", *more)


def test_a_run_is_kept_without_asking(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = re.search(r"record: run:(\S+) \(seed", measured(capsys))
    assert run
    assert Store.opened(project / ".assay").folder.runs() == [run[1]]
    assert run[1] in said(capsys, "runs")
    assert "true" in said(capsys, "runs", "show", "LAST")


def test_no_store_leaves_one_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ".journal" in measured(capsys, "--no-store")
    assert not (project / ".assay" / "runs").exists()
    error = said(capsys, "run", "cmd:true", "--store", "x", "--no-store", code=2)
    assert "keeps the run and leaves it out" in error


def test_without_a_project_nothing_is_kept_but_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ".journal" in measured(capsys)
    assert "no assay.toml here or above" in said(capsys, "runs", code=2)
    assert "record: run:" in measured(capsys, "--store", "kept")
    assert "true" in said(capsys, "runs", "show", "LAST", "--store", "kept")
    assert "there is no store of runs here" in said(capsys, "compare", "run:LAST", code=2)


def test_a_comparison_is_kept_and_judged_again(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "compare", "cmd:true", "cmd:/bin/true", "--rounds", "10", "-q", "-o", "c.json")
    table = said(capsys, "compare", "c.json")
    assert "verdict" in table
    assert said(capsys, "compare", "run:LAST") == table
    assert said(capsys, "list", "run:LAST") == "command\n"
    for page in ("report", "multiview"):
        said(capsys, page, "run:LAST", "-o", "x.html")
        assert "command" in Path("x.html").read_text()


def test_labels_exports_and_deletes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "runs", "import", str(SESSION), "--label", "golden", "--store", "../.assay")
    assert f"{SESSION} is run:" in out
    assert "(golden)" in said(capsys, "runs")
    said(capsys, "runs", "export", "run:golden", "-o", "again.json")
    judged = [invoke(["compare", one]) for one in ("again.json", str(SESSION))]
    first, second = capsys.readouterr().out.split("Of ")[1:]
    assert judged[0] == judged[1]
    assert first == second
    said(capsys, "runs", "label", "golden", "gold/1")
    listed = said(capsys, "runs", "--json", "runs.json")
    (row,) = json.loads(Path("runs.json").read_text())["runs"]
    assert row["labels"] == ["gold/1", "golden"]
    assert row["run"] in listed
    assert said(capsys, "runs", "delete", "gold/1").startswith("deleted ")
    assert said(capsys, "runs") == "no runs yet\n"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("show",), "assay runs show RUN"),
        (("label", "LAST"), "assay runs label RUN NAME"),
        (("delete",), "assay runs delete RUN"),
        (("export", "LAST"), "-o run.json"),
        (("import",), "assay runs import FILE"),
        (("list", "x"), "assay runs list"),
    ],
)
def test_what_lacks_a_word_is_told_which(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], hint: str
) -> None:
    Store.opened_or_made(project / ".assay")
    assert hint in said(capsys, "runs", *arguments, code=2)


def test_one_of_two_to_delete_is_missing_and_none_goes(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "runs", "import", str(SESSION))
    assert "no such run" in said(capsys, "runs", "delete", "LAST", "nothing", code=2)
    assert len(Store.opened(project / ".assay").folder.runs()) == 1


def different(folder: Path, count: int) -> list[str]:
    """As many files that differ: the same one twice is one run."""
    for number in range(count):
        text = SESSION.read_text().rstrip() + "\n" * (number + 1)
        (folder / f"{number}.json").write_text(text)
    return [str(folder / f"{number}.json") for number in range(count)]


def test_the_same_file_twice_is_one_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = said(capsys, "runs", "import", str(SESSION))
    other = project / "other name.json"
    other.write_bytes(SESSION.read_bytes())
    again = said(capsys, "runs", "import", str(other), str(SESSION))
    (run,) = Store.opened(project / ".assay").folder.runs()
    assert f"is run:{run}" in first
    assert again.count(f"is run:{run}, which holds the same file already\n") == 2
    said(capsys, "runs", "delete", "LAST")
    said(capsys, "runs", "import", str(SESSION))
    assert len(Store.opened(project / ".assay").folder.runs()) == 1


class Killed(BaseException):
    """Nobody handles it."""


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_import_that_was_killed_is_repeated_and_one_run(
    project: Path, capsys: pytest.CaptureFixture[str], when: str
) -> None:
    """Whether the run was there already when it was killed."""
    write = Folder.write

    def killed(self: Folder, run: str, content: bytes) -> None:
        if when == "after":
            write(self, run, content)
        raise Killed

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Folder, "write", killed)
        with pytest.raises(Killed):
            import_file(project / ".assay", SESSION, 1.0e9)
    said(capsys, "runs", "import", str(SESSION))
    said(capsys, "runs", "import", str(SESSION))
    assert len(Store.opened(project / ".assay").folder.runs()) == 1


def test_a_file_without_a_date_has_its_own(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project / "go.txt"
    file.write_text("goos: linux\nBenchmarkCopy-2 \t 1000 \t 120.5 ns/op\n")
    os.utime(file, (1_600_000_000, 1_600_000_000))
    out = said(capsys, "runs", "import", str(file))
    assert "dated as the file is (2020-09-13 12:26 UTC): it says no date itself" in out
    assert "2020-09-13" in said(capsys, "runs")


def test_the_newest_are_listed_first_and_the_rest_counted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "runs", "import", *different(project, 3))
    runs = Store.opened(project / ".assay").folder.runs()
    out = said(capsys, "runs", "--last", "2")
    assert out.index(runs[2]) < out.index(runs[1])
    assert runs[0] not in out
    assert "1 older ones" in out


def test_a_damaged_run_is_named_below_the_others(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "runs", "import", *different(project, 2))
    folder = Store.opened(project / ".assay").folder
    good, bad = folder.runs()
    folder.file_of(bad).write_bytes(b"PAR1 rubbish PAR1")
    out = said(capsys, "runs")
    assert good in out
    assert re.search(rf"cannot be read: .*{bad}\.parquet: is not a whole Parquet file", out)
    assert "is not a whole Parquet file" in said(capsys, "compare", "run:LAST", code=2)


def test_a_full_disk_keeps_the_journal_and_says_where(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assay.files._replace", full)
    mark = project / ".assay" / "store.json"
    mark.parent.mkdir()
    mark.write_text('{"assay_store": 1}')
    error = said(capsys, "run", "cmd:true", "--rounds", "2", "-q", code=2)
    kept = re.search(r"the results are kept in (\S+\.journal)", error)
    assert "No space left on device" in error
    assert kept
    monkeypatch.undo()
    monkeypatch.chdir(project)
    assert invoke(["runs"]) == 0  # there is space again: the next command stores it
    assert "a session was killed: what it had measured is now run:" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0 and bool(why_not()), reason=f"root: {why_not()}")
def test_a_store_that_cannot_be_written_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        said(capsys, "runs", "import", str(SESSION), "--store", f"{name}/.assay")
        (folder / "assay.toml").touch()
        run = Store.opened(folder / ".assay").folder.newest()
        subprocess.run(["chmod", "-R", "a+rX,a-w", name], check=True)
        out = _as_nobody("runs", cwd=folder)
        assert run in out.stdout, out.stderr
        refused = _as_nobody("runs", "import", *different(folder, 2)[1:], cwd=folder)
        assert refused.returncode == 2
        assert "Permission denied" in refused.stderr
        subprocess.run(["chmod", "-R", "u+w", name], check=True)


def _as_nobody(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    program = "from assay.cli import main; main()"
    prefix = NOBODY if os.geteuid() == 0 else ()
    return subprocess.run(
        [*prefix, sys.executable, "-c", program, *arguments],
        cwd=cwd,
        env={**os.environ, "HOME": "/tmp/assay-nobody", "XDG_CACHE_HOME": "/tmp/assay-nobody"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_killed_session_is_stored_by_the_next_command(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = "from assay.cli import main; main()"
    running = subprocess.Popen(
        [sys.executable, "-c", program, "run", "cmd:sleep 0.05", "--rounds", "1000", "-q"]
    )
    journals = project / ".assay" / "journals"
    until_s = time.monotonic() + PATIENCE_S
    while _lines(journals) < 4 and time.monotonic() < until_s:
        time.sleep(0.02)
    assert invoke(["runs"]) == 0
    assert "session was killed" not in capsys.readouterr().err, "it still runs"
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert invoke(["runs", "show", "LAST"]) == 0
    captured = capsys.readouterr()
    assert "a session was killed: what it had measured is now run:" in captured.err
    assert "sleep 0.05" in captured.out
    assert list(journals.iterdir()) == []


def _lines(journals: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in journals.glob("*.journal"))


def test_a_journal_that_is_rubbish_stays_and_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "runs", "import", str(SESSION))
    journal = project / ".assay" / "journals" / "x.journal"
    journal.parent.mkdir(exist_ok=True)
    journal.write_text('{"assay_journal": 1\nrubbish\n')
    assert invoke(["runs"]) == 0
    captured = capsys.readouterr()
    assert "a journal of a killed session cannot be used" in captured.err
    assert journal.exists()


def test_a_clock_put_back_is_said(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said(capsys, "runs", "import", str(SESSION))
    now_s = time.time()
    monkeypatch.setattr(time, "time", lambda: now_s - 7200)
    assert invoke(["runs", "import", str(SESSION)]) == 0
    assert "the clock is 2 h 00 min behind the newest run" in capsys.readouterr().err
