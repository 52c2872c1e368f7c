"""One ranked answer over what was counted and what was timed."""

from fractions import Fraction

import pytest
from explanations import everything, machine_code
from msgspec.structs import replace

from assay.explained import Explained, Unanswered
from assay.findings import Claim, Findings, StageFindings, StageName, WhyFinding
from assay.judge.attribution.findings import findings
from assay.model import Side
from assay.resources import Amount, Deltas, Memory, Syscalls
from assay.show.words import why_answer
from assay.stacks import Stacks
from assay.timed import WAITING, Instructions, TimeChange, Timed, TimeInterval
from assay.work import Attribution, ChangeReason, ExactWork, OwnChange, Place

NS = 1_000_000  # femtoseconds
LARGE = (22_000, 20_000, 24_000)  # the change and its interval, where 1,000 are the base


def work(*told: OwnChange) -> ExactWork:
    """100 iterations of 2,600 instructions, 820 more now."""
    loop = Attribution(100, 260_000, 342_000, told)
    return ExactWork(loop, Attribution(100, 0, 0, ()), told)


def more(name: str, amount: int) -> OwnChange:
    counts = (Fraction(100), Fraction(300))
    why = ChangeReason("library", "memmove", Place("wal.cc", 88), Fraction(amount), counts)
    return OwnChange(name, Fraction(amount), 9, 9, (why,))


def taking(name: str, points: int) -> TimeChange:
    nothing = TimeInterval(0, 0, 0)
    span = TimeInterval(points * NS, (points - 9) * NS, (points + 9) * NS)
    return TimeChange(name, True, nothing, nothing, span)


def time(*told: TimeChange) -> Timed:
    """Of 1 us, 60 ns more now."""
    whole = TimeInterval(60 * NS, 48 * NS, 72 * NS)
    waiting = replace(taking(WAITING, 0), own=False, change=TimeInterval(0, -5, 5))
    both = (1_000 * NS, 1_060 * NS)
    empty = Stacks({}, {})
    return Timed(30, *both, whole, waiting, told, told, (), empty, "cpu-clock", 0.05)


def head(found: Findings) -> str:
    return why_answer.head(found.stages[0])


def test_a_function_is_told_once_with_its_instructions_and_its_time() -> None:
    counted, timed = work(more("Wal::append", 81_200)), time(taking("Wal::append", 51))
    found = findings(Explained("BM", counted, timed))
    assert list(why_answer.ranked_sentences(found)) == [
        "`Wal::append` does 812 more instructions an iteration (+31.2 %), all from `memmove` "
        "called at wal.cc:88 (1 call before, 3 now); that is 5.1 of the 6.0 points more "
        "[+4.2, +6.0]"
    ]
    assert list(why_answer.lines_on_others(found)) == [
        "all others together: 8 more instructions",
        "unexplained, and all others together: +0.9 points",
    ]


def test_more_instructions_in_less_time_are_no_reason_for_it() -> None:
    found = findings(Explained("BM", work(more("view", 5_000)), time(taking("view", -20))))
    (line,) = why_answer.ranked_sentences(found)
    assert line.endswith("(1 call before, 3 now), but takes 2.0 points less [-2.9, -1.1]")


def test_time_ranks_and_instructions_follow() -> None:
    same_work = replace(taking("walk", 40), instructions=Instructions(1_000, 1_000))
    both = work(more("parse", 50_000), more("copy", 30_000)), time(same_work, taking("copy", 15))
    found = findings(Explained("BM", *both))
    assert [one[0].subject for one in found.answer] == ["walk", "copy", "parse"]
    walk, copy, parse = why_answer.ranked_sentences(found)
    assert walk.startswith("`walk` takes 4.0 of the 6.0 points more")
    assert "same instructions, different time" in walk
    assert "300 more instructions" in copy
    assert "that is 1.5 of the 6.0 points more" in copy
    assert "that is" not in parse


def test_the_same_work_in_another_time_is_not_nothing() -> None:
    loop = Attribution(100, 260_000, 260_000, ())
    same = ExactWork(loop, Attribution(100, 0, 0, ()))
    said = "2,600 instructions an iteration on both sides"
    assert head(findings(Explained("BM", same))) == f"nothing: {said}"
    slower = findings(Explained("BM", same, time(taking("walk", 51))))
    assert head(slower) == f"the same work in another time: {said}"


