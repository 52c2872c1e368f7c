"""What `assay overhead PLAN.toml` was asked to do: read once, then never changed.

plan = read_plan(Path("exec.toml"), PlanOverrides(conditions=("auditd",)))
plan.conditions[0].name     # "undisturbed"
"""

import shlex
import string
from pathlib import Path

import msgspec

from assay.errors import InputError, UsageError
from assay.measure.conditions import proof
from assay.measure.conditions.condition import Condition
from assay.measure.effort import Effort
from assay.model import Settings
from assay.project.toml_file import read_toml
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import Measuring

UNDISTURBED = "undisturbed"
_HINT = "docs/reference/overhead-plan.md has all keys"


class _Measure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    budget_s: float = 240.0
    rounds: int | None = None
    confidence: float = 0.99
    # Measuring stops when every interval's half width is at most this, as a fraction.
    precision: float = 0.01
    margin: float = 0.01
    min_time_ms: float = 10.0
    repetitions: int = 15
    timeout_s: float = 120.0
    pin: int | None = None
    seed: int | None = None  # None: each experiment draws a new seed


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    target: str
    condition: tuple[Condition, ...]
    filter: str = ""
    undisturbed: str = UNDISTURBED
    measure: _Measure = _Measure()


class PlanOverrides(msgspec.Struct, frozen=True):
    """Options of the command line that replace values of the plan.

    None and empty replace nothing.
    """

    target: str | None = None
    filter: str | None = None
    conditions: tuple[str, ...] = ()
    rounds: int | None = None
    budget_s: float | None = None
    seed: int | None = None
    fresh_seed: int = 0  # used if neither command line nor plan has a seed
    keep: Destination = msgspec.field(default_factory=Destination)


class OverheadPlan(msgspec.Struct, frozen=True):
    """The request of one `assay overhead`."""

    folder: Path  # the folder that contains the plan's file
    target: str
    conditions: tuple[Condition, ...]  # the undisturbed one is first
    filter: str = ""
    precision: float = 0.01
    measuring: Measuring = msgspec.field(default_factory=Measuring)
    settings: Settings = msgspec.field(default_factory=lambda: Settings(margin=0.01, alpha=0.01))
    keep: Destination = msgspec.field(default_factory=Destination)


def read_plan(path: Path, choice: PlanOverrides) -> OverheadPlan:
    """Read a plan. `InputError` if the file is wrong, `UsageError` if `choice` does not fit it."""
    file = read_toml(path, _File, hint=_HINT, missing="see examples/overhead")
    _check(file, path)
    folder = path.absolute().parent
    wanted = _chosen(file, choice.conditions)
    measure = file.measure
    return OverheadPlan(
        folder=folder,
        target=string.Template(choice.target or file.target).safe_substitute(PLAN=str(folder)),
        conditions=(
            Condition(name=file.undisturbed),
            *(_with_plan_folder(one, folder) for one in wanted),
        ),
        filter=file.filter if choice.filter is None else choice.filter,
        precision=measure.precision,
        measuring=Measuring(
            effort=Effort(min_time_s=measure.min_time_ms / 1e3, repetitions=measure.repetitions),
            rounds=measure.rounds if choice.rounds is None else choice.rounds,
            budget_s=measure.budget_s if choice.budget_s is None else choice.budget_s,
            timeout_s=measure.timeout_s,
            pin=measure.pin,
            seed=_first_known(choice.seed, measure.seed, choice.fresh_seed),
        ),
        settings=Settings(margin=measure.margin, alpha=1.0 - measure.confidence),
        keep=choice.keep,
    )


def _first_known(*seeds: int | None) -> int:
    return next(seed for seed in seeds if seed is not None)


def _check(file: _File, path: Path) -> None:
    """Check the values of a plan beyond their types. Raises `InputError`."""
    measure, where = file.measure, str(path)
    names = [file.undisturbed, *(one.name for one in file.condition)]
    twice = [name for name in names if names.count(name) > 1]
    if not file.condition or not all(names) or twice:
        what = f"two conditions are called {twice[0]!r}" if twice else "names no condition"
        raise InputError(what, where=where, hint="give each [[condition]] a name of its own")
    if not (0.5 <= measure.confidence < 1 and measure.precision > 0 and measure.margin >= 0):
        raise InputError(
            "confidence lies between 0.5 and 1, precision above 0, margin not below", where=where
        )
    if min(measure.budget_s, measure.min_time_ms, measure.timeout_s, measure.repetitions) <= 0:
        raise InputError("times and repetitions must be more than nothing", where=where)
    if measure.rounds is not None and measure.rounds < 1:
        raise InputError("rounds must be 1 or more", where=where)
    for one in file.condition:
        _check_condition(one, f"{where}: condition {one.name!r}")


def _check_condition(one: Condition, where: str) -> None:
    if one.ready and not one.background:
        raise InputError("`ready` without a `background` to say it", where=where)
    if one.stop not in ("TERM", "INT", "HUP", "QUIT", "KILL", "USR1", "USR2"):
        raise InputError(f"`stop` is {one.stop!r}, no signal", where=where, hint="try TERM or INT")
    if one.proof:
        proof.check_proof(one.proof, where)
    proof.pattern_groups(one.ready, where)
    for text in (one.wrap, one.background):
        words(text, where)


def words(text: str, where: str) -> list[str]:
    """Split a command line. Raises `InputError` if a shell could not split it either."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise InputError(f"cannot split {text!r}: {error}", where=where) from None


def _chosen(file: _File, names: tuple[str, ...]) -> list[Condition]:
    known = {one.name: one for one in file.condition}
    for name in names:
        if name not in known:
            hint = f"there is {', '.join(known)}"
            raise UsageError("no such condition", where=f"--condition {name}", hint=hint)
    return [one for one in file.condition if not names or one.name in names]


def _with_plan_folder(one: Condition, folder: Path) -> Condition:
    """The condition with $PLAN replaced in its wrapper, so that the program can be looked up."""
    return msgspec.structs.replace(one, wrap=one.wrap.replace("$PLAN", str(folder)))
