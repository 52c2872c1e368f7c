"""Does a benchmark execute the same code on the same data on both sides? compare_footprints().

    found = compare_footprints(base, candidate, iterations=5000)
    found.same, found.why       False, "`parse` is not the same code"

What a program does follows from its code, its data and what it reads. Where all three are the same
on both sides, apart from where they lie, no change of the source can be the reason of a difference
in time: it comes from placement, or from chance. So `same` needs all of it: the code of the loop
and of all that was executed before it, the data that this code refers to, the size of what shares
cache lines with them, the system's libraries, and the files that were opened. As a check on all
that, each instruction of the loop must have been executed equally often (decision 42).
"""

from collections import Counter
from collections.abc import Callable, Sequence

from assay.same_code import Chunk, Footprint, SameCode

_Check = Callable[[Footprint, Footprint], str]  # says how two footprints differ; empty: they do not
_NAMED = 3  # functions that a sentence names: how much a reader is shown, by no decision
_NO_LOOP = "not compared: no loop of as many iterations was traced on both sides"
_OTHER_COUNTS = "the same code is executed another number of times"


def compare_footprints(base: Footprint, candidate: Footprint, iterations: int) -> SameCode:
    """Whether two footprints are the same code on the same data, and if not, why (decision 42).

    `iterations` is how many a measured launch does. If fewer were traced, the answer is "not
    compared", because what is done in later ones is not known.
    """
    for side, one in (("base", base), ("candidate", candidate)):
        if one.refused:
            return SameCode(False, f"not compared: the {side}: {one.refused}")
        if not one.code or not one.loops:
            return SameCode(False, f"not compared: nothing of the {side} was executed")
    # The same program, of which one may be stripped, has the same code wherever it is looked at.
    is_one = bool(base.loaded) and base.loaded == candidate.loaded
    checks: tuple[_Check, ...] = (_sentence_on_libraries, _sentence_on_inputs, _sentence_on_totals)
    if not is_one:
        checks = (
            _sentence_on_code,
            _sentence_on_libraries,
            _sentence_on_inputs,
            _resized_neighbour,
            _sentence_on_counts,
        )
    why = next((said for check in checks if (said := check(base, candidate))), "")
    traced = min(base.iterations, candidate.iterations)
    if not why and traced < iterations:
        why = f"not compared: {traced:,} iterations were traced, and a launch does {iterations:,}"
    return SameCode(not why, why or "same machine code")


def _sentence_on_code(base: Footprint, candidate: Footprint) -> str:
    """A sentence on how code or data differ; empty: they do not.

    Where functions are equal but refer to others than before, the sentence names none.
    """
    ours, theirs = (Counter(_labels(side)) for side in (base, candidate))
    if ours == theirs:
        return ""
    for what, mine, other in (
        ("code", base.code, candidate.code),
        ("data", base.data, candidate.data),
    ):
        if names := _names_that_differ(mine, other):
            return f"{names} is not the same {what}"
    return "the same code refers to other code or data"


def _labels(side: Footprint) -> list[str]:
    return [one.label for one in (*side.code, *side.data)]


def _names_that_differ(base: Sequence[Chunk], candidate: Sequence[Chunk]) -> str:
    """Names of the functions or data whose content only one side has; empty: there are none."""
    ours, theirs = (Counter(one.own for one in side) for side in (base, candidate))
    gone, new = ours - theirs, theirs - ours
    if not gone and not new:
        return ""
    names = [one.name for one in candidate if one.own in new]
    names += [one.name for one in base if one.own in gone]
    known = list(dict.fromkeys(name for name in names if name))
    more = f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
    return f"{', '.join(known[:_NAMED])}{more}" if known else "something without a name"


def _sentence_on_libraries(base: Footprint, candidate: Footprint) -> str:
    if base.libraries == candidate.libraries:
        return ""
    names = set(base.libraries.items()) ^ set(candidate.libraries.items())
    return f"{min(name for name, _ in names)} is not the same library"


def _sentence_on_inputs(base: Footprint, candidate: Footprint) -> str:
    ours, theirs = (Counter(content for _, content in side.inputs) for side in (base, candidate))
    if ours == theirs:
        return ""
    changed = (ours - theirs) + (theirs - ours)
    named = (name for name, content in (*candidate.inputs, *base.inputs) if content in changed)
    return f"it opens {next(named)}, which is not the same file"


def _resized_neighbour(base: Footprint, candidate: Footprint) -> str:
    for name in sorted({*base.neighbours, *candidate.neighbours}):
        if base.sizes.get(name) != candidate.sizes.get(name):
            return f"{name} has another size, in a cache line with data of the loop"
    return ""


def _sentence_on_counts(base: Footprint, candidate: Footprint) -> str:
    """How the counts of executed instructions differ, in the largest loop that both sides ran after
    the same loops before it; empty: they do not."""
    last = _last_loop_of_both(base, candidate)
    if last is None:
        return _NO_LOOP
    return _OTHER_COUNTS if base.loops[last].digest != candidate.loops[last].digest else ""


def _sentence_on_totals(base: Footprint, candidate: Footprint) -> str:
    """As `_sentence_on_counts`, where the same instructions may be told by other names."""
    last = _last_loop_of_both(base, candidate)
    if last is None:
        return _NO_LOOP
    ours, theirs = base.loops[last].instructions, candidate.loops[last].instructions
    return _OTHER_COUNTS if ours != theirs else ""


def _last_loop_of_both(base: Footprint, candidate: Footprint) -> str | None:
    last = None
    for ours, theirs in zip(base.loops, candidate.loops, strict=False):
        if ours != theirs:
            break
        last = ours
    return last