def test_one_stage_alone_answers() -> None:
    for found in (
        Explained("BM", work(more("f", 800))),
        Explained("BM", time=time(taking("f", 9))),
    ):
        (line,) = why_answer.ranked_sentences(findings(found))
        assert line.startswith("`f` ")
    nothing = findings(Explained("BM"))
    assert (nothing.answer, nothing.rest, nothing.stages) == ((), (), ())


def test_every_stage_writes_a_large_change_as_the_same_factor() -> None:
    long = replace(time(), candidate=23_000 * NS, whole=TimeInterval(*(n * NS for n in LARGE)))
    counted = ExactWork(Attribution(10, 1_000, 23_000, ()), Attribution(10, 0, 0, ()))
    resources = Deltas(10, Amount(1_000, 1_000), Amount(23_000, 23_000), ())
    found = findings(
        Explained(
            "BM",
            counted,
            long,
            memory=Memory(resources, resources),
            syscalls=Syscalls(resources, "strace"),
        )
    )
    heads = [why_answer.head(stage) for stage in found.stages]
    assert len(heads) == 4
    for head in heads:
        assert "(x23" in head
    assert "(x23 [x21, x25])" in heads[1]
    assert not any(" %" in head for head in heads)


def test_less_work_in_less_time_is_that_part_of_it() -> None:
    time_ = replace(time(taking("view", -20)), whole=TimeInterval(-60 * NS, -72 * NS, -48 * NS))
    found = findings(Explained("BM", work(more("view", -5_000)), time_))
    (line,) = why_answer.ranked_sentences(found)
    assert line.startswith("`view` does 50 fewer instructions an iteration")
    assert line.endswith("; that is 2.0 of the 6.0 points less [-2.9, -1.1]")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Explained("BM"), ""),
        (
            Explained("BM", code=machine_code("f")),
            "1 of 2 functions that ran changed",
        ),
        (
            Explained("BM", work(), code=machine_code("f")),
            "820 more instructions an iteration (+31.5 %), 2,600 before",
        ),
        (
            Explained("BM", work(more("f", 81_200))),
            "32 % more instructions: `f` calls `memmove` 3.0 times as often at wal.cc:88",
        ),
    ],
)
def test_the_first_sentence_is_from_the_stage_that_has_most_to_say(
    found: Explained, said: str
) -> None:
    assert why_answer.first_sentence(findings(found)) == said


def test_every_stage_has_its_head_and_lines() -> None:
    found = findings(everything())
    said = {
        stage.stage: (why_answer.head(stage), list(why_answer.lines(found, stage)))
        for stage in found.stages
    }
    assert set(said) == set(StageName)
    assert [stage for stage, (head, _) in said.items() if not head] == [StageName.CODE]
    assert said[StageName.WORK][1][-1].startswith("set-up: ")
    assert said[StageName.CODE][1][-1].startswith("unchanged: 1 function")


def test_only_sentences_that_have_a_number_are_in_a_numbered_list() -> None:
    head = WhyFinding(StageName.MEMORY, Claim.DIFFERS)
    moved = WhyFinding(StageName.MEMORY, Claim.MOVED, "f", other="g")
    stage = StageFindings(StageName.MEMORY, head, (replace(moved, rank=1), moved))
    assert list(why_answer.numbered(stage)) == ["`f` does what `g` did before"]
    assert list(why_answer.lines(findings(Explained("BM")), stage)) == [
        "  1. `f` does what `g` did before",
        "  `f` does what `g` did before",
    ]


@pytest.mark.parametrize(
    ("missing", "longest", "said"),
    [
        (Unanswered("time", "too few rounds"), None, "time: too few rounds"),
        (Unanswered("code", "w" * 500, Side.BASE), None, f"code (base): {'w' * 500}"),
        (Unanswered("code", "w" * 500), 9, "code: wwww…wwww"),
        (Unanswered("s" * 21, "\x1b"), None, f"{'s' * 9}…{'s' * 10}: \\x1b"),
    ],
)
def test_a_stage_that_could_not_answer(missing: Unanswered, longest: int | None, said: str) -> None:
    assert why_answer.unanswered(missing, longest) == said
