"""Reads what libMicro prints: `exec -E ... > exec.out`, or its whole catalogue in one file.

    record = parse(Path("base0.out").read_bytes(), "base0.out")
    record.samples[0].values["real_time"]      # microseconds a call

`!Key<tab>Value` lines are facts of the host, `#` begins a comment, a line with `errors` is a
heading; a row is name, processes, threads, usecs/call, samples and the case's own columns.
libMicro's statistics and histogram are of calls within one launch: no interval is made of them.
"""

import re
from collections.abc import Iterable
from typing import Any

from assay.errors import InputError
from assay.facts import Facts
from assay.model import Failure, Record, Sample

_ROW = re.compile(r"[A-Za-z_]")  # a line that begins with the name of a benchmark
_FACT = re.compile(r"!([^\t]*)\t(.*)")  # a fact of the host: `!Key<tab>Value`
_LEAST_COLUMNS = 4  # columns of a row at least: name, processes, threads, time


def looks_like(data: bytes) -> bool:
    """Whether libMicro printed this: its heading is in it, or a line with a fact of the host."""
    return b"usecs/call" in data or re.search(rb"^!\w[^\t\n]*\t", data, re.MULTILINE) is not None


def parse(data: bytes, origin: str) -> Record:
    """The record in what libMicro printed; `origin` names it in messages. Times are in us a call.

    Raises `InputError` naming the line that is wrong.
    """
    lines = data.decode(errors="replace").splitlines()
    facts, command = _facts(lines), _command(lines)
    rows: list[tuple[str, float, tuple[int, int], int]] = []
    failures: list[Failure] = []
    for number, line in enumerate(lines, 1):
        if not _ROW.match(line) or "errors" in line:
            continue
        words = line.split()
        if len(words) > 1 and words[1].startswith("ERROR"):
            failures.append(Failure(benchmark=words[0], what=" ".join(words[1:])))
            continue
        rows.append(_parsed_row(words, f"{origin}: line {number}"))
    if not rows and not failures:
        raise InputError("holds no libMicro row", where=origin, hint="measure again")
    return Record(
        context={"host_name": facts["Machine_name"]} if "Machine_name" in facts else {},
        facts=Facts(libmicro={**facts, **({"command": command} if command else {})}),
        samples=_samples(rows),
        failures=tuple(failures),
        origin=origin,
    )


def _facts(lines: Iterable[str]) -> dict[str, Any]:
    found = (_FACT.match(line) for line in lines)
    return {one[1].strip().rstrip(":"): one[2].strip() for one in found if one}


def _command(lines: list[str]) -> str:
    """The command line that made the file: its first comment, in a file made with -E."""
    return lines[0][1:].strip() if lines and re.match(r"#\s*\S", lines[0]) else ""


def _parsed_row(words: list[str], where: str) -> tuple[str, float, tuple[int, int], int]:
    try:
        processes, threads, usecs = int(words[1]), int(words[2]), float(words[3])
        samples = int(words[4]) if len(words) > _LEAST_COLUMNS else 1
    except (IndexError, ValueError):
        hint = "expected name, prc, thr, usecs/call, samples"
        raise InputError(f"{' '.join(words)[:80]!r} is no row", where=where, hint=hint) from None
    if not 0 <= usecs < float("inf"):
        raise InputError(f"{words[0]!r} took {words[3]} us", where=where, hint="measure again")
    return words[0], usecs, (processes, threads), samples


def _samples(rows: list[tuple[str, float, tuple[int, int], int]]) -> tuple[Sample, ...]:
    """A sample for each row. Rows of one name are launches of one benchmark, if they had as many
    processes and threads; else both numbers are added to the name."""
    teams: dict[str, tuple[int, int]] = {}
    found = []
    for launch, (name, usecs, team, calls) in enumerate(rows):
        alike = teams.setdefault(name, team) == team
        found.append(
            Sample(
                benchmark=name if alike else f"{name} ({team[0]}x{team[1]})",
                values={"real_time": (usecs,)},
                time_unit="us",
                iterations=calls,
                threads=team[0] * team[1],
                launch=launch,
            )
        )
    return tuple(found)
