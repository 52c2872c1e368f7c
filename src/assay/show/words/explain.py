"""How a judgement was made, in paragraphs for readers of a report."""

from collections.abc import Mapping

from assay.model import Comparison, Design, Judgement, Verdict
from assay.show.words import format, judging, remarks, summary

DESIGNS: Mapping[Design, str] = {
    Design.INTERLEAVED: (
        "Both sides were measured in rounds: one launch of each, next to each other in time, in "
        "random order. What the host did to one it mostly did to the other, so a round's ratio "
        "says more than either time."
    ),
    Design.DUET: (
        "Both sides were measured at once, on two CPUs that were swapped each round: whatever "
        "disturbed the host disturbed both."
    ),
    Design.SEQUENTIAL: (
        "One side was measured after the other. The host may have drifted in between; the "
        "intervals allow for that and are wider than those of interleaved rounds would be."
    ),
}
MEANINGS: Mapping[Verdict, str] = {
    Verdict.SLOWER: "slower: the whole interval lies beyond the margin, on the worse side.",
    Verdict.FASTER: "faster: the whole interval lies beyond the margin, on the better side.",
    Verdict.SOMETIMES_SLOWER: (
        "sometimes slower: what is usual is not slower, but a share of the launches or of the "
        "samples inside a launch is. A gate fails on it."
    ),
    Verdict.SOMETIMES_FASTER: (
        "sometimes faster: what is usual is not faster, but a share of the launches or of the "
        "samples inside a launch is."
    ),
    Verdict.DIFFERENT: "different: beyond the margin, for a metric that has no better side.",
    Verdict.PLACEMENT: (
        "placement: the time differs, but both sides execute the same machine code on the same "
        "data, which the linker put elsewhere. No change of the code is the reason, and no gate "
        "counts it (--count-placement does)."
    ),
    Verdict.SAME: "same: the whole interval lies inside the margin. Shown, not assumed.",
    Verdict.UNDECIDED: "undecided: the interval reaches across the margin. Nothing is claimed.",
}


def paragraphs(judgement: Judgement, designs: Mapping[Design, str] = DESIGNS) -> list[str]:
    """Paragraphs on the design, the margin, error control, methods, floor, steal and notes."""
    comparisons = judgement.comparisons
    lines = [designs[design] for design in dict.fromkeys(one.design for one in comparisons)]
    margin = format.percent(judgement.settings.margin)
    lines.append(f"The margin is {margin}: a smaller change is not worth anybody's attention.")
    lines.append(f"{judging.control(judgement.control)}.")
    lines += _methods(comparisons)
    if any(one.single for one in comparisons):
        lines.append(f"{summary.SINGLE[:1].upper()}{summary.SINGLE[1:]}.")
    if judgement.floor is not None:
        lines.append(_floor(judgement))
    dropped = format.percent(judgement.settings.steal_limit)
    lines.append(
        f"A round in which the hypervisor took more than {dropped} of the CPU, and more than twice"
        " what it usually takes here, is not used."
    )
    return lines + remarks.remarks(judgement.notes)


def meanings(judgement: Judgement, told: Mapping[Verdict, str] = MEANINGS) -> list[str]:
    """The meaning of each verdict that occurs."""
    given = {one.verdict for one in judgement.comparisons}
    return [text for verdict, text in told.items() if verdict in given]


def _methods(comparisons: tuple[Comparison, ...]) -> list[str]:
    return [f"Method: {format.name(one, 400)}." for one in judging.methods(comparisons)]


def _floor(judgement: Judgement) -> str:
    assert judgement.floor is not None
    floor = judgement.floor
    return (
        f"The same program against itself shows changes of up to {format.percent(floor.effect)} "
        f"here ({format.name(floor.source, 200)}); between one half of the session and the other "
        f"it drifted by up to {format.percent(floor.drift)}."
    )
