"""The facts around a record: who measured what, where, of which revision, and how.

    facts = Facts.read({"seed": 7, "host": {"cpus": 2}}, where="base.json")
    facts.seed, facts.host.cpus
    facts = facts.updated(interrupted=True)
    facts.written                                   # as it is in the file, with keys nobody knows

They are the `assay` object of a file (`schema/README.md`). Each key that the program asks for is
one field here, with its type: adding a fact is adding a field. Whatever gives facts, a file, a
store, a journal or an executable, gives them to `Facts.read`, which refuses by name what is of
another type. A record is kept unaltered: `written` holds every key, also those of later versions.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from assay.same_code import SameCode
from assay.typed_json import converted

_A_YEAR_S = 366 * 86400.0
Seconds = Annotated[float, Meta(ge=-1900 * _A_YEAR_S, le=8000 * _A_YEAR_S)]  # since 1970: a date
Echo = Annotated[float, Meta(ge=-1.0, le=1.0)]
Positive = Annotated[float, Meta(ge=0.0, le=1e12)]
Links = Annotated[int, Meta(ge=1, le=10_000)]
Family = Annotated[int, Meta(ge=0, le=10**9)]
Counted = Annotated[int, Meta(ge=0, le=10**18)]


class Host(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The machine that was measured on."""

    name: str | None = None
    cpu_model: str | None = None
    cpus: int | None = None
    kernel: str | None = None
    governor: str | None = None
    virtualisation: str | None = None


class Git(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The checkout it was measured in."""

    revision: str | None = None
    time_s: Seconds | None = None
    dirty: bool | None = None


class BuiltPlacement(msgspec.Struct, frozen=True, kw_only=True):
    """Whether flags that hold placement were asked for, and what the program shows of them."""

    asked: str = ""
    functions: int = 0  # of its own
    held: int = 0  # of these, that begin at a line of the cache
    unknown: str = ""  # why that cannot be told
    linked: int = 0  # times, in random orders
    not_linked: str = ""  # why not
    libraries: list[str] = []  # of the same build, which stay as they are


class RevisionBuild(msgspec.Struct, frozen=True, kw_only=True):
    """The revision that one side was built of, by Assay."""

    revision: str
    time_s: Seconds
    placement: BuiltPlacement = BuiltPlacement()


class Shown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the proof of a condition counted in the whole run. None: it counts no such thing."""

    visits: Counted = 0
    events: Counted | None = None
    lost: Counted | None = None


class NamedCondition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A condition of `assay overhead`, as its plan has it, and the proof that it was in force."""

    name: str
    shown: Shown = Shown()


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the program asks of the facts. Empty, zero or None: the file does not say."""

    schema: int | None = None
    tool: str = ""
    date: str = ""
    seed: int | None = None
    host: Host = Host()
    git: Git = Git()
    suite: str = ""
    targets: dict[str, str] = {}
    builds: dict[str, RevisionBuild] = {}
    sides: dict[str, dict[str, Any]] = {}
    design: Literal["interleaved", "duet", "sequential"] | None = None
    conditions: list[NamedCondition] = []
    instrument: str = ""
    valgrind: str = ""
    libmicro: dict[str, Any] = {}
    unavailable: list[str] = []
    notes: list[str] = []
    identical: bool = False
    interrupted: bool = False
    failures: list[dict[str, Any]] = []
    given_up: list[str] | None = None  # None: not listed
    family: Family | None = None
    echoes: list[tuple[int, Echo | None]] = []
    round_s: dict[str, Positive] = {}
    code: dict[str, SameCode] = {}  # of benchmarks whose machine code was compared
    placements: Links = 1  # of each side, of which rounds took turns
    written: dict[str, Any] = msgspec.field(default_factory=dict, name="")

    @classmethod
    def read(cls, written: Mapping[str, Any], *, where: str) -> "Facts":
        """Facts as a file holds them. Raises `InputError`. A key that is null says nothing."""
        facts = _converted(written, where)
        for name, context in facts.sides.items():
            _converted(_inner(context), f"{where}: sides.{name}")
        return facts

    def __post_init__(self) -> None:
        """Facts made field by field are written as these fields."""
        if not self.written:
            given = {key: value for key, value in _fields(self).items() if value != _DEFAULTS[key]}
            msgspec.structs.force_setattr(self, "written", msgspec.to_builtins(given))

    def updated(self, **changes: Any) -> "Facts":
        """The same with other values of some fields; a name that is no field is a defect."""
        if unknown := changes.keys() - _DEFAULTS.keys():
            raise TypeError(f"no facts are called {', '.join(sorted(unknown))}")
        return self.over(msgspec.to_builtins(changes))

    def over(self, written: Mapping[str, Any]) -> "Facts":
        """These facts and those of `written`, which count where both say something."""
        return Facts.read({**self.written, **written}, where="")

    def without_failures(self) -> "Facts":
        """What an executable wrote of itself, for a record of more than one launch."""
        return Facts.read({k: v for k, v in self.written.items() if k != "failures"}, where="")

    def shown(self, key: str) -> dict[str, Any]:
        """An object among the facts with all its keys, to be shown; empty: there is none."""
        value = self.written.get(key)
        return value if isinstance(value, dict) else {}

    def side(self, name: str) -> "tuple[dict[str, Any], Facts]":
        """The context that one side's executable wrote, and the facts in it."""
        context = self.sides.get(name, {})
        return context, _converted(_inner(context), where="")


def _converted(written: Mapping[str, Any], where: str) -> Facts:
    said = {key: value for key, value in written.items() if value is not None and key}
    facts = converted(said, Facts, where=where, what="a record of Assay (in `context.assay`)")
    msgspec.structs.force_setattr(facts, "written", dict(written))
    return facts


def _inner(context: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = context.get("assay")
    return inner if isinstance(inner, dict) else {}


def _fields(facts: Facts) -> dict[str, Any]:
    return {key: getattr(facts, key) for key in _DEFAULTS}


_DEFAULTS: dict[str, Any] = {}
_EMPTY = Facts()
_DEFAULTS.update(
    {name: getattr(_EMPTY, name) for name in Facts.__struct_fields__ if name != "written"}
)
