"""The ranked answer to why one build takes longer, in sentences.

ranked_sentences(found) "`Wal::append` does 812 more instructions an iteration (+31 %), all from
                        `memmove` called at wal.cc:88; that is 5.1 of the 6.0 points [+4.2, +5.9]"
lines_on_others(found)  "unexplained, and all others together: +0.9 points"
head(stage)             the whole of one stage; lines(found, stage): what else it says
first_sentence(found)   the first sentence, for lists
"""

from collections.abc import Iterator, Sequence

from assay.explained import Unanswered
from assay.findings import Findings, StageFindings, StageName, WhyFinding
from assay.show.words import format, why_code, why_first, why_resources, why_time, why_work

_HEADS = {
    StageName.WORK: why_work.head,
    StageName.TIME: why_time.head,
    StageName.MEMORY: why_resources.head,
    StageName.SYSCALLS: why_resources.head,
}
_LINES = {
    StageName.TIME: why_time.lines_on_moved,
    StageName.MEMORY: why_resources.line,
    StageName.SYSCALLS: why_resources.line,
    StageName.CODE: why_code.sentence,
}
_SENTENCES = {StageName.WORK: why_work.sentence, StageName.TIME: why_time.sentence}


def first_sentence(found: Findings) -> str:
    """The first sentence on why a benchmark changed, from the stage that has most to say."""
    if first := why_first.sentence(found.first):
        return first
    stages = {one.stage: one for one in found.stages}
    if StageName.WORK in stages:
        return next(ranked_sentences(found), head(stages[StageName.WORK]))
    return why_code.head(stages[StageName.CODE].head) if StageName.CODE in stages else ""


def head(stage: StageFindings) -> str:
    """A stage's first sentence: by how much base and candidate differ as a whole.

    Empty for the stage of code, whose lines say it.
    """
    return _HEADS[stage.stage](stage.head) if stage.stage in _HEADS else ""


def lines(found: Findings, stage: StageFindings) -> Iterator[str]:
    """The other sentences of a stage, on what by itself does not explain
    why the loop takes longer.
    """
    if stage.stage is StageName.WORK:
        yield from why_work.lines(stage.lines, found.most)
    else:
        yield from map(_LINES[stage.stage], stage.lines)


def numbered(stage: StageFindings) -> Iterator[str]:
    """The sentences of `lines` that have a number, without it: a page numbers lists itself."""
    yield from (why_resources.sentence(one) for one in stage.lines if one.rank)


def ranked_sentences(found: Findings) -> Iterator[str]:
    """A sentence for each function that explains part of the difference, the largest part first."""
    yield from map(_sentence_on_work_and_time, found.answer)


def lines_on_others(found: Findings) -> Iterator[str]:
    """Lines on all functions that have no sentence of their own, so that the lines add up
    to the whole difference.
    """
    yield from map(_sentence, found.rest)


def unanswered(missing: Unanswered, longest: int | None = None) -> str:
    """A stage that could not answer, of which side, and why, in at most `longest` characters."""
    side = f" ({missing.side})" if missing.side else ""
    why = format.visible(missing.why) if longest is None else format.name(missing.why, longest)
    return f"{format.name(missing.stage, 20)}{side}: {why}"


def _sentence(one: WhyFinding) -> str:
    return _SENTENCES[one.stage](one)


def _sentence_on_work_and_time(both: Sequence[WhyFinding]) -> str:
    """One sentence on a function of which both instructions and time are known."""
    first, *others = both
    said = _sentence(first)
    for timed in others:
        agree = (first.amounts[0].amount > 0) == (timed.amounts[0].amount > 0)
        said += f"{'; that is' if agree else ', but takes'} {why_time.amount(timed)}"
    return said
