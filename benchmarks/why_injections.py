"""Does `assay why` name the function that was made slower? Slowdowns injected by script.

    ./dev bench why_injections
    .venv/bin/python -m benchmarks.why_injections [--code FOLDER] [--only RE] [--flags "-O2 -g"]

`benchmarks/native/why` holds small code bases with their injections as comments: "//+NAME code"
is put into effect, a line that ends in "//-NAME" is left out, and "//@ NAME | KIND | FUNCTION"
says which function then is the reason. `--code` takes any folder of such files.
"""

import argparse
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.tools import ASSAY, ROOT, promised

CODE = ROOT / "benchmarks" / "native" / "why"
FLAGS = "-std=c++20 -O2 -g"
SET_UP = "set-up"


@dataclass(frozen=True)
class Injection:
    """One slowdown, and the function that it is in."""

    name: str
    kind: str
    function: str
    source: Path


@dataclass(frozen=True)
class Outcome:
    """Where the true function stands: 1 is first; None: it is not named."""

    injection: Injection
    place: int | None
    whole: str
    said: str
    seconds: float


def injections(folder: Path) -> Iterator[Injection]:
    """All that the files declare."""
    for source in sorted(folder.glob("*.cpp")):
        for line in source.read_text().splitlines():
            if line.startswith("//@ "):
                name, kind, function = (part.strip() for part in line[4:].split("|"))
                yield Injection(name, kind, function, source)


def injected(text: str, name: str) -> str:
    """The source with this injection in effect; of an empty name: as it is."""
    lines = []
    for line in text.splitlines():
        put = re.match(rf"(\s*)//\+{re.escape(name)} (.*)", line) if name else None
        if put:
            lines.append(put[1] + put[2])
        elif not (name and re.search(rf"//-{re.escape(name)}$", line)):
            lines.append(line)
    return "\n".join(lines) + "\n"


def build(source: Path, name: str, folder: Path, flags: str) -> Path:
    """The executable, built in a folder of its own as people have it."""
    place = folder / f"{source.stem}-{name or 'base'}"
    place.mkdir(exist_ok=True)
    (place / source.name).write_text(injected(source.read_text(), name))
    command = ["c++", *flags.split(), source.name, "-o", "bench", "-lbenchmark", "-lpthread"]
    subprocess.run(command, cwd=place, check=True)
    return place / "bench"


def explained(base: Path, candidate: Path) -> tuple[dict[str, Any], float]:
    """What `assay why` says, and how long it takes."""
    out = candidate.parent / "why.json"
    began_s = time.perf_counter()
    command = [ASSAY, "why", str(base), str(candidate), "--json", str(out), "-q"]
    command += ["--stages", "work"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - began_s
    (found,) = json.loads(out.read_text())["benchmarks"]
    return dict(found), seconds


def outcome(injection: Injection, found: dict[str, Any], seconds: float) -> Outcome:
    """Of a set-up only injection: the loop must be told to be the same."""
    part = found["setup" if injection.kind == SET_UP else "loop"]
    place = next((i for i, name in enumerate(part["named"], 1) if injection.function in name), None)
    if injection.kind == SET_UP and found["loop"]["named"]:
        place = None
    whole = f"{part['whole'] / part['base']:+.2%}" if part["base"] else "?"
    said = ", ".join(name[:40] for name in part["named"][:3]) or "nothing"
    if part["unexplained"] != 0:
        raise SystemExit(f"{injection.name}: {part['unexplained']} unexplained")
    return Outcome(injection, place, whole, said, seconds)


def main(code: Path = CODE, only: str = "", flags: str = FLAGS) -> bool:
    """Print the tables; whether what is promised is kept."""
    todo = [one for one in injections(code) if re.search(only, one.name)]
    with tempfile.TemporaryDirectory(prefix="assay-why-") as name:
        folder = Path(name)
        bases = {one.source: build(one.source, "", folder, flags) for one in todo}
        outcomes = []
        for one in todo:
            candidate = build(one.source, one.name, folder, flags)
            outcomes.append(outcome(one, *explained(bases[one.source], candidate)))
            _print(outcomes[-1])
        alarms = sum(_same(source, base, folder, flags) for source, base in bases.items())
    first = sum(one.place == 1 for one in outcomes)
    three = sum(one.place is not None and one.place <= 3 for one in outcomes)
    print(f"{len(outcomes)} injections: first {first}, among the first three {three}")
    slowest_s = max((one.seconds for one in outcomes), default=0.0)
    return all(
        [
            promised("named not first", 1 - first / len(outcomes), 0.10, "of 1"),
            promised("not among the first three", 1 - three / len(outcomes), 0.02, "of 1"),
            promised("A/A rebuilds in which a function is named", alarms, 0, ""),
            promised("longest answer", slowest_s, 60, "s"),
        ]
    )


def _same(source: Path, base: Path, folder: Path, flags: str) -> bool:
    """A rebuild elsewhere, of which nothing should be said; whether something is."""
    (folder / "again").mkdir(exist_ok=True)
    found, _ = explained(base, build(source, "", folder / "again", flags))
    named = [*found["loop"]["named"], *found["setup"]["named"]]
    print(f"  A/A {source.stem:10} loop {found['loop']['whole']:+d}, named: {named or 'none'}")
    return bool(named)


def _print(one: Outcome) -> None:
    place = "-" if one.place is None else str(one.place)
    print(
        f"  {place} {one.injection.name:16} {one.injection.kind:11} {one.whole:>9} "
        f"{one.injection.function:14} {one.seconds:4.1f} s  named: {one.said}",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--code", type=Path, default=CODE)
    parser.add_argument("--only", default="")
    parser.add_argument("--flags", default=FLAGS)
    given = parser.parse_args()
    raise SystemExit(0 if main(given.code, given.only, given.flags) else 1)
