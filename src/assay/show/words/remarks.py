"""Remarks beside a comparison or a judgement, in words: the one place where they become text."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from assay.plurals import count
from assay.remarks import (
    BelowFloor,
    CorrelatedRounds,
    CorrelatedSuite,
    Drifts,
    DroppedRounds,
    LibrariesKept,
    NeverTogether,
    NotBegun,
    NotRelinked,
    OfBuilds,
    OfComparison,
    OfJudgement,
    OtherIterations,
    OtherLinking,
    OtherValgrinds,
    PlacementNotHeld,
    Remark,
    RemarkName,
    SecondDiffers,
    SessionNote,
    TooFewRepetitions,
    ToSeeWhy,
)

DROPPED = "dropped: CPU stolen by the hypervisor"  # follows a number of rounds
_ELSEWHERE = "the same machine code on the same data, placed elsewhere"
_NAMED: Mapping[RemarkName, str] = {
    RemarkName.NOTHING_MEASURED: "nothing was measured",
    RemarkName.NO_NUMBERS: "holds values that are no numbers, or are beyond any measurement",
    RemarkName.NEGATIVE: "holds negative numbers: a ratio of them cannot be judged",
    RemarkName.ZEROS: "holds zeros: a ratio of them cannot be judged",
    RemarkName.FROM_NONE: "from none: shown as +200 %, see base and candidate",
    RemarkName.COUNT_VARIES: (
        "not exact: its count differs from launch to launch, and is judged by how much"
    ),
    RemarkName.TWO_GROUPS: "rounds fall into two groups: a mode of the host or of memory",
    RemarkName.PLACED_ELSEWHERE: f"{_ELSEWHERE}: no gate counts the difference",
    RemarkName.PLACED_ELSEWHERE_COUNTED: _ELSEWHERE,
    RemarkName.ONE_PROGRAM: (
        "both sides are the same program: what differs is noise, and the floor of this host"
    ),
    RemarkName.ONE_PROGRAM_UNMEASURED: (
        "both sides are the same program: nothing was measured "
        "(--floor measures how far this host's noise reaches)"
    ),
}


def remark(made: Remark) -> str:
    """A remark as text; no full stop at its end."""
    if isinstance(made, RemarkName):
        return _NAMED[made]
    if isinstance(made, OfComparison):
        return _of_comparison(made)
    return _of_builds(made) if isinstance(made, OfBuilds) else _of_judgement(made)


def remarks(made: Sequence[Remark]) -> list[str]:
    """Each remark as text, in the order given."""
    return [remark(one) for one in made]


def _of_comparison(made: OfComparison) -> str:
    match made:
        case DroppedRounds(rounds):
            return f"{count(rounds, 'round')} {DROPPED}"
        case CorrelatedRounds(lag_1):
            done = "interval widened" if lag_1 > 0 else "interval left as it is"
            return f"rounds are not independent (lag-1 correlation {lag_1:.2f}): {done}"
        case Drifts(change):
            moved = f"{change:+.1%} from the first half of the rounds to the second"
            return f"the effect drifts: {moved}"
        case SecondDiffers(change):
            than = "slower" if change > 0 else "faster"
            return f"whichever runs second is {abs(change):.1%} {than}"
        case TooFewRepetitions(repetitions, wanted):
            counted = count(repetitions, "repetition")
            return f"{counted}: {wanted} a side are needed for an interval"
        case _:
            assert_never(made)


def _of_judgement(made: OfJudgement) -> str:
    match made:
        case CorrelatedSuite(correlation):
            size = f"{correlation:.2f}"
            return f"rounds are not independent over the whole suite ({size}): intervals widened"
        case BelowFloor():
            return _below_floor(made)
        case NeverTogether(benchmarks):
            named = ", ".join(benchmarks)
            return f"never measured on both sides in one usable round: {named}"
        case NotBegun(benchmarks, of):
            were = "was" if benchmarks == 1 else "were"
            return f"{benchmarks:,} of {count(of, 'benchmark')} {were} not begun: it ended before"
        case OtherIterations(benchmarks):
            named = ", ".join(benchmarks)
            return f"counted for different numbers of iterations on the two sides: {named}"
        case OtherValgrinds(versions):
            return f"counted by different versions of valgrind: {', '.join(versions)}"
        case OtherLinking(static_side):
            return (
                f"only the {static_side}'s programs are linked with no library, as a wheel's are: "
                "what starts a program or calls the C library costs less there"
            )
        case ToSeeWhy(command):
            return f"to see why: {command}"
        case SessionNote(text):
            return text
        case _:
            assert_never(made)


def _below_floor(made: BelowFloor) -> str:
    """That a suite's noise exceeds its margin: for how many benchmarks, and how large it is."""
    differs = f"A against A differs by up to {100 * made.effect:.3g} %"
    which = f": {differs}"
    if made.above:
        of = f"{made.above} of {count(made.benchmarks, 'benchmark')}"
        which = f" of {of}: {differs} ({made.worst})"
    return (
        f"the margin of {100 * made.margin:.3g} % is below the floor{which} "
        f"after {count(made.rounds, 'round')} ({made.source}); more rounds lower it"
    )


def _of_builds(made: OfBuilds) -> str:
    targets = " and ".join(made.targets)
    match made:
        case PlacementNotHeld():
            return (
                f"the build of {targets} does not take the flags that hold placement: "
                f"{made.held} of {count(made.functions, 'function')} begin "
                "at a line of the cache, so that differences may be of where code lies "
                "(docs/guides/revisions.md#placement says what to do)"
            )
        case NotRelinked():
            return (
                f"{targets} could not be linked in random orders: {made.reason}; "
                "so it has one placement "
                "(docs/guides/revisions.md#placements-drawn-at-random)"
            )
        case LibrariesKept():
            return (
                f"of {targets} the program alone was linked in random orders: "
                f"libraries of the same build stay as they are: {', '.join(made.libraries)}"
            )
        case _:
            assert_never(made)
