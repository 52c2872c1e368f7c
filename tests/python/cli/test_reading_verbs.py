"""Verbs that read run nothing from a repository, whatever a stranger has put into it.

Python reports every process that is started, library that is loaded and module that is imported
to an audit hook; the verb runs under one. Programs that would leave a trace lie everywhere.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from patience import PATIENCE_S
from records import two_sided

from assay.record.store.store import Store
from assay.record.writer import write

AUDITED = """
import sys
def note(event, arguments):
    if event in STARTS:
        print("STARTED", event, repr(arguments[0])[:200], file=sys.__stderr__)
    if event == "import" and arguments[1] and str(arguments[1]).startswith(HERE):
        print("STARTED", event, arguments[1], file=sys.__stderr__)
STARTS = {"subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.fork", "os.spawn"}
HERE = sys.argv.pop(1)
sys.addaudithook(note)
from assay.cli import main
main()
"""
READING = (
    ("list", "run.json"),
    ("compare", "run.json"),
    ("compare", "run.json", "--gate"),
    ("compare", "run.json", "run.json", "--format", "gbench"),
    ("compare", "run:LAST", "--markdown", "a.md", "--junit", "a.xml", "--json", "a.json"),
    ("report", "run.json", "-o", "r.html"),
    ("report", "run.json", "--chart", "forest", "-o", "r.svg"),
    ("multiview", "run.json", "run:LAST", "-o", "m.html"),
    ("history",),
    ("history", "--json", "h.json"),
    ("runs",),
    ("runs", "show", "LAST"),
    ("runs", "label", "LAST", "mine"),
    ("runs", "export", "LAST", "-o", "e.csv"),
    ("runs", "import", "run.json"),
    ("runs", "delete", "LAST"),
    ("--help",),
)
NAMES = ("git", "valgrind", "perf", "systemd-detect-virt", "assay-launch", "bench", "c++filt")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Everything in it would write `ran`, if it were run."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    trace = f"touch {tmp_path / 'ran'}"
    subprocess.run(["git", "init", "-q", folder], check=True)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "alias.log"):
        subprocess.run(["git", "-C", folder, "config", key, trace], check=True)
    (folder / "assay.toml").write_text(
        f'[build]\ncommands = ["{trace}"]\n[suites.main]\nrun = "bench"\n'
    )
    hooks = [folder / ".git" / "hooks" / name for name in ("post-checkout", "post-index-change")]
    for program in (*hooks, *(folder / name for name in NAMES)):
        program.write_text(f"#!/bin/sh\n{trace}\n")
        program.chmod(0o755)
    for module in ("sitecustomize", "json", "rich", "numpy", "msgspec", "conftest"):
        (folder / f"{module}.py").write_text(f"import os; os.system({trace!r})")
    told = {"targets": {"target": str(folder / "bench"), "base": "./bench"}}
    facts = two_sided().facts.merged_with({**told, "git": {"revision": "1a2b3c4d"}})
    record = msgspec.structs.replace(two_sided(), facts=facts)
    write(record, folder / "run.json")
    Store.opened_or_made(folder / ".assay").add(record, kind="compare", now_s=1_790_000_000.0)
    return folder


def _ran(words: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    home = folder.parent / "home"
    return subprocess.run(
        [sys.executable, "-P", "-c", AUDITED, str(folder), *words],
        cwd=folder,
        env={**os.environ, "HOME": str(home), "XDG_STATE_HOME": "", "XDG_CACHE_HOME": ""},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_reading_verb_starts_nothing_of_theirs(repository: Path, words: tuple[str, ...]) -> None:
    done = _ran(words, repository)
    assert done.returncode in (0, 1), done.stderr
    started = {line for line in done.stderr.splitlines() if line.startswith("STARTED")}
    assert started <= {f"STARTED subprocess.Popen '{shutil.which('systemd-detect-virt')}'"}
    assert not (repository.parent / "ran").exists()


def test_the_hook_sees_what_is_started(repository: Path) -> None:
    done = _ran(("run", "./bench", "--rounds", "1"), repository)
    assert "STARTED subprocess.Popen" in done.stderr
    assert (repository.parent / "ran").exists()


def test_results_that_name_a_program_are_not_reason_enough_to_run_it(repository: Path) -> None:
    """But for `why`, which says so: there an executable is needed, and a script is refused."""
    document = json.loads((repository / "run.json").read_text())
    assert document["context"]["assay"]["targets"]["target"] == str(repository / "bench")
    done = _ran(("why", "run.json", "run.json"), repository)
    assert done.returncode == 2, done.stderr
    assert not (repository.parent / "ran").exists()
