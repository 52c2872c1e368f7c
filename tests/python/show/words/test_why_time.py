"""Sentences about time, and that names of hostile executables stay inert in them."""

import pytest
from msgspec.structs import replace

from assay.explained import Explained
from assay.findings import Claim, Difference, StageName, WhyFinding
from assay.judge.attribution.findings import findings
from assay.show.words import why_answer, why_time
from assay.stacks import Stacks
from assay.timed import (
    OTHERS,
    WAITING,
    ChangeInCallee,
    Instructions,
    MovedTime,
    TimeChange,
    Timed,
    TimeInterval,
)

NS = 1_000_000  # femtoseconds


def change(name: str, amount: int, *, own: bool = True, **more: object) -> TimeChange:
    """Of so many nanoseconds, give or take ten."""
    span = TimeInterval(amount * NS, (amount - 10) * NS, (amount + 10) * NS)
    nothing = TimeInterval(0, 0, 0)
    return TimeChange(name, own, nothing, nothing, span, **more)  # type: ignore[arg-type]


def explained(*told: TimeChange, whole: int = 60, **more: object) -> Timed:
    waiting = replace(change(WAITING, 0, own=False), change=TimeInterval(0, -5, 5))
    values: dict[str, object] = {
        "rounds": 30,
        "base": 1_000 * NS,
        "candidate": (1_000 + whole) * NS,
        "whole": TimeInterval(whole * NS, (whole - 12) * NS, (whole + 12) * NS),
        "waiting": waiting,
        "changes": told,
        "told": told,
        "moved": (),
        "stacks": Stacks({}, {}),
        "event": "cpu-clock",
        "alpha": 0.05,
    }
    return Timed(**{**values, **more})  # type: ignore[arg-type]


def every_line(time: Timed, *, everything: bool = True) -> list[str]:
    found = findings(Explained("BM_append", time=time), everything=everything)
    (stage,) = found.stages
    answer = [*why_answer.ranked_sentences(found), *why_answer.lines_on_others(found)]
    return [why_answer.head(stage), *answer, *why_answer.lines(found, stage)]


def test_the_sentences() -> None:
    below = (ChangeInCallee("memmove", 49 * NS), ChangeInCallee("", 2 * NS))
    more = change("Wal::append", 51, below=below, instructions=Instructions(1_000, 1_312))
    assert every_line(explained(more)) == [
        "60 ns more on a CPU an iteration (+6.0 % [+4.8, +7.2]), 1 us before; 30 rounds",
        "`Wal::append` takes 5.1 of the 6.0 points more [+4.1, +6.1]: +4.9 in `memmove`, "
        "+0.2 in its own code (instructions +31.2 %)",
        "unexplained, and all others together: +0.9 points",
    ]


def test_of_many_the_first_are_named_and_the_rest_is_together() -> None:
    one = explained(*(change(f"f{n}", 20 - n) for n in range(9)), whole=150)
    _, *first, last = every_line(one, everything=False)
    assert [line.split()[0] for line in first] == [f"`f{n}`" for n in range(5)]
    assert last == "unexplained, and 4 others and all smaller ones together: +6.0 points"
    assert len(every_line(one)) == 1 + 9 + 1


def test_where_no_function_is_sure_the_largest_is_told_as_that() -> None:
    _, line = every_line(explained(change("find", 50), told=()))
    assert line == (
        "which function it is is not sure after 30 rounds: a quieter host tells sooner; "
        "the largest is `find`, +5.0 points"
    )


def test_layout_is_said_to_be_that() -> None:
    same = change("find", 60, instructions=Instructions(1_000, 1_000))
    _, line, _ = every_line(explained(same))
    assert line.endswith("(same instructions, different time: layout, caches or branches)")


def test_nothing() -> None:
    (only,) = every_line(explained(whole=2))
    assert only == "nothing: 1 us on a CPU an iteration on both sides [-1.0, +1.4] %; 30 rounds"


def test_what_moved_made_nothing_slower() -> None:
    *_, last = every_line(explained(whole=0, moved=(MovedTime("old", "new", 80 * NS),)))
    assert last == (
        "`old` takes 8.0 points less and `new` as much more: moved, which makes nothing slower"
    )


