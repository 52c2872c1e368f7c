"""Sentences of assay why, and that names of hostile executables stay inert in them."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from assay.explained import Explained
from assay.findings import Cause, Claim, Difference, StageName, WhyFinding
from assay.judge.attribution.findings import findings
from assay.show.words import why_answer, why_work
from assay.work import Attribution, ChangeReason, ExactWork, MovedCost, OwnChange, Place, Simulated


def explained(name: str = "f()", callee: str = "memmove", *, file: str = "a/wal.cpp") -> ExactWork:
    reasons = (
        ChangeReason(
            "library", callee, Place(file, 88), Fraction(81200), (Fraction(100), Fraction(300))
        ),
    )
    change = OwnChange(name, Fraction(81200), 260_000, 341_200, reasons)
    loop = Attribution(
        100, 260_000, 341_200, (change,), (MovedCost(name, callee, 9_000, "inlined"),)
    )
    setup = Attribution(100, 0, 81200, (change,))
    missed = Simulated("last", 100, Attribution(100, 900, 1200, (change,)), (change,))
    return ExactWork(loop, setup, (change,), (change,), simulated=(missed,))


def changes(work: ExactWork, *, everything: bool = True) -> list[str]:
    found = findings(Explained("BM_append", work=work), everything=everything)
    return [*why_answer.ranked_sentences(found), *why_answer.lines_on_others(found)]


def lines(work: ExactWork, *, everything: bool = True) -> list[str]:
    found = findings(Explained("BM_append", work=work), everything=everything)
    return list(why_answer.lines(found, found.stages[0]))


def head(work: ExactWork) -> str:
    return why_answer.head(findings(Explained("BM_append", work=work)).stages[0])


def misses(work: ExactWork) -> list[str]:
    return [line for line in lines(work) if line.startswith("simulated: ")]


def every_line(one: ExactWork) -> list[str]:
    return [head(one), *changes(one), *lines(one)]


def test_the_sentences() -> None:
    assert every_line(explained()) == [
        "812 more instructions an iteration (+31.2 %), 2,600 before",
        "`f()` does 812 more instructions an iteration (+31.2 %), all from `memmove` called at "
        "wal.cpp:88 (1 call before, 3 now)",
        "simulated: `f()` misses the last cache 812 more times an iteration (x91.2), all from "
        "`memmove` called at wal.cpp:88 (1 call before, 3 now)",
        "`f()` is inlined into `memmove` now: 90 instructions moved, which makes nothing slower",
        "set-up: `f()` does 81,200 more instructions before or after the loop, all from `memmove` "
        "called at wal.cpp:88 (100 calls before, 300 now); this is not part of the time measured",
    ]


def test_what_is_too_small_to_name_is_together() -> None:
    one = explained()
    loop = Attribution(100, 260_000, 341_500, one.loop.changes)
    *_, last = changes(ExactWork(loop, one.setup, one.told))
    assert last == "all others together: 3 more instructions"


def test_of_many_the_first_are_named_and_the_rest_is_together() -> None:
    one = explained()
    told = tuple(OwnChange(f"f{n}()", Fraction(100 - n), 9, 9, ()) for n in range(8))
    moved = tuple(MovedCost(f"m{n}()", "", 9_000 - n, "called") for n in range(8))
    loop = Attribution(100, 260_000, 260_800, told, moved)
    work = ExactWork(loop, one.setup, told)
    *first, last = changes(work, everything=False)
    assert [line.split()[0] for line in first] == [f"`f{n}()`" for n in range(5)]
    assert last == "3 others and all smaller ones together: 3.1 more instructions"
    *first, last = lines(work, everything=False)
    assert [line.split()[0] for line in first] == [f"`m{n}()`" for n in range(5)]
    assert last.startswith("3 more functions renamed or inlined otherwise than before: 270 instr")
    assert len([*changes(work), *lines(work)]) == 8 + 1 + 8


@pytest.mark.parametrize(
    ("candidate", "said"),
    [
        (260_000, "nothing: 2,600 instructions an iteration on both sides"),
        (260_100, "nothing worth naming: 1 more instruction an iteration (+0.04 %)"),
        (200_000, "600 fewer instructions an iteration (-23.1 %), 2,600 before"),
    ],
)
def test_the_whole(candidate: int, said: str) -> None:
    found = Attribution(100, 260_000, candidate, ())
    assert head(ExactWork(found, found)) == said


def test_the_same_work_with_other_misses_is_not_nothing() -> None:
    same = Attribution(100, 260_000, 260_000, ())
    one = ExactWork(same, same, simulated=explained().simulated)
    said = "2,600 instructions an iteration on both sides, but not the same misses"
    assert head(one) == said
    hardly = Attribution(100, 260_000, 260_100, ())
    assert head(ExactWork(hardly, same, simulated=one.simulated)).startswith("1 more")


def test_those_that_explain_most_are_named_first() -> None:
    """200 misses of the last cache are worth more than 812 instructions."""
    one = explained()
    other = OwnChange("g()", Fraction(20_000), 900, 20_900, ())
    missed = Simulated("last", 100, Attribution(100, 900, 20_900, (other,)), (other,))
    assert ExactWork(one.loop, one.setup, one.told).named() == ("f()",)
    assert ExactWork(one.loop, one.setup, one.told, simulated=(missed,)).named() == ("g()", "f()")


def test_work_where_there_was_none() -> None:
    found = Attribution(100, 0, 500, ())
    assert head(ExactWork(found, found)).startswith("5 more instructions")


@pytest.mark.parametrize("name", ["x" * 10_000, "a\x1b[2Jb\x07", "a\nb\rc", "a\u202eb", "\x00"])
def test_hostile_names_are_one_short_visible_line(name: str) -> None:
    for line in every_line(explained(name, name, file=f"/tmp/{name}")):
        assert line.isprintable()
        assert len(line) < 700


def test_what_data_elsewhere_can_do_is_told_and_not_named() -> None:
    counts = (Fraction(300), Fraction(300))
    why = ChangeReason("library", "strncmp", Place("a/xml.h", 601), Fraction(-1500), counts)
    change = OwnChange("StringEqual()", Fraction(-1500), 9_000, 7_500, (why,))
    loop = Attribution(100, 260_000, 258_500, (change,))
    (line,) = changes(ExactWork(loop, Attribution(100, 0, 0, ())))
    assert line == (
        "not named: `StringEqual()` does 15 fewer instructions an iteration, all from `strncmp` "
        "called at xml.h:601, in the same calls as before: where data lies in memory can do that"
    )


def test_misses_that_come_with_more_work_are_not_told_beside_it() -> None:
    """81,200 more instructions: 100 misses that are worth 10,000 are no further reason."""
    one = explained()
    few = replace(one.told[0], amount=Fraction(100))
    missed = Simulated("last", 100, Attribution(100, 900, 1000, (few,)), (few,))
    assert misses(replace(one, simulated=(missed,))) == []
    many = replace(missed, told=(replace(few, amount=Fraction(1000)),))
    assert len(misses(replace(one, simulated=(many,)))) == 1


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("renamed", "`f` is called `g` now"),
        ("inlined", "`f` is inlined into `g` now"),
        ("called", "`f` is no longer inlined"),
        ("passed", "`g` does now what `f` did"),
        ("split off", "`f` was part of its caller before"),
        ("put into its caller", "`f` is part of its caller now"),
    ],
)
def test_how_work_moved(how: str, said: str) -> None:
    loop = Attribution(100, 260_000, 260_000, (), (MovedCost("f", "g", 9_000, how),))
    work = ExactWork(loop, Attribution(100, 0, 0, ()))
    assert lines(work) == [f"{said}: 90 instructions moved, which makes nothing slower"]


@pytest.mark.parametrize(
    ("claim", "base", "amount", "said"),
    [
        (Claim.SAME, 260, 0, "nothing: 260 instructions an iteration on both sides"),
        (
            Claim.OTHER_TIME,
            260,
            0,
            "the same work in another time: 260 instructions an iteration on both sides",
        ),
        (
            Claim.OTHER_MISSES,
            260,
            0,
            "260 instructions an iteration on both sides, but not the same misses",
        ),
        (Claim.DIFFERS, 0, 5, "5 more instructions an iteration (from nothing), 0 before"),
        (Claim.SMALL, 200, -1, "nothing worth naming: 1 fewer instruction an iteration (-0.50 %)"),
    ],
)
def test_each_claim_on_the_whole(claim: Claim, base: int, amount: int, said: str) -> None:
    whole = Difference("instruction", base, amount)
    assert why_work.head(WhyFinding(StageName.WORK, claim, amounts=(whole,))) == said


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("first", "misses the first cache"),
        ("last", "misses the last cache"),
        ("branches", "mispredicts branches"),
    ],
)
def test_simulated_misses(unit: str, said: str) -> None:
    found = (Difference(unit, 10, 5, 5),)
    one = WhyFinding(StageName.WORK, Claim.MISSES, "f", found)
    rest = WhyFinding(StageName.WORK, Claim.MISSES, "", found, others=2)
    assert list(why_work.lines([one, rest], 5)) == [
        f"simulated: `f` {said} 1 more time an iteration (+50.0 %)",
        f"simulated: in 2 other functions together, it {said} 1 more time an iteration",
    ]


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (Cause("itself", "", Place("a.cc", 3)), "in its own code at a.cc:3"),
        (Cause("library", "g", Place("a.cc", 3)), "from `g` called at a.cc:3"),
        (
            Cause("library", "g", calls=Difference("call", 1, 0)),
            "from `g` called",
        ),
        (
            Cause("library", "g", calls=Difference("call", 1, 1)),
            "from `g` called (1 call before, 2 now)",
        ),
        (Cause("inlined", "g", Place("a.cc", 3)), "from `g`, inlined at a.cc:3"),
        (
            Cause("calls", "g", calls=Difference("call", 2, 0)),
            "from calls of `g` (2 calls before, 2 now)",
        ),
        (Cause("moved", "g"), "in `g`, whose work it does now"),
        (Cause("elsewhere"), "elsewhere"),
        (Cause("outside"), "because it is called from outside the code measured"),
    ],
)
def test_each_cause(cause: Cause, said: str) -> None:
    found = (Difference("instruction", 0, 7),)
    one = WhyFinding(StageName.WORK, Claim.FUNCTION, "f", found, (cause,))
    whole = "`f` does 7 more instructions an iteration (from nothing)"
    assert why_work.sentence(one) == f"{whole}, all {said}"
    parts = [replace(cause, amounts=(Difference("instruction", 9, n),)) for n in (9, -2)]
    several = replace(one, causes=tuple(parts))
    assert why_work.sentence(several) == f"{whole}: +9 {said}, -2 {said}"
