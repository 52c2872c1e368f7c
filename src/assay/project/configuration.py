"""The content of `assay.toml` as values. Class docstrings and descriptions go into its schema.

Configuration.build.commands       # ("cmake -S . -B build", "cmake --build build")
Configuration.suites["main"].run   # "build/bench"

A key that is left out is None or empty; then the option of the command line, or its default, is
used.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

_Seconds = Annotated[float, Meta(gt=0)]
_Margin = Annotated[
    float, Meta(ge=0, lt=1, description="Smallest change worth attention: 0.02 is 2 %.")
]
_Filter = Annotated[str, Meta(description="Benchmarks whose name matches this expression.")]
_Metrics = Annotated[
    tuple[str, ...], Meta(description="Compare these, in place of the usual ones.")
]
_Environment = Mapping[str, str]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A key that is not known is refused: it is a misspelled one."""


class Build(_Table, frozen=True):
    """How a revision is built."""

    commands: Annotated[
        tuple[Annotated[str, Meta(min_length=1)], ...],
        Meta(min_length=1, description="Lines for /bin/sh, run one after the other."),
    ]
    environment: Annotated[
        _Environment, Meta(description="Variables of the commands, beside those of the shell.")
    ] = {}
    placement: Annotated[
        Literal["hold", "keep"],
        Meta(
            description="hold: functions begin at lines of the cache, ordered by name, so that a "
            "change moves as little code as can be; keep: flags stay as they are."
        ),
    ] = "hold"
    placements: Annotated[
        int,
        Meta(
            ge=0,
            description="For compare and gate: link the program so many times, its functions in "
            "random orders. 0: once, as the build does.",
        ),
    ] = 0
    timeout_s: Annotated[
        _Seconds, Meta(description="Longest that all commands together may take.")
    ] = 3600.0
    cache_gb: Annotated[
        float,
        Meta(ge=0, description="Builds kept at most, in 10^9 bytes: the oldest unused go first."),
    ] = 10.0


class SuiteTable(_Table, frozen=True):
    """Benchmarks that are built and compared together."""

    run: Annotated[
        str,
        Meta(
            min_length=1,
            description="An executable below the folder of assay.toml, with arguments, "
            "or cmd: and a command run in that folder.",
        ),
    ]
    filter: _Filter = ""
    margin: _Margin | None = None
    metrics: _Metrics = ()
    environment: Annotated[
        _Environment, Meta(description="Variables of the benchmarks, beside those of the shell.")
    ] = {}


class Compare(_Table, frozen=True):
    """How comparisons are judged, where the command line does not say."""

    margin: _Margin | None = None
    alpha: (
        Annotated[
            float, Meta(gt=0, lt=1, description="Chance of any false verdict in the whole suite.")
        ]
        | None
    ) = None
    budget_s: Annotated[_Seconds, Meta(description="Time to spend on measuring.")] | None = None
    rounds: Annotated[int, Meta(ge=1, description="Launches of each side, at most.")] | None = None


class HistoryTable(_Table, frozen=True):
    """How the trend of a benchmark is told."""

    metrics: Annotated[tuple[str, ...], Meta(description="Show these, in place of real_time.")] = ()


class HostTable(_Table, frozen=True):
    """Which machines count as one."""

    class_: Annotated[
        str, Meta(min_length=1, description="The name of the host's class, instead of its own.")
    ] = msgspec.field(name="class", default="")


class StoreTable(_Table, frozen=True):
    """Where runs are kept."""

    path: Annotated[
        str, Meta(min_length=1, description="A folder; a relative one is beside assay.toml.")
    ] = ".assay"
    remote: Annotated[
        str,
        Meta(
            description="Where `assay runs push` and `pull` share them: a folder, "
            "git:REMOTE[#BRANCH], ssh:[USER@]HOST:PATH or s3://BUCKET[/PREFIX]."
        ),
    ] = ""


class Configuration(_Table, frozen=True):
    """Everything an `assay.toml` may hold. All of it may be left out."""

    build: Build | None = None
    suites: Annotated[
        Mapping[str, SuiteTable], Meta(description="Each suite under its name, as [suites.NAME].")
    ] = {}
    compare: Compare = Compare()
    history: HistoryTable = HistoryTable()
    host: HostTable = HostTable()
    store: StoreTable = StoreTable()
