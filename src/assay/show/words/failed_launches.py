"""Sentences about failed launches of benchmarks that went on being measured.

"BM_copy: 7 of 60 launches of the candidate crashed with SIGSEGV, 0 of 60 of the base: it fails
more often."
"""

from assay.model import FailedLaunches, Judgement, SideFailures
from assay.show.words import format

_MOST_SAID = 160  # a longer text on how a launch failed loses characters in the middle


def sentences(judgement: Judgement) -> list[str]:
    """A sentence for each benchmark with failed launches; those that fail more often come first."""
    told = sorted(judgement.failed_launches, key=lambda one: not one.more_often)
    return [f"{format.name(one.benchmark)}: {sentence(one)}" for one in told]


def sentence(one: FailedLaunches) -> str:
    """How many launches failed on each side, how, and whether the candidate fails more often."""
    worse, other = (one.candidate, "candidate"), (one.base, "base")
    if one.base.failed > one.candidate.failed:
        worse, other = other, worse
    rest = f"{other[0].failed:,} of {other[0].launches:,} of the {other[1]}"
    return f"{_side(*worse)}, {rest}{_conclusion(one)}."


def _side(side: SideFailures, name: str) -> str:
    did = format.name(side.what.removeprefix("it ") or "failed", _MOST_SAID)
    return f"{side.failed:,} of {format.count(side.launches, 'launch')} of the {name} {did}"


def _conclusion(one: FailedLaunches) -> str:
    if one.more_often:
        return ": the candidate fails more often"
    return ": too few to tell from chance" if one.candidate.failed > one.base.failed else ""
