"""Options several verbs share, alone and in groups, and the parsers of their values.

A TARGET is path/to/bench (a Google Benchmark executable), "cmd:COMMAND" (any
command, timed whole), a file of results, run:LABEL (in the store), git:REV (built
as assay.toml says) or . (the working tree, built too).
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from msgspec.structs import replace

from assay.cli.common.typed import typed
from assay.defaults import ALPHA, COUNTS_MARGIN, as_percent
from assay.defaults import MARGIN as MARGIN_FRACTION
from assay.errors import UsageError
from assay.measure.effort import Effort
from assay.model import Settings
from assay.workflows.common.output import Destination, journal_of
from assay.workflows.common.plan import INSTRUMENTS, TIME, Measuring, RevisionChoice

MARGIN = as_percent(MARGIN_FRACTION)  # as it is typed on the command line, such as "2%"
Target = Annotated[
    str,
    typer.Argument(help="path/to/bench, cmd:COMMAND, results.json, run:LABEL, git:REV, or ."),
]
Filter = Annotated[
    str, typer.Option("--filter", metavar="RE", help="Benchmarks whose name matches.")
]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Keep the record (JSON or CSV)."),
]
Suite = Annotated[
    str | None, typer.Option("--suite", metavar="NAME", help="git: the suite of assay.toml.")
]
Recipe = Annotated[
    str,
    typer.Option("--recipe", metavar="R", help="git: the assay.toml of here, or of the revision."),
]
Placements = Annotated[
    int | None,
    typer.Option(
        "--placements", metavar="N", help="git: link each N times, functions in random orders."
    ),
]
Store = Annotated[
    Path | None,
    typer.Option("--store", metavar="DIR", help="Store of runs (default: beside assay.toml)."),
]
NoStore = Annotated[bool, typer.Option("--no-store", help="Leave this run out of the store.")]
Rounds = Annotated[
    int | None, typer.Option("--rounds", metavar="N", help="At most N launches of each side.")
]
MinTime = Annotated[
    str, typer.Option("--min-time", metavar="S", help="Measuring time of one repetition.")
]
Timeout = Annotated[str, typer.Option("--timeout", metavar="S", help="Longest a launch may take.")]
Pin = Annotated[
    int | None,
    typer.Option("--pin", metavar="CPU", help="Pin launches here (default: the last CPU allowed)."),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Repeat the random order of a record's seed."),
]
Budget = Annotated[
    str | None, typer.Option("--budget", metavar="S", help="Time to spend: 90, 60s, 5m.")
]
Instrument = Annotated[
    str,
    typer.Option(
        "--instrument",
        metavar="I",
        help="time, or instructions: exact counts under valgrind, for CI "
        f"(margin: {as_percent(COUNTS_MARGIN)}).",
    ),
]
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="A report for people: one page.")
]
WhenBusy = Annotated[
    str,
    typer.Option(
        "--when-busy",
        metavar="W",
        help="wait, or refuse: while another measurement runs on this machine.",
    ),
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No progress; results only.")]

MIN_TIME = "0.5ms"
# Values of --when-busy: wait for a measurement that runs already, or refuse to measure.
WAIT, REFUSE = "wait", "refuse"
TIMEOUT = "10m"

_SECONDS = {"ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True, kw_only=True)
class MeasuringOptions:
    """The options on how to measure (rounds, budget, CPU, seed), for verbs that measure."""

    rounds: Rounds = None
    budget: Budget = None
    min_time: MinTime = MIN_TIME
    timeout: Timeout = TIMEOUT
    pin: Pin = None
    seed: Seed = None
    when_busy: WhenBusy = WAIT
    quiet: Quiet = False

    def must_wait_for_others(self) -> bool:
        """Whether to wait while another measurement runs on this machine. Raises `UsageError`."""
        return must_wait_for_others(self.when_busy)

    def measuring(self) -> Measuring:
        """The options as one value; a seed is drawn if none was given. Raises `UsageError`."""
        return Measuring(
            effort=Effort(min_time_s=parse_seconds(self.min_time, "--min-time")),
            rounds=checked_count(self.rounds, "--rounds"),
            budget_s=None if self.budget is None else parse_seconds(self.budget, "--budget"),
            timeout_s=parse_seconds(self.timeout, "--timeout"),
            pin=self.pin,
            seed=seed_or_new(self.seed),
        )


@dataclass(frozen=True, kw_only=True)
class RevisionOptions:
    """The options for targets that are revisions: which suite to build, by whose `assay.toml`."""

    suite: Suite = None
    recipe: Recipe = "here"

    def revisions(self) -> RevisionChoice:
        """The options as one value. Raises `UsageError`."""
        checked_choice(self.recipe, ("here", "revision"), "--recipe")
        return RevisionChoice(self.suite, self.recipe == "revision", outputs=self._outputs())

    def _outputs(self) -> tuple[Path, ...]:
        """The files that this command writes, so that they do not count as uncommitted changes: the
        path of every option that has one, and its journal.
        """
        values = (getattr(self, one.name) for one in fields(self))
        given = [one for one in values if isinstance(one, Path)]
        return tuple(path for one in given for path in (one, journal_of(one)))


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """The options on where a measurement is kept: record, store, page."""

    output: Output = None
    store: Store = None
    no_store: NoStore = False
    html: Html = None

    def destination(self, kind: str) -> Destination:
        """Where the record goes. What killed sessions left in the store is stored as runs first.

        Raises `UsageError`, `InputError`.
        """
        from assay.cli.common.store import store_to_use

        if self.store and self.no_store:
            raise UsageError("keeps the run and leaves it out", where="--store --no-store")
        asked = store_to_use(self.store)
        return Destination(self.record_file(), asked.folder, kind, self.no_store, asked.host)

    def record_file(self) -> Path | None:
        """The file of the record, None: no file is asked for. Raises `UsageError`."""
        return writable_path(self.output, "-o")

    def page_file(self) -> Path | None:
        """The file of the page, None: no page is asked for. Raises `UsageError`."""
        return writable_path(self.html, "--html")


def seed_or_new(seed: int | None) -> int:
    """The seed asked for; else a random one, so that each run has a random order of its own."""
    import secrets  # it imports hashlib and random, for which `--help` need not wait

    return secrets.randbits(32) if seed is None else seed


def must_wait_for_others(when_busy: str) -> bool:
    """Whether to wait while another measurement runs on this machine. Raises `UsageError`."""
    return checked_choice(when_busy, (WAIT, REFUSE), "--when-busy") == WAIT


def checked_choice(asked: str, known: tuple[str, ...], option: str) -> str:
    """`asked`, if it is one of the `known` values of an option. Raises `UsageError` if not."""
    if asked not in known:
        choices = " or ".join(f"{option}={one}" for one in known)
        raise UsageError("no such choice", where=f"{option}={asked}", hint=f"try {choices}")
    return asked


def with_instrument(measuring: Measuring, asked: str, given: dict[str, bool]) -> Measuring:
    """The options on how to measure, with the instrument that was asked for.

    Raises `UsageError`.

    `given`: options that only go with times, and whether each was given.
    """
    checked_choice(asked, INSTRUMENTS, "--instrument")
    for option, is_given in given.items():
        if is_given and asked != TIME:
            raise UsageError(f"goes with times, not with {asked}", where=option)
    return replace(measuring, instrument=asked)


def checked_count(count: int | None, option: str) -> int | None:
    """`count`, which is None if its option was not given. Raises `UsageError` below 1."""
    if count is not None and count < 1:
        raise UsageError("must be 1 or more", where=f"{option} {count}")
    return count


LONGEST_S = 1e9  # seconds, about 31 years; no option may give a longer time


def parse_seconds(text: str, option: str) -> float:
    """'90', '60s', '1.5m', '200ms' in seconds. Raises `UsageError`."""
    number = text.strip().rstrip("hmins")
    unit = text.strip()[len(number) :] or "s"
    try:
        value = float(number) * _SECONDS[unit]
    except (ValueError, KeyError):
        raise UsageError("not a time", where=f"{option} {text}", hint="try 90, 60s or 5m") from None
    if not 0 < value < LONGEST_S:
        what = "is no time that is waited for: more than 0 s, and less than 1,000,000,000 s"
        raise UsageError(what, where=f"{option} {text}", hint="try 90, 60s or 5m")
    return value


def parse_fraction(text: str, option: str) -> float:
    """'2%' or '2' as 0.02. Raises `UsageError`."""
    try:
        value = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise UsageError("not a percentage", where=f"{option} {text}", hint="try 2%") from None
    if not 0 <= value < 10:
        raise UsageError("out of range", where=f"{option} {text}", hint="0 % to 999 %")
    return value


def checked_probability(value: float, option: str) -> float:
    """A number between 0 and 1, both excluded. Raises `UsageError`."""
    if not 0 < value < 1:
        raise UsageError("must lie between 0 and 1", where=f"{option} {value}", hint=f"try {ALPHA}")
    return value


def judge_settings(margin: str, alpha: float) -> Settings:
    """Margin and alpha as the settings of the judge. Raises `UsageError`."""
    return Settings(
        margin=parse_fraction(margin, "--margin"), alpha=checked_probability(alpha, "--alpha")
    )


def writable_path(path: Path | None, option: str) -> Path | None:
    """`path`, if it can be written: what cannot is refused before measuring, not after.

    A file that the command line names twice, to read it or for two outputs, is refused too.
    Raises `UsageError`.
    """
    if path is None:
        return None
    if sum(os.path.realpath(one) == os.path.realpath(path) for one in _possible_file_names()) > 1:
        what = "is named twice on this command line, and would be written over"
        raise UsageError(what, where=f"{option} {path}", hint="give it a name of its own")
    if path.is_dir():
        raise UsageError("is a directory", where=f"{option} {path}", hint="name a file in it")
    if not path.parent.is_dir():
        raise UsageError("no such folder", where=f"{option} {path}", hint=f"mkdir -p {path.parent}")
    return path


def _possible_file_names() -> Iterator[str]:
    """The parts of the command line that may name files.

    These are `FILE`, `-oFILE`, `--json=FILE`, `name=FILE` and `cmd:FILE`.
    """
    for word in typed.get():
        option, _, value = word.partition("=")
        yield value if value and option.startswith("--") else word.removeprefix("cmd:")
        if value and not option.startswith("--"):
            yield value
        if word.startswith("-o") and len(word) > len("-o"):
            yield word.removeprefix("-o")


class Files(NamedTuple):
    """The files to which a comparison is written, besides what is printed. None: not asked for."""

    json: Path | None = None
    markdown: Path | None = None
    html: Path | None = None
    junit: Path | None = None
