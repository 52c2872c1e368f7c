"""The source of both sides around the lines whose cost changed.

sources(found.work, ("old/bench", "new/bench"))[0].parts
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from assay.judge.attribution.annotated import excerpts_around_changes, lines_by_number
from assay.judge.attribution.by_line import cost_by_line
from assay.machine_code import Source
from assay.measure.profile.program.own_code import own_function
from assay.measure.profile.program.sources import SourceText, read_source
from assay.work import ExactWork, Place

_MOST_FILES = 8  # at most so many source files are shown, those whose costs changed most
# A source line is shown if its cost changed by at least 1/1000 of the instructions in the base's
# loop.
_FRACTION = 1000
Costs = Mapping[int, int]


def sources(work: ExactWork, binaries: tuple[str, str]) -> tuple[Source, ...]:
    """Source files with their costs, the most changed one first; none without debug information."""
    if work.sides is None:
        return ()
    smallest = max(work.loop.base / _FRACTION, work.loop.iterations / 2)
    base, candidate = (_by_file(cost_by_line(side.loop)) for side in work.sides)
    both = _pairs_of_files(base, candidate)
    both.sort(key=lambda pair: -_difference(base.get(pair[0], {}), candidate.get(pair[1], {})))
    found = (
        _source(files, (base.get(files[0], {}), candidate.get(files[1], {})), binaries, smallest)
        for files in both[:_MOST_FILES]
    )
    return tuple(one for one in found if one.parts)


def _by_file(costs: Mapping[Place, int]) -> dict[str, Costs]:
    found: dict[str, dict[int, int]] = defaultdict(dict)
    for place, cost in costs.items():
        if own_function("", place.file):
            found[place.file][place.line] = cost
    return dict(found)


def _pairs_of_files(
    base: Mapping[str, Costs], candidate: Mapping[str, Costs]
) -> list[tuple[str, str]]:
    """Pairs of files: those with equal paths, else those with the longest common end."""
    found = [(file, file) for file in candidate if file in base]
    left = [file for file in base if file not in candidate]
    for file in (one for one in candidate if one not in base):
        best = max(left, key=lambda one: _common_end(one, file), default="")
        if best and _common_end(best, file):
            left.remove(best)
            found.append((best, file))
        else:
            found.append(("", file))
    return [*found, *((file, "") for file in left)]


def _common_end(one: str, other: str) -> int:
    """How many components two paths have in common at their ends."""
    count = 0
    for a, b in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if a != b:
            break
        count += 1
    return count


def _difference(base: Costs, candidate: Costs) -> int:
    return sum(abs(candidate.get(line, 0) - base.get(line, 0)) for line in {*base, *candidate})


def _source(
    files: tuple[str, str], costs: tuple[Costs, Costs], binaries: tuple[str, str], smallest: float
) -> Source:
    base, candidate = map(read_source, files, binaries)
    name = files[1] or files[0]
    if (files[0] and not base.lines) or (files[1] and not candidate.lines):
        lines = lines_by_number(*costs, smallest)
        return Source(name, (lines,) if lines else (), "; ".join(_notes(files, base, candidate)))
    parts = excerpts_around_changes(base.lines, candidate.lines, *costs, smallest)
    return Source(name, parts, "; ".join(_notes(files, base, candidate)))


def _notes(files: tuple[str, str], *texts: SourceText) -> Iterator[str]:
    for side, file, text in zip(("base", "candidate"), files, texts, strict=True):
        if file and text.why:
            yield f"{side}: {text.why}"
