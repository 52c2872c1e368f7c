"""The table: what can go wrong, which verbs are tried with it, and what the user then sees.

`docs/reference/faults.md` is written from it (tools/reference.py), and `test_faults.py` runs it:
the cells marked `small` in `./dev test`, all of them in `./dev soak`.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from other_users import NOBODY, STRANGER
from world import BENCH, LISTED, SIGNALS, Trouble, World, interrupted

Arrange = Callable[[World], None]

ROUNDS = ("--rounds", "10", "-q", "-o", "out.json")
PROGRAM = "cmd:./program"
VERBS: dict[str, tuple[str, ...]] = {
    "run": ("run", PROGRAM, *ROUNDS),
    "compare": ("compare", PROGRAM, PROGRAM, *ROUNDS),
    "compare FILE": ("compare", "base.json", "candidate.json"),
    "list": ("list", "base.json"),
    "report": ("report", "base.json", "-o", "page.html"),
    "multiview": ("multiview", "base.json", "candidate.json", "-o", "page.html"),
    "runs import": ("runs", "import", "base.json", "--store", "store"),
    "runs": ("runs", "--store", "store"),
    "history": ("history", "--store", "store"),
    "trust": ("trust", "./bench", "--budget", "300ms", "-q", "--json", "trust.json"),
    "doctor": ("doctor",),
    "--help": ("--help",),
}
MEASURING = ("run", "compare")
READING = ("compare FILE", "list", "report", "multiview", "runs import")
ALL = tuple(VERBS)


@dataclass(frozen=True)
class Fault:
    """A row. `says` is an expression that what is printed holds; empty: nothing special."""

    group: str
    name: str
    verbs: tuple[str, ...]
    codes: tuple[int, ...]
    says: str = ""
    told: str = ""  # what the page says of it, where `says` would not be understood
    trouble: Trouble = field(default_factory=Trouble)
    arrange: Arrange = lambda world: None
    keeps_record: bool = False  # out.json or its journal has what was measured
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # in place of the verb's own
    as_root: bool = False  # only root can arrange it
    small: bool = True

    @property
    def is_killed(self) -> bool:
        """Whether it ends Assay so that only the next start can tidy up."""
        return SIGNALS["KILL"] in self.trouble.signals


def write_inputs(world: World, names: tuple[str, ...] = ("BM_a", "BM_b/8")) -> None:
    """base.json, candidate.json, and a store that has one of them."""
    for name in ("base.json", "candidate.json"):
        rows = [_row(one, repetition) for one in names for repetition in range(9)]
        text = json.dumps({"context": {"num_cpus": 2}, "benchmarks": rows})
        (world.folder / name).write_text(text)


def _row(name: str, repetition: int) -> dict[str, object]:
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "repetition_index": repetition,
        "iterations": 100,
        "real_time": 10.0 + repetition / 10,
        "cpu_time": 9.0 + repetition / 10,
        "time_unit": "ns",
    }


def endings() -> Iterator[Fault]:
    at = {"its trial launch": 1, "its rounds": 6}
    for name, (where, launch) in itertools.product(("INT", "TERM", "HUP"), at.items()):
        yield Fault(
            "Ending",
            f"SIG{name} in {where}",
            MEASURING,
            (128 + SIGNALS[name],),
            told="what was measured until then",
            trouble=interrupted(SIGNALS[name], launch),
            keeps_record=launch > 1,
            arrange=lambda world: world.program("program", SLOW),
        )
    yield Fault(
        "Ending",
        "SIGTERM, while the program ignores it",
        MEASURING,
        (143,),
        told="what was measured until then",
        trouble=interrupted(SIGNALS["TERM"], 6),
        keeps_record=True,
        arrange=lambda world: world.program("program", f"trap '' TERM; {SLOW}"),
    )
    yield Fault(
        "Ending",
        "SIGTERM twice",
        MEASURING,
        (143,),
        told="what was measured until then",
        trouble=interrupted(SIGNALS["TERM"], 6, SIGNALS["TERM"]),
        keeps_record=True,
        arrange=lambda world: world.program("program", SLOW),
    )
    yield Fault(
        "Ending",
        "SIGKILL in its rounds",
        MEASURING,
        (-9, 137),
        told="the journal has what was measured; `assay compare FILE.journal` judges it",
        trouble=interrupted(SIGNALS["KILL"], 6),
        keeps_record=True,
        arrange=lambda world: world.program("program", SLOW),
    )


def inherited() -> Iterator[Fault]:
    """What a careless parent leaves to us: signals that it ignores or blocks."""
    words = {
        "run": ("run", "cmd:false", *ROUNDS),
        "compare": ("compare", PROGRAM, PROGRAM, *ROUNDS),
    }
    for name in ("CHLD", "PIPE"):
        yield Fault(
            "Ending",
            f"SIG{name} is ignored by what started Assay, and the program fails",
            MEASURING,
            (3,),
            "exited with code 1",
            told="a failure is a failure",
            trouble=Trouble(prefix=("env", f"--ignore-signal={name}")),
            arrange=lambda world: world.program("program", "exit 1"),
            words=words,
        )
    ended = interrupted(SIGNALS["TERM"], 6)
    yield Fault(
        "Ending",
        "SIGTERM, which what started Assay has blocked",
        MEASURING,
        (143,),
        told="what was measured until then",
        trouble=replace(ended, prefix=("env", "--block-signal=TERM")),
        keeps_record=True,
        arrange=lambda world: world.program("program", SLOW),
    )


def tried() -> Iterator[Fault]:
    """`trust` keeps no record, but tells what it knew."""
    long = ("trust", "./bench", "--budget", "60s", "-q", "--json", "trust.json")
    for name, (where, launch) in itertools.product(
        ("INT", "TERM", "HUP"), {"its copies": 6, "its slowdowns": 400}.items()
    ):
        yield Fault(
            "Ending",
            f"SIG{name} in {where}",
            ("trust",),
            (128 + SIGNALS[name],),
            "interrupted: this is what was known until then",
            told="what was known until then",
            trouble=interrupted(SIGNALS[name], launch),
            words={"trust": long},
            small=launch < 10,
        )
    yield Fault(
        "Ending",
        "SIGKILL while it tries",
        ("trust",),
        (-9, 137),
        told="nothing is kept, and nothing is left behind",
        trouble=interrupted(SIGNALS["KILL"], 6),
        words={"trust": long},
    )
    copied = ("trust", "cmd:./program", "-q")
    yield Fault(
        "Programs under test",
        "is a command",
        ("trust",),
        (2,),
        "no program whose loops",
        words={"trust": copied},
    )
    lonely = 'test -f "$(dirname "$0")/base.json" || exit 127'
    yield Fault(
        "Programs under test",
        "runs in its own folder only",
        ("trust",),
        (2,),
        "its copy does not run",
        arrange=lambda world: world.program("bench", f"{lonely}\n{BENCH}"),
    )
    yield Fault(
        "Programs under test",
        "fails in every launch",
        ("trust",),
        (3,),
        "exited with code 5",
        arrange=lambda world: world.program("bench", f"{LISTED}\nexit 5"),
    )


SLOW = "echo launched >> $LAUNCHES; sleep 0.1; sleep 0.1"


def _as(prefix: tuple[str, ...], **environment: str | None) -> Trouble:
    return Trouble(prefix=prefix, environment=environment)


def _closed_home(world: World) -> None:
    world.home.chmod(0o700)


def _full(world: World) -> None:
    (world.folder / "full.html").symlink_to("/dev/full")


def _read_only(world: World) -> None:
    world.folder.chmod(0o555)


SPACE = "Space and rights"


def space() -> Iterator[Fault]:
    yield from _no_space()
    yield from _homes()
    yield from _folders()
    yield from _limits()


def _no_space() -> Iterator[Fault]:
    group = SPACE
    full = (*VERBS["run"][:-1], "/dev/full")
    yield Fault(
        group, "no space for the record", ("run",), (2,), "No space left", words={"run": full}
    )
    page = ("report", "base.json", "-o", "full.html")
    yield Fault(
        group,
        "no space for a page",
        ("report",),
        (2,),
        "No space left",
        words={"report": page},
        arrange=_full,
    )
    gone = ("run", PROGRAM, "-q", "-o", "no/such/folder/out.json")
    yield Fault(
        group, "no folder for the record", ("run",), (2,), "no such folder", words={"run": gone}
    )


def _homes() -> Iterator[Fault]:
    group = SPACE
    yield Fault(
        group, "HOME is not set", ALL, (0, 2), trouble=_as((), HOME=None, XDG_CACHE_HOME=None)
    )
    yield Fault(group, "HOME is empty", ALL, (0, 2), trouble=_as((), HOME="", XDG_CACHE_HOME=None))
    nowhere = _as((), HOME="/no/such/home", XDG_CACHE_HOME=None)
    yield Fault(group, "HOME is not there", ALL, (0, 2), trouble=nowhere)
    closed = _as(NOBODY, XDG_CACHE_HOME=None)
    yield Fault(
        group,
        "HOME cannot be read",
        ALL,
        (0, 2),
        trouble=closed,
        arrange=_closed_home,
        as_root=True,
    )
    nameless = _as(STRANGER, HOME=None, XDG_CACHE_HOME=None)
    yield Fault(group, "a user without a name", ALL, (0, 2), trouble=nameless, as_root=True)


def _folders() -> Iterator[Fault]:
    group = SPACE
    yield Fault(
        group,
        "the folder cannot be written",
        ("run", "report", "runs import"),
        (2,),
        "Permission denied",
        trouble=_as(NOBODY),
        arrange=_read_only,
        as_root=True,
    )
    lost = _as((), TMPDIR="/no/such/folder")
    yield Fault(group, "the temporary folder is not there", ALL, (0, 2), trouble=lost)
    removed = Trouble(shell='mkdir gone; cd gone; rmdir ../gone; "$@"')
    yield Fault(
        group, "the current folder was removed", MEASURING, (3,), "is not there", trouble=removed
    )
    for mask in ("077", "000"):
        yield Fault(
            group, f"umask {mask}", ALL, (0, 2), trouble=Trouble(shell=f'umask {mask}; "$@"')
        )


def _limits() -> Iterator[Fault]:
    group = SPACE
    limits = {
        "10 open files": "ulimit -n 10",
        "16 open files": "ulimit -n 16",
        "300 MB of address space": "ulimit -v 300000",
        "400 MB of address space": "ulimit -v 400000",
        "files of 4 KB": "ulimit -f 8",
    }
    for name, limit in limits.items():
        trouble = Trouble(shell=f'{limit}; "$@"')
        yield Fault(group, f"a limit: {name}", ALL, (0, 2, 3), trouble=trouble)
    little = Trouble(shell='ulimit -v 60000; "$@"')
    yield Fault(group, "a limit: 60 MB of address space", ALL, (3,), "needs 256 MB", trouble=little)


def terminal() -> Iterator[Fault]:
    group = "Terminal and text"
    for name, shell in {
        "standard input is closed": '"$@" <&-',
        "standard error is closed": '"$@" 2>&-',
    }.items():
        yield Fault(group, name, ALL, (0,), trouble=Trouble(shell=shell))
    closed = Trouble(shell='"$@" >&-')
    yield Fault(group, "standard output is closed", ALL, (0, 2), trouble=closed)
    none = Trouble(shell='"$@" <&- >&- 2>&-')
    yield Fault(group, "all three are closed", ALL, (0, 2), trouble=none)
    full = Trouble(shell='"$@" >/dev/full')
    yield Fault(group, "standard output is full", ALL, (2,), "No space left", trouble=full)
    early = Trouble(shell='("$@"; echo "code $?" >&2) | true; sleep 0.2')
    yield Fault(
        group, "nobody reads the output", ALL, (0,), r"code (0|141)\b", "0 or 141", trouble=early
    )
    for name, environment in {
        "LANG=C": {"LANG": "C", "LC_ALL": "C"},
        "ASCII": {"PYTHONIOENCODING": "ascii"},
        "Latin-1": {"PYTHONIOENCODING": "latin-1"},
        "a dumb terminal of 40 columns": {"TERM": "dumb", "COLUMNS": "40"},
    }.items():
        trouble = Trouble(environment=dict(environment))
        yield Fault(group, name, ALL, (0,), trouble=trouble, arrange=_odd_names)
    bad = ("compare", "\udcff.json")
    yield Fault(
        group,
        "a file name that is no UTF-8",
        ("compare FILE",),
        (2,),
        "no such file",
        words={"compare FILE": bad},
    )
    option = ("compare", "git:--output=x", "git:HEAD")
    yield Fault(
        group, "a revision like an option", ("compare",), (2,), "error: ", words={"compare": option}
    )
    yield Fault(group, "odd names", READING, (0,), arrange=_odd_names)
    yield Fault(group, "two equal names", READING, (0, 2), arrange=_equal_names)
    yield Fault(group, "20,000 names", READING, (0,), arrange=_many_names, small=False)


ODD = (
    "\u05e9\u05dc\u05d5\u05dd \u202eabc",
    "x" * 10_000,
    "a,b\t\"c\" 'd' <e> &f; `g` | h",
    "-dash",
    "=1+1",
    "@all",
    "::error::x",
    "\x1b[31m\x07",
    " ",
)


def _odd_names(world: World) -> None:
    write_inputs(world, ODD)


def _equal_names(world: World) -> None:
    write_inputs(world, ("BM_a", "BM_b", "BM_a"))


def _many_names(world: World) -> None:
    write_inputs(world, tuple(f"BM_{number}" for number in range(20_000)))