def test_less_beside_a_whole_that_is_more() -> None:
    lines = every_line(explained(change("f", 90), change("g", -30)))
    assert lines[1].startswith("`f` takes 9.0 points more [+8.0, +10.0]")
    assert lines[2].startswith("`g` takes 3.0 points less [-4.0, -2.0]")


def test_waiting_and_what_is_seldom() -> None:
    waiting, others = change(WAITING, 50, own=False), change(OTHERS, 10, own=False)
    first, second, third, _ = every_line(explained(waiting, others, waiting=waiting))
    assert first.startswith("60 ns more an iteration")
    assert second.startswith("waiting, on no CPU, takes 5.0 of the 6.0 points more")
    assert third.startswith("what was seen too seldom to be judged by itself takes")


def test_too_few_rounds_are_said() -> None:
    none = replace(explained(), whole=TimeInterval(60 * NS, None, None))
    assert every_line(none)[0] == (
        "undecided: 1 us on a CPU an iteration in the base; 30 rounds are too few to tell "
        "a difference"
    )


def test_hostile_names_are_inert() -> None:
    name = "\x1b[31m<b>\u202e" + "x" * 10_000
    lines = every_line(explained(change(name, 60, below=(ChangeInCallee(name, 50 * NS),))))
    for line in lines:
        assert line.isprintable()
        assert len(line) < 500


def whole(amount: int, low: int | None, high: int | None) -> Difference:
    """A change of 1 us, in nanoseconds."""
    low, high = (None if end is None else end * NS for end in (low, high))
    return Difference("fs", 1_000 * NS, amount * NS, low=low, high=high)


@pytest.mark.parametrize(
    ("claim", "amounts", "said"),
    [
        (Claim.DIFFERS, (60, 48, 72), "60 ns more an iteration (+6.0 % [+4.8, +7.2])"),
        (Claim.DIFFERS, (-60, -72, -48), "60 ns less an iteration (-6.0 % [-7.2, -4.8])"),
        (Claim.DIFFERS, (0, 0, 0), "0 ns more an iteration (+0.0 % [+0.0, +0.0])"),
        (
            Claim.UNSURE,
            (60, -48, 72),
            "60 ns more an iteration (+6.0 % [-4.8, +7.2]), which may be chance",
        ),
        (Claim.DIFFERS, (60, None, 72), "60 ns more an iteration (+6.0 % [too few rounds])"),
        (Claim.DIFFERS, (60, 48, None), "60 ns more an iteration (+6.0 % [too few rounds])"),
        (
            Claim.DIFFERS,
            (8_990, 8_000, 9_990),
            "8.99 us more an iteration (+899.0 % [+800.0, +999.0])",
        ),
        (Claim.DIFFERS, (9_000, 8_000, 10_000), "9 us more an iteration (x10 [x9, x11])"),
        (
            Claim.DIFFERS,
            (9_000, None, None),
            "9 us more an iteration (+900.0 % [too few rounds])",
        ),
    ],
)
def test_the_whole_with_its_interval(
    claim: Claim, amounts: tuple[int, int | None, int | None], said: str
) -> None:
    one = WhyFinding(StageName.TIME, claim, amounts=(whole(*amounts),), rounds=1)
    assert why_time.head(one) == f"{said}, 1 us before; 1 round"


@pytest.mark.parametrize(
    ("part", "of", "said"),
    [
        (whole(60, 48, 72), None, "6.0 points more [+4.8, +7.2]"),
        (whole(-60, -72, -48), whole(100, 1, 2), "6.0 of the 10.0 points less [-7.2, -4.8]"),
        (whole(60, None, None), whole(-1_000, 1, 2),
         "6.0 of the 100.0 points more [too few rounds]"),
        (whole(600, 500, 700), whole(1_001, 1, 2), "60 % of the time more"),
    ],
)  # fmt: skip
def test_a_part_of_the_whole(part: Difference, of: Difference | None, said: str) -> None:
    one = WhyFinding(StageName.TIME, Claim.FUNCTION, "f", (part,), part_of=of)
    assert why_time.amount(one) == said
    assert why_time.sentence(one) == f"`f` takes {said}"
