"""Checks that every C++ header says its purpose and has an example, and that it is compiled.

    for line in lost(headers(sources, public), compiled(Path("tests/native/header_examples"))): ...

The example is the part of the opening comment that is indented by three spaces, from after the
purpose to the next line of prose. Its lines are together in a file of tests/native/header_examples,
where they are compiled and mostly run. Spaces do not count. A blank line separates parts of an
example that may be apart from each other.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

# Folders below `native/` or `labs/` (without those inside them) and single headers, besides public
# headers.
ROOMS = frozenset(
    {
        *("base", "system", "record", "gbench"),
        *("measure/allocations", "measure/counters", "measure/latency", "measure/launch"),
        *("index", "index/options", "index/workload", "index/check", "index/run", "index/report"),
        "os/harness",
    }
)
SINGLE = frozenset({"os/cli/catalogue.hpp", "os/cli/command.hpp", "os/cli/libmicro_facts.hpp"})
PURPOSE, EXAMPLE = "// Purpose: ", "//   "

Lines = list[str]


def headers(sources: Mapping[str, Path], public: Iterable[str]) -> list[Path]:
    """The headers that need an example; `sources` has paths below `native/` or `labs/` as keys."""
    single = SINGLE.union(public)
    return [
        path
        for name, path in sources.items()
        if path.suffix == ".hpp" and (name in single or name.rpartition("/")[0] in ROOMS)
    ]


def compiled(folder: Path) -> list[Lines]:
    """For each file of examples its lines, normalised for comparison."""
    return [_compared(path.read_text().splitlines()) for path in sorted(folder.glob("*.cpp"))]


def lost(paths: Iterable[Path], files: list[Lines]) -> Iterator[str]:
    """One message for each header without a purpose, or without an example that is compiled."""
    for path in paths:
        text = path.read_text()
        if not text.startswith(PURPOSE):
            yield f"{path}:1: does not begin with {PURPOSE!r}"
        parts = example(text)
        if not parts:
            yield f"{path}:1: no example in its opening comment"
        for part in parts:
            if not any(_holds(lines, part) for lines in files):
                yield f"{path}:1: tests/native/header_examples has not {_missed(part, files)}"


def example(text: str) -> list[Lines]:
    """The parts of a header's example, with lines normalised for comparison."""
    parts: list[Lines] = []
    is_new = True
    for line in text.splitlines():
        if line.startswith(EXAMPLE):
            if is_new:
                parts.append([])
            parts[-1] += _compared([line.removeprefix("//")])
        elif line != "//" and (parts or not line.startswith("//")):
            break
        is_new = not line.startswith(EXAMPLE)
    return parts


def _compared(lines: Lines) -> Lines:
    return [" ".join(line.split()) for line in lines if line.strip()]


def _holds(lines: Lines, part: Lines) -> bool:
    return any(lines[at : at + len(part)] == part for at in range(len(lines)))


def _missed(part: Lines, files: list[Lines]) -> str:
    """The first line that is in no file; if all are, the first of those not together."""
    for line in part:
        if not any(line in lines for lines in files):
            return f"the line of its example {line!r}"
    return f"its example in one piece, from {part[0]!r} on"
