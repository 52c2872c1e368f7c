"""Does `assay why` name the function that was made slower? Slowdowns injected by script.

    ./dev bench why_injections
    .venv/bin/python -m benchmarks.why_injections [--code FOLDER]... [--only RE] [--cxx clang++-14]
        [--flags "-O2 -g"] [--tuned-on RE] [--rebuilds 20] [--cache FOLDER]

`--code` takes any folder of such code as `benchmarks/injected_code.py` describes, ours or somebody
else's; `--tuned-on` says on which code bases the rules of attribution were made, so that the rest
is counted by itself.
"""

import argparse
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks.injected_code import Builder, CodeBase, Injection, code_bases
from benchmarks.tools import ASSAY, ROOT, promised

CODE = ROOT / "benchmarks" / "native" / "why"
TUNED_ON = "^(log|shapes|table|text|tree|grid|dense|snappy)$"
SET_UP = "set-up"
_FEWEST = 0.02  # of a benchmark's instructions, or of what a simulated processor makes of them


@dataclass(frozen=True)
class Outcome:
    """Where the true function stands: 1 is first; None: it is not named."""

    code: CodeBase
    injection: Injection
    place: int | None
    whole: float
    said: str
    seconds: float


def explained(base: Path, candidate: Path) -> tuple[dict[str, Any], float]:
    """What `assay why` says, and how long it takes."""
    out = candidate.parent / "why.json"
    began_s = time.perf_counter()
    command = [ASSAY, "why", str(base), str(candidate), "--json", str(out), "-q"]
    command += ["--stages", "work"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - began_s
    (found,) = json.loads(out.read_text())["benchmarks"]
    for part in (found["loop"], found["setup"], *found["simulated"]):
        if part["unexplained"] != 0:
            raise SystemExit(f"{candidate}: {part['unexplained']} unexplained")
        for name in impossible(part):
            raise SystemExit(f"{candidate}: {name} cannot have changed by so much")
    return dict(found), seconds


def impossible(part: dict[str, Any]) -> list[str]:
    """Functions that are said to save more than there was, or to add more than there is now."""
    return [
        one["function"]
        for one in part["changes"]
        if not -part["base"] <= Fraction(one["amount"]) <= part["candidate"]
    ]


def outcome(code: CodeBase, injection: Injection, found: dict[str, Any], seconds: float) -> Outcome:
    """Of a set-up only injection: the loop must be told to be the same, where it is.

    Some set-ups leave the loop more to do: a heap in another state, elements in another order.
    """
    set_up = injection.kind == SET_UP
    named = found["setup"]["named"] if set_up else found["named"]
    place = next((i for i, name in enumerate(named, 1) if _is(injection.function, name)), None)
    loop_is_same = abs(found["loop"]["whole"]) * 1000 < found["loop"]["base"]
    if set_up and loop_is_same and found["named"]:
        place = None
    said = ", ".join(name[:40] for name in named[:3]) or "nothing"
    return Outcome(code, injection, place, _slower(found, set_up), said, seconds)


def _is(function: str, name: str) -> bool:
    """Without template arguments. Debug information has 'Log' for what is inlined of `Log::Log`."""
    bare = _without_arguments(name)
    return function in name or function in bare or function.rpartition("::")[2] == bare


def _without_arguments(name: str) -> str:
    """'List::insert(int)' of 'List<int, Less<int> >::insert(int)'."""
    found, depth = "", 0
    for letter in name:
        depth += letter == "<"
        found += letter if depth == 0 else ""
        depth -= letter == ">" and depth > 0
    return found


def _slower(found: dict[str, Any], set_up: bool) -> float:
    """By how much, with misses at what they are worth."""
    if set_up:
        return _share(found["setup"]["whole"], found["setup"]["base"])
    parts = [(1, found["loop"]), *((one["worth"], one) for one in found["simulated"])]
    whole = sum(worth * part["whole"] for worth, part in parts)
    return _share(whole, sum(worth * part["base"] for worth, part in parts))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def main(
    folders: Sequence[Path] = (CODE,),
    builder: Builder | None = None,
    *,
    only: str = "",
    tuned_on: str = TUNED_ON,
    rebuilds: int = 2,
) -> bool:
    """Print the tables; whether what is promised is kept."""
    with tempfile.TemporaryDirectory(prefix="assay-why-") as name:
        builder = builder or Builder(Path(name), "g++", "-O2 -g")
        codes = [code for folder in folders for code in code_bases(folder)]
        outcomes = [one for code in codes for one in _outcomes(code, builder, only)]
        alarms = sum(_alarms(code, builder, rebuilds) for code in codes)
    _tables(outcomes, tuned_on)
    weak = [one.injection.name for one in outcomes if one.whole < _FEWEST]
    print(f"slow down by less than {_FEWEST:.0%}: {', '.join(weak) or 'none'}")
    return _kept(outcomes, alarms, rebuilds * len(codes))


def _outcomes(code: CodeBase, builder: Builder, only: str) -> list[Outcome]:
    found = []
    for one in code.injections:
        if re.search(only, one.name):
            candidate = builder.build(code, one.name)
            found.append(outcome(code, one, *explained(builder.build(code, ""), candidate)))
            _print(found[-1])
    return found


def _tables(outcomes: Sequence[Outcome], tuned_on: str) -> None:
    """How many are first and among the first three, by what they are."""
    groups: list[tuple[str, Callable[[Outcome], str]]] = [
        ("rules made on it", lambda one: "yes" if re.search(tuned_on, one.code.name) else "no"),
        ("code base", lambda one: one.code.name),
        ("kind", lambda one: one.injection.kind),
        ("how", lambda one: one.injection.how or "a function of its own"),
    ]
    for title, key in groups:
        print(f"by {title}:")
        for value in sorted({key(one) for one in outcomes}):
            some = [one for one in outcomes if key(one) == value]
            first, three = _within(some, 1), _within(some, 3)
            print(f"  {value:22} {len(some):4} first {first:4} within three {three:4}")


def _within(outcomes: Sequence[Outcome], places: int) -> int:
    return sum(one.place is not None and one.place <= places for one in outcomes)


def _kept(outcomes: Sequence[Outcome], alarms: int, rebuilds: int) -> bool:
    count = len(outcomes)
    print(f"{rebuilds} A/A rebuilds: {alarms} name a function")
    kept = (
        [promised("A/A rebuilds in which a function is named", alarms, 0, "")] if rebuilds else []
    )
    if outcomes:
        first, three = _within(outcomes, 1), _within(outcomes, 3)
        print(f"{count} injections: first {first}, among the first three {three}")
        kept += [
            promised("named not first", 1 - first / count, 0.10, "of 1"),
            promised("not among the first three", 1 - three / count, 0.02, "of 1"),
            promised("longest answer", max(one.seconds for one in outcomes), 60, "s"),
        ]
    return bool(kept) and all(kept)


def _alarms(code: CodeBase, builder: Builder, rebuilds: int) -> int:
    """Rebuilds elsewhere of which something is said, although nothing should be."""
    alarms = 0
    for number in range(rebuilds):
        again = f"{'x' * (number % 5)}{number}"  # so that paths differ in length, too
        found, _ = explained(builder.build(code, ""), builder.build(code, "", again=again))
        named = [*found["named"], *found["setup"]["named"]]
        print(f"  A/A {code.name:10} loop {found['loop']['whole']:+d}, named: {named or 'none'}")
        alarms += bool(named)
    return alarms


def _print(one: Outcome) -> None:
    place = "-" if one.place is None else str(one.place)
    print(
        f"  {place} {one.injection.name:18} {one.injection.kind:11} {one.injection.how:8} "
        f"{one.whole:+8.2%} {one.injection.function:16} {one.seconds:4.1f} s  named: {one.said}",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--code", type=Path, action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--flags", default="-O2 -g")
    parser.add_argument("--tuned-on", default=TUNED_ON)
    parser.add_argument("--rebuilds", type=int, default=2)
    parser.add_argument("--cache", type=Path)
    given = parser.parse_args()
    kept = main(
        given.code or [CODE],
        Builder(given.cache.resolve(), given.cxx, given.flags) if given.cache else None,
        only=given.only,
        tuned_on=given.tuned_on,
        rebuilds=given.rebuilds,
    )
    raise SystemExit(0 if kept else 1)
