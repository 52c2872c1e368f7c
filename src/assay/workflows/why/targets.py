"""The targets that `assay why` can explain; for others, the reason why not.

both = explainable_both("old/bench", "git:HEAD", context)       also commands: "cmd:./server --once"
both = explainable_both("run:LAST", "", context)                both sides of a recorded comparison
"""

from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from assay.errors import UsageError
from assay.facts import Facts
from assay.measure.targets.command import CommandTarget
from assay.measure.targets.gbench import GBenchTarget
from assay.workflows.common.targets import RUN, TargetContext, is_recorded, read, resolve
from assay.workflows.why.stage import Explainable


def explainable_both(
    base: str, candidate: str, context: TargetContext
) -> tuple[Explainable, Explainable]:
    """Both targets to explain, which must be of one kind.

    Paths of executables are made equally long, because a longer path shifts the stack.
    """
    if not candidate:
        base, candidate = _sides_of(base, context)
    ours, theirs = explainable(base, context), explainable(candidate, context)
    if isinstance(ours, GBenchTarget) and isinstance(theirs, GBenchTarget):
        length = max(len(ours.argv[0]), len(theirs.argv[0]))
        return ours.named_as_long_as(length), theirs.named_as_long_as(length)
    if isinstance(ours, CommandTarget) and isinstance(theirs, CommandTarget):
        if ours.name == theirs.name:
            return ours, theirs
        return replace(ours, name="command"), replace(theirs, name="command")
    raise UsageError(
        "one side is a command and the other is not: they have no loop in common",
        where=f"{base} {candidate}",
        hint="name two commands, or two executables of Google Benchmark",
    )


def explainable(written: str, context: TargetContext) -> Explainable:
    """The target to explain. Raises `UsageError` if it cannot be run under callgrind or perf."""
    if is_recorded(written) or written.startswith(RUN):
        written = _target_of_run(written, context)
    target = resolve(written, context)
    if isinstance(target, CommandTarget):
        return target
    if not isinstance(target, GBenchTarget) or not _is_elf(target.argv[0]):
        raise UsageError(
            "is a script: callgrind counts the instructions of executables",
            where=written,
            hint="name the executable that it starts",
        )
    return target


def _sides_of(written: str, context: TargetContext) -> tuple[str, str]:
    """The two targets of a recorded comparison. Raises `InputError`, `UsageError`."""
    facts = read(written, context.store).facts if is_recorded(written) else Facts()
    if facts.design is None:
        raise UsageError(
            "one target is given, and it is no record of a comparison",
            where=written,
            hint="name BASE and CANDIDATE",
        )
    base, candidate = (_target_to_run_again(facts, written, side) for side in ("base", "candidate"))
    return base, candidate


def _target_of_run(written: str, context: TargetContext) -> str:
    """The target that a run measured, to be run again, as results alone do not say why.

    Of a comparison it is the candidate, which pages compare too.
    """
    facts = read(written, context.store).facts
    return _target_to_run_again(facts, written, "candidate" if facts.design else "target")


def _target_to_run_again(facts: Facts, written: str, side: str) -> str:
    """The target to run again. A revision is built again. An executable must not have changed since
    it was measured. Raises `InputError`, `UsageError`.
    """
    found = facts.targets.get(side, "")
    built = facts.builds.get(side)
    if built and not built.revision.endswith("-dirty"):
        return f"git:{built.revision}"
    if side == "target" and found.startswith(("git:", ".")) and (revision := _revision(facts)):
        return f"git:{revision}"
    if found.startswith("cmd:") or not found or not Path(found).is_file():
        raise UsageError(
            "holds results, and does not say which executable of this machine gave them",
            where=written,
            hint="name the two executables",
        )
    if datetime.fromtimestamp(Path(found).stat().st_mtime, UTC) > _date(facts):
        raise UsageError(
            f"was measured with a {found} that has been rebuilt since",
            where=written,
            hint="name an executable as it was then",
        )
    return found


def _revision(facts: Facts) -> str:
    """The commit that a run measured; empty if there were uncommitted changes, or none is known."""
    revision = facts.git.revision or ""
    return "" if facts.git.dirty or revision.endswith("-dirty") else revision


def _date(facts: Facts) -> datetime:
    try:
        moment = datetime.fromisoformat(facts.date)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _is_elf(path: str) -> bool:
    with Path(path).open("rb") as file:
        return file.read(4) == b"\x7fELF"
