"""The verbs that write, as they are killed: their words, and the world they need.

prepare(world)                    # programs, files, a store, a repository of two commits
world.run(VERBS["bisect"].words, Trouble())
"""

import subprocess
from typing import TYPE_CHECKING, NamedTuple

from soak.readers import ROOT

if TYPE_CHECKING:
    from world import World

NATIVE = ROOT / "build" / "release"
PREPARED = ("--store", ".assay")
_MEASURE = ("--rounds", "12", "-q", "-o", "r.json")


class Verb(NamedTuple):
    """A command line, and the record that has a row for each of its launches."""

    words: tuple[str, ...]
    keeps: str = ""
    codes: tuple[int, ...] = (0,)
    again: tuple[str, ...] = ()  # in place of `words`, after the kill
    codes_again: tuple[int, ...] = ()


_PLAIN = str(NATIVE / "tests" / "plain_benchmark")
_PLUGIN = str(NATIVE / "libexec" / "assay" / "plugins" / "libstlmap.so")
_LISTED = ("runs", "--last", "0")
KEPT = "kept"  # the label of a run that no verb takes away
VERBS: dict[str, Verb] = {
    "run": Verb(("run", "cmd:./program", *_MEASURE), "r.json"),
    "run of a program": Verb(("run", "./bench", *_MEASURE), "r.json"),
    "compare": Verb(("compare", "cmd:./program", "cmd:./program", *_MEASURE), "r.json"),
    "gate": Verb(("gate", "HEAD~1", "git:HEAD", *_MEASURE), "r.json", (0, 1, 3, 4)),
    "floor": Verb(("floor", "cmd:./program", "--rounds", "12", "-q")),
    "trust": Verb(("trust", "./bench", "--budget", "2s", "-q", "--json", "t.json")),
    "bisect": Verb(("bisect", "HEAD~1", "HEAD", "--rounds", "8", "-q"), "", (0, 4)),
    "overhead": Verb(("overhead", "plan.toml", "-q", "-o", "r.json"), "r.json"),
    "why": Verb(
        ("why", _PLAIN, _PLAIN, "--filter", "getpid", "--stages", "memory", "-q", "--json", "w"),
        "",
        (0, 3),
    ),
    "os": Verb(("os", "exec", "-C", "10", "-D", "1", "--json", "o.json")),
    "index": Verb(("index", _PLUGIN, "-m", "time", "--seconds", "1", "-n", "500", "--json", "i")),
    "history": Verb(("history", "--json", "h.json", "-o", "h.svg")),
    "serve": Verb(("serve", "--export", "site")),
    "report": Verb(("report", "base.json", "-o", "page.html")),
    "report of a picture": Verb(("report", "base.json", "candidate.json", "-o", "p.svg")),
    "multiview": Verb(("multiview", "base.json", "candidate.json", "-o", "many.html")),
    "runs import": Verb(("runs", "import", "candidate.json")),
    "runs label": Verb(("runs", "label", "LAST", "name")),
    "runs export": Verb(("runs", "export", "LAST", "-o", "export.csv")),
    "runs push": Verb(("runs", "push", "remote")),
    "runs pull": Verb(("runs", "pull", "theirs")),
    "runs compact": Verb(("runs", "compact")),
    "runs delete": Verb(("runs", "delete", "LAST"), again=_LISTED),
}
_TOML = '[build]\ncommands = ["cp bench.in bench"]\n[suites.main]\nrun = "bench"\n'
_PLAN = """target = "cmd:./program"
[measure]
rounds = 6
[[condition]]
name = "plain"
[[condition]]
name = "variable"
environment.LANG = "C"
"""


def prepare(world: "World") -> None:
    """Everything that any of the verbs is given."""
    from table import write_inputs
    from world import BENCH, Trouble

    write_inputs(world)
    (world.folder / "assay.toml").write_text(_TOML)
    (world.folder / "plan.toml").write_text(_PLAN)
    (world.folder / ".gitignore").write_text("*.json\n*.html\n.assay\nremote\ntheirs\n")
    for name in ("bench.in", "bench"):
        world.program(name, BENCH)
    _git(world, "init", "-q")
    for subject in ("one", "two"):
        (world.folder / "change").write_text(subject)
        _git(world, "add", "--all")
        _git(world, "commit", "-qm", subject)
    for folder in ("remote", "theirs"):
        (world.folder / folder).mkdir()
    for words in (
        ("runs", "import", "candidate.json"),
        ("runs", "push", "theirs"),
        ("runs", "delete", "LAST"),  # it is there to be pulled
        ("runs", "import", "base.json"),
        ("runs", "label", "LAST", KEPT),
        ("runs", "export", "LAST", "-o", "again.json"),
        ("runs", "import", "again.json"),  # a second run: one alone is not compacted
    ):
        done = world.run(words, Trouble())
        assert done.code == 0, done.text


def _git(world: "World", *words: str) -> None:
    who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
    subprocess.run(["git", *who, *words], cwd=world.folder, check=True)
