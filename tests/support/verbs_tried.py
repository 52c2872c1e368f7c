"""What every verb of `assay` is asked where only its wheel is installed, and how it answered.

    prepare(folder, base, candidate)             # two executables, a repository, plans
    for each in TRIES: Answer(each, code, output, errors).kind

Each verb either works, or names in one sentence what to install; anything else is a defect. Both
`tests/python/packaging/test_bare.py` and the bench `wheel_roots` ask all this.
"""

import re
import shutil
import subprocess
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

_FEW = "--filter CopyElement/2$ --rounds 2 --quiet"
_FIGURE = r"CopyElement/2\b.* \d"
_UNDECIDED = (0, 1, 4)  # codes of a verdict of so few rounds, whatever it is


class Try(NamedTuple):
    """One command line of a verb, what it prints where it works, and the codes it then has."""

    verb: str
    words: str
    says: str
    codes: tuple[int, ...] = (0,)
    within: str = "project"

    @property
    def line(self) -> str:
        return f"{self.verb} {self.words}".rstrip()


class Kind(StrEnum):
    """How a command line was answered."""

    WORKS = "works"
    NAMES = "names"  # in one sentence, what to install
    NEITHER = "NEITHER"


class Answer(NamedTuple):
    """What a command line came to."""

    asked: Try
    code: int
    output: str
    errors: str

    @property
    def kind(self) -> Kind:
        if self.code in self.asked.codes and re.search(self.asked.says, self.output):
            return Kind.WORKS
        return Kind.NAMES if self.sentence else Kind.NEITHER

    @property
    def sentence(self) -> str:
        """The one line that says what to install; empty if there is none, or more than that."""
        said = self.errors.strip().splitlines()
        if self.code not in (2, 3) or self.output.strip() or len(said) != 1:
            return ""
        names = re.search(r"^error: .*; .*(\binstall \w|\bsetup` in a clone\b)", said[0])
        return said[0].removeprefix("error: ") if names else ""


# In this order: what is drawn, kept or shared is what an earlier line measured.
TRIES = (
    Try("run", f"base {_FEW} -o run.json --html run.html", _FIGURE),
    Try("run", f"--allocations base {_FEW}", _FIGURE),
    Try("run", f"--instrument instructions base {_FEW}", _FIGURE),
    Try("run", f"git:HEAD {_FEW}", _FIGURE),
    Try("compare", f"base candidate {_FEW} -o both.json --html both.html", _FIGURE, _UNDECIDED),
    Try("compare", f"git:HEAD~1 git:HEAD {_FEW}", _FIGURE, _UNDECIDED),
    Try("gate", f"HEAD~1 {_FEW}", _FIGURE, _UNDECIDED),
    Try("why", "base candidate --filter CopyElement/2$ --quiet", r"CopyElement/2\b"),
    *(
        Try("why", f"base candidate --filter CopyElement/2$ --stages {one} --quiet", r"\d")
        for one in ("work", "time", "memory", "syscalls")
    ),
    Try("overhead", "overhead.toml --quiet --html overhead.html", r"wrapped.*\d"),
    Try("multiview", "run.json run.json -o multiview.html", r"multiview\.html"),
    Try("history", "", _FIGURE),
    Try("bisect", "HEAD~1 HEAD --filter CopyElement/2$ --rounds 4 --quiet", r"\d", (0, 4)),
    Try("serve", "--export pages", r"\d+ pages"),
    Try("runs", "import both.json --label both", r"is run:"),
    Try("runs", "", r"both"),
    Try("runs", "show LAST", r"CopyElement/2"),
    Try("runs", "label LAST newest", r"run:newest is"),
    Try("runs", "export both -o exported.json", r"wrote exported\.json"),
    Try("runs", "push shared", r"\d"),
    Try("runs", "pull shared", r"\d"),
    Try("runs", "push git:shared.git", r"\d"),
    Try("runs", "compact", r"packed \d+ runs"),
    Try("runs", "delete both", r"deleted"),
    Try("report", "both.json -o report.html", r"report\.html"),
    Try("report", "both.json -o report.svg", r"report\.svg"),
    Try("report", "both.json -o report.md", r"report\.md"),
    Try("list", "base", r"CopyElement/2\n"),
    Try("floor", "base --filter CopyElement/2$ --rounds 20 --quiet", r"\d %"),
    Try("trust", "base --filter CopyElement/2$ --budget 10 --quiet", r"\d %"),
    Try("index", "stlmap -n 1000 -p 1000", r"\d"),
    Try("index", "--crash 1 lmdb -n 1000", r"\d"),
    Try("index", "--sweep sweep.toml --quiet", r"\d"),
    Try("suite", "primitives --quick --quiet", r"\d"),
    Try("suite", "restore --quick --quiet", r"\d"),
    Try("os", "list", r"getpid"),
    Try("os", "list --target", r"assay-os-bench"),
    Try("os", "getpid -C 20 -D 5 -S", r"\d"),
    Try("os", "all --filter ^getpid$ --budget 2 --quiet", r"\d"),
    Try("doctor", "", r"\d", within="empty"),
    Try("init", "", r"wrote assay\.toml", within="cargo"),
    Try("completion", "bash", r"complete", within="empty"),
    Try("completion", "zsh", r"compdef", within="empty"),
    Try("completion", "fish", r"complete", within="empty"),
    # How many of its sixteen benchmarks a busy machine measures within a budget is not known.
    Try("demo", "--budget 8 --quiet", r"Of \d+ benchmarks?", within="empty"),
)

_PROJECT = """
[build]
commands = ["cp $(cat which) bench"]
[suites.main]
run = "bench"
"""
_OVERHEAD = """
target = "cmd:true"
[measure]
rounds = 1
[[condition]]
name = "wrapped"
wrap = "env"
"""
_SWEEP = """
plugins = ["stlmap"]
threads = [1]
distributions = ["uniform"]
sizes = ["8+8"]
rounds = 1
[mixes]
reads = { read = 1.0 }
[flags]
records = 1000
operations = 1000
"""


def prepare(folder: Path, base: Path, candidate: Path) -> None:
    """Put everything that `TRIES` name into a folder: needs git, which is not needed later."""
    project = folder / "project"
    project.mkdir()
    (project / "assay.toml").write_text(_PROJECT)
    (project / "overhead.toml").write_text(_OVERHEAD)
    (project / "sweep.toml").write_text(_SWEEP)
    for name, path in (("base", base), ("candidate", candidate)):
        shutil.copy(path, project / name)
    _git(project, "init", "--quiet", "--initial-branch=main")
    for which in ("base", "candidate"):
        (project / "which").write_text(which)
        _git(project, "add", "--all")
        _git(project, "commit", "--quiet", "--message", f"Measure {which}")
    (project / "shared").mkdir()
    _git(project, "init", "--quiet", "--bare", "shared.git")
    (folder / "empty").mkdir()
    (folder / "cargo").mkdir()
    (folder / "cargo" / "Cargo.toml").write_text('[package]\nname = "x"\nversion = "1.0.0"\n')


def _git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=A. Uthor", "-c", "user.email=author@example.invalid")
    subprocess.run(["git", *who, *words], cwd=folder, check=True)
