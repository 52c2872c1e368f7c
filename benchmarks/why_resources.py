"""Do the stages of memory and system calls name the function? Injections of these two kinds only.

    ./dev bench why_resources
    .venv/bin/python -m benchmarks.why_resources [--only RE] [--flags "-O2 -g"] [--same 20]

The injections are those of `benchmarks/native/why` whose kind is `allocation` or `system call`;
`why_injections` says how they are written. `--same N` asks N times about a rebuild of each.
"""

import argparse
import re
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from assay.cli.common.runtime import open_runtime
from assay.explained import Explained
from assay.resources import Amount, Deltas
from assay.workflows.why.plan import WhyPlan
from assay.workflows.why.workflow import why
from benchmarks.injected_code import Builder, CodeBase, Injection, code_bases
from benchmarks.tools import promised
from benchmarks.why_injections import CODE

FLAGS = "-O2 -g"
STAGES = {"allocation": "memory", "system call": "syscalls"}


def asked(base: Path, candidate: Path, *stages: str) -> tuple[Explained, float]:
    """What the stages say, and how long that takes."""
    began_s = time.perf_counter()
    with open_runtime(quiet=True) as runtime:
        result = why(WhyPlan(str(base), str(candidate), stages=stages), runtime)
    (found,) = result.explained
    return found, time.perf_counter() - began_s


def parts(found: Explained) -> Iterable[Deltas]:
    """Of all stages that answered."""
    if found.memory:
        yield found.memory.allocations
    if found.syscalls:
        yield found.syscalls.calls


def place_of(injection: Injection, base: Path, candidate: Path) -> tuple[int | None, float]:
    """Where the true function stands, and how long it takes to say so."""
    found, seconds = asked(base, candidate, STAGES[injection.kind])
    (part,) = parts(found)
    names = [one.function for one in part.told]
    place = next((i for i, name in enumerate(names, 1) if _is(injection.function, name)), None)
    count, size = part.whole
    total = Amount()
    for one in part.changes:
        total = total.plus(one.amount)
    if total != part.whole or part.unexplained != Amount():
        raise SystemExit(f"{injection.name}: {part.unexplained} unexplained")
    print(
        f"  {place or '-'} {injection.name:16} {injection.kind:11} "
        f"{count / part.iterations:+7.4g} {size / part.iterations:+9.5g} B "
        f"{seconds:4.1f} s  named: {', '.join(name[:40] for name in names[:3]) or 'nothing'}",
        flush=True,
    )
    return place, seconds


def _is(function: str, name: str) -> bool:
    """What is inlined from an unnamed namespace has no scope in the debug information."""
    return function in name or function.rpartition("::")[2] == name


def named_by_chance(base: Path, again: Path, times: int) -> int:
    """How often something is named, or a gauge said to have changed, where nothing did."""
    alarms = 0
    for _ in range(times):
        found, _seconds = asked(base, again, *STAGES.values())
        names = [one.function for part in parts(found) for one in part.told]
        stages = [one for one in (found.memory, found.syscalls) if one]
        names += [one.name for stage in stages for one in stage.gauges if one.is_changed]
        alarms += bool(names)
        if names:
            print(f"    named: {names}", flush=True)
    return alarms


def _injections(code: CodeBase, only: str) -> list[Injection]:
    return [one for one in code.injections if one.kind in STAGES and re.search(only, one.name)]


def _alarms(code: CodeBase, builder: Builder, same: int) -> int:
    again = builder.build(code, "", again="again")
    found = named_by_chance(builder.build(code, ""), again, same)
    print(f"  A/A {code.name:10} {found} of {same} name something", flush=True)
    return found


def main(only: str = "", flags: str = FLAGS, same: int = 4) -> bool:
    """Print the tables; whether what is promised is kept."""
    codes = [one for one in code_bases(CODE) if _injections(one, only)]
    with tempfile.TemporaryDirectory(prefix="assay-why-") as name:
        builder = Builder(Path(name), "g++", flags)
        outcomes = [
            place_of(one, builder.build(code, ""), builder.build(code, one.name))
            for code in codes
            for one in _injections(code, only)
        ]
        places, times = zip(*outcomes, strict=True)
        alarms = sum(_alarms(code, builder, same) for code in codes)
    first = sum(place == 1 for place in places)
    three = sum(place is not None and place <= 3 for place in places)
    print(f"{len(places)} injections: first {first}, among the first three {three}")
    return all(
        [
            promised("named not first", 1 - first / len(places), 0.10, "of 1"),
            promised("not among the first three", 1 - three / len(places), 0.02, "of 1"),
            promised(f"of {same * len(codes)} A/A rebuilds, those named", alarms, 0, ""),
            promised("longest answer", max(times), 60, "s"),
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--flags", default=FLAGS)
    parser.add_argument("--same", type=int, default=4)
    given = parser.parse_args()
    raise SystemExit(0 if main(given.only, given.flags, given.same) else 1)
