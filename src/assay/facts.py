"""The facts around a record: who measured what, where, of which revision, and how.

    facts = Facts.read({"seed": 7, "host": {"cpus": 2}}, where="base.json")
    facts.seed, facts.host.cpus
    facts = facts.updated(interrupted=True)
    facts.written                                   # all keys of the file, also unknown ones

They are the `assay` object of a file (`schema/README.md`). Each key that the program uses is
one field here, with its type: adding a fact is adding a field. Facts from a file, a store, a
journal or an executable all go through `Facts.read`, which refuses a value of another type and
names it. A record is kept unaltered: `written` holds every key, also those of later versions.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from assay.same_code import SameCode
from assay.typed_json import converted

_A_YEAR_S = 366 * 86400.0  # seconds of a leap year
# A date, in seconds since 1970.
Seconds = Annotated[float, Meta(ge=-1900 * _A_YEAR_S, le=8000 * _A_YEAR_S)]
Autocorrelation = Annotated[float, Meta(ge=-1.0, le=1.0)]  # from one round to the next
Positive = Annotated[float, Meta(ge=0.0, le=1e12)]  # durations in seconds
Links = Annotated[int, Meta(ge=1, le=10_000)]  # how often a side was linked, placed otherwise
Family = Annotated[int, Meta(ge=0, le=10**9)]  # number of comparisons judged together
Counted = Annotated[int, Meta(ge=0, le=10**18)]  # number of events


class Host(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The machine on which the record was measured."""

    name: str | None = None
    cpu_model: str | None = None
    cpus: int | None = None
    kernel: str | None = None
    governor: str | None = None
    virtualisation: str | None = None


class GitFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The git checkout in which the record was measured: its commit, and whether it was changed."""

    revision: str | None = None
    time_s: Seconds | None = None
    dirty: bool | None = None  # whether there were uncommitted changes


class BuiltPlacement(msgspec.Struct, frozen=True, kw_only=True):
    """Which compiler flags a build asked for that fix where functions lie in memory, and what they
    did (decision 42)."""

    asked: str = ""  # the compiler flags that were asked for
    functions: int = 0  # how many functions of the program itself there are
    held: int = 0  # how many of `functions` begin at a cache line
    unknown: str = ""  # why it is not known how many functions are `held`
    linked: int = 0  # how often the program was linked, its functions in random orders
    not_linked: str = ""  # why it was not linked in random orders
    libraries: list[str] = []  # shared libraries of the same build, which are not linked again


class RevisionBuild(msgspec.Struct, frozen=True, kw_only=True):
    """The revision that one side was built from, when it was committed, and how it was placed."""

    revision: str
    time_s: Seconds
    placement: BuiltPlacement = BuiltPlacement()


class ProofCounts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the proof that a condition was in force counted in the whole run; None: not counted."""

    visits: Counted = 0  # in how many rounds the condition was in force
    events: Counted | None = None
    lost: Counted | None = None


class NamedCondition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A condition of `assay overhead`, named as in the plan, and the proof that it was in force."""

    name: str
    shown: ProofCounts = ProofCounts()


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that the program uses. Empty, zero or None: the file does not have it."""

    schema: int | None = None
    tool: str = ""
    date: str = ""
    seed: int | None = None
    host: Host = Host()
    git: GitFacts = GitFacts()
    suite: str = ""
    targets: dict[str, str] = {}
    builds: dict[str, RevisionBuild] = {}
    sides: dict[str, dict[str, Any]] = {}
    design: Literal["interleaved", "duet", "sequential"] | None = None
    conditions: list[NamedCondition] = []
    instrument: str = ""
    valgrind: str = ""
    linking: str = ""  # of the OS lab: `static` where its programs are linked with no library
    libmicro: dict[str, Any] = {}
    unavailable: list[str] = []
    notes: list[str] = []
    identical: bool = False
    interrupted: bool = False
    failures: list[dict[str, Any]] = []
    # Benchmarks given up after failures in a row; None: the file has no such list.
    given_up: list[str] | None = None
    family: Family | None = None
    planned: Family | None = None  # how many benchmarks were to be measured, in all
    autocorrelations: list[tuple[int, Autocorrelation | None]] = msgspec.field(
        default_factory=list, name="echoes"
    )
    round_s: dict[str, Positive] = {}
    # By benchmark: whether both sides execute the same machine code, where that was compared.
    code: dict[str, SameCode] = {}
    placements: Links = 1  # how many links of each side the rounds used in turn
    written: dict[str, Any] = msgspec.field(default_factory=dict, name="")

    @classmethod
    def read(cls, written: Mapping[str, Any], *, where: str) -> "Facts":
        """Facts as a file holds them; a key that is null counts as missing.

        Raises `InputError` naming the key where a value is of another type.
        """
        facts = _converted(written, where)
        for name, context in facts.sides.items():
            _converted(_assay_object(context), f"{where}: sides.{name}")
        return facts

    def __post_init__(self) -> None:
        """Fill `written` from the fields, of facts that were not read from a file."""
        if not self.written:
            given = {key: value for key, value in _fields(self).items() if value != _DEFAULTS[key]}
            msgspec.structs.force_setattr(self, "written", msgspec.to_builtins(given))

    def updated(self, **changes: Any) -> "Facts":
        """A copy of these facts with other values of some fields. Raises `TypeError` for a name
        that is no field."""
        if unknown := changes.keys() - _DEFAULTS.keys():
            raise TypeError(f"no facts are called {', '.join(sorted(unknown))}")
        return self.merged_with(msgspec.to_builtins(changes))

    def merged_with(self, written: Mapping[str, Any]) -> "Facts":
        """These facts with the keys of `written` added, which replace keys that are there."""
        return Facts.read({**self.written, **written}, where="")

    def without_failures(self) -> "Facts":
        """These facts without the failures that one launch's executable noted: the record of many
        launches has a list of its own."""
        return Facts.read({k: v for k, v in self.written.items() if k != "failures"}, where="")

    def written_object(self, key: str) -> dict[str, Any]:
        """The JSON object that the file has under `key`, with all its keys; empty: none."""
        value = self.written.get(key)
        return value if isinstance(value, dict) else {}

    def side(self, name: str) -> "tuple[dict[str, Any], Facts]":
        """The context that one side's executable wrote, and the facts in it."""
        context = self.sides.get(name, {})
        return context, _converted(_assay_object(context), where="")


def _converted(written: Mapping[str, Any], where: str) -> Facts:
    """The JSON object as checked facts; keys whose value is null count as missing."""
    said = {key: value for key, value in written.items() if value is not None and key}
    facts = converted(said, Facts, where=where, what="a record of Assay (in `context.assay`)")
    msgspec.structs.force_setattr(facts, "written", dict(written))
    return facts


def _assay_object(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """The `assay` object in a Google Benchmark context; empty where there is none."""
    inner = context.get("assay")
    return inner if isinstance(inner, dict) else {}


def _fields(facts: Facts) -> dict[str, Any]:
    return {key: getattr(facts, key) for key in _DEFAULTS}


_DEFAULTS: dict[str, Any] = {}
_EMPTY = Facts()
_DEFAULTS.update(
    {name: getattr(_EMPTY, name) for name in Facts.__struct_fields__ if name != "written"}
)
