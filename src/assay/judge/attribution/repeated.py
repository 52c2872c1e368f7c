"""The changes that two counts of the same programs both name; what one alone names is chance.

work = named_by_both_counts(first, second)      names the functions that both name

Instructions may vary from run to run: through the clock, which decides how many loops ran before
and so how memory lies, or through what the program reads. Of 112 rebuilds of unchanged programs
two named a function, and neither did so when it was counted again.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from assay.work import ExactWork, OwnChange

VARIED = "counted twice: what changed in one count only is not named ({})"


def named_by_both_counts(first: ExactWork, second: ExactWork) -> ExactWork:
    """The second count, naming only functions that the first names too, in the same direction.

    What is no longer named belongs to the unexplained rest; a note says how many (decision 37).
    """
    before = {one.what: one.told for one in first.simulated}
    simulated = (
        replace(one, told=_changes_in_both(before.get(one.what, ()), one.told))
        for one in second.simulated
    )
    kept = replace(
        second,
        told=_changes_in_both(first.told, second.told),
        told_setup=_changes_in_both(first.told_setup, second.told_setup),
        simulated=tuple(one for one in simulated if one.told),
    )
    chance = len(_named_functions(first) ^ _named_functions(second))
    return replace(kept, notes=(*kept.notes, VARIED.format(chance))) if chance else kept


def names_a_function(work: ExactWork) -> bool:
    """Whether any function is named: then the instructions are worth counting again."""
    return bool(_named_functions(work))


def _changes_in_both(
    first: Sequence[OwnChange], second: Sequence[OwnChange]
) -> tuple[OwnChange, ...]:
    """Changes in the second count that the first count has too, in the same direction."""
    known = {(one.function, one.amount > 0) for one in first}
    return tuple(one for one in second if (one.function, one.amount > 0) in known)


def _named_functions(work: ExactWork) -> set[tuple[str, str]]:
    named = {("loop", one.function) for one in work.told}
    named |= {("set-up", one.function) for one in work.told_setup}
    return named | {(each.what, one.function) for each in work.simulated for one in each.told}
