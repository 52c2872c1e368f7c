"""Which function is told first, and what of it."""

from fractions import Fraction

from explanations import AT, everything, exact_work, own_change
from msgspec.structs import replace

from assay.explained import Explained
from assay.findings import Claim, StageName, WhyFinding
from assay.judge.attribution.findings import findings
from assay.machine_code import DearInstruction, MachineCode
from assay.timed import OTHERS, Instructions, TimeInterval
from assay.work import ChangeReason, OwnChange

DEAR = MachineCode(10, (), dear=(DearInstruction("handle", "locked", "lock add", AT, 1000),))


def first(found: Explained) -> WhyFinding | None:
    return findings(found).first


def by(*reasons: tuple[str, int]) -> Explained:
    """One function, with so many instructions more by each callee."""
    whys = tuple(ChangeReason("library", name, AT, Fraction(more)) for name, more in reasons)
    amount = sum((why.amount for why in whys), Fraction(0))
    return Explained("BM", exact_work(OwnChange("f", amount, 9, 9, whys)))


def cause(found: Explained) -> str:
    one = first(found)
    assert one
    return one.causes[0].callee


def test_an_allocation_half_as_large_as_the_largest_cause_is_told() -> None:
    assert cause(by(("free", 100), ("malloc", 50))) == "malloc"
    assert cause(by(("free", 100), ("malloc", 49))) == "free"
    assert cause(by(("free", 100), ("mallocate", 50))) == "free"


def test_what_goes_against_the_whole_is_no_cause_and_no_function() -> None:
    assert cause(by(("free", 100), ("malloc", -99))) == "free"
    work = exact_work(own_change("less", -300), own_change("more", 1000))
    one = first(Explained("BM", work))
    assert one
    assert one.subject == "more"


def test_time_is_told_before_work_where_it_is_sure() -> None:
    one = everything()
    assert one.time
    told = first(one)
    assert told
    assert (told.stage, told.amounts[0].amount) == (StageName.TIME, 500)
    unsure = replace(one.time, whole=TimeInterval(500, -400, 600))
    told = first(replace(one, time=unsure))
    assert told
    assert (told.stage, told.amounts[0].amount) == (StageName.WORK, 1900)


def test_the_same_instructions_are_layout_and_what_is_seen_seldom_is_nobody() -> None:
    time = everything().time
    assert time
    same = replace(time.told[0], instructions=Instructions(50, 50))
    told = first(Explained("BM", time=replace(time, told=(same,))))
    assert told
    assert told.claim is Claim.LAYOUT
    others = replace(time, told=(replace(same, function=OTHERS),))
    assert first(Explained("BM", time=others)) is None


def test_dear_instructions_are_the_reason_where_no_function_does_more() -> None:
    same = exact_work(base=1000)
    told = first(Explained("BM", same, code=DEAR))
    assert told
    assert (told.claim, told.amounts) == (Claim.DEAR, ())
    more = first(Explained("BM", exact_work(own_change("f", 100)), code=DEAR))
    assert more
    assert more.claim is Claim.FUNCTION
    assert first(Explained("BM", code=DEAR)) is None


def test_what_takes_less_is_told_where_the_whole_takes_less() -> None:
    time = everything().time
    assert time
    less = replace(time.told[0], function="less", change=TimeInterval(-700, -800, -600))
    both = replace(time, told=(time.told[0], less), whole=TimeInterval(-200, -300, -100))
    one = first(Explained("BM", time=both))
    assert one
    assert (one.subject, one.amounts[0].amount) == ("less", -200)
    work = exact_work(own_change("more", 300), own_change("less", -1000))
    one = first(Explained("BM", work))
    assert one
    assert (one.subject, one.amounts[0].amount) == ("less", -700)


def test_of_causes_that_do_less_the_largest_is_told_where_the_whole_is_less() -> None:
    assert cause(by(("memmove", -100), ("free", -30), ("malloc", 40))) == "memmove"
    assert cause(by(("memmove", -100), ("malloc", -50))) == "malloc"


def test_where_only_the_whole_is_known_nobody_is_told() -> None:
    work = exact_work(own_change("f", 100))
    assert first(Explained("BM", replace(work, told=()))) is None
    nothing = replace(work, loop=replace(work.loop, base=0, candidate=100))
    assert first(Explained("BM", nothing)) is None
    assert first(Explained("BM")) is None


def test_dear_instructions_explain_more_time_and_never_less() -> None:
    time = everything().time
    assert time
    slower = replace(time, told=())
    faster = replace(slower, whole=TimeInterval(-500, -600, -400))
    same, less, more = (exact_work(own_change("f", n)) for n in (0, -50, 50))
    for work, whole, is_dear in (
        (same, slower, True),
        (less, slower, True),
        (more, slower, False),
        (same, faster, False),
    ):
        told = first(Explained("BM", work, whole, code=DEAR))
        assert (told is not None and told.claim is Claim.DEAR) is is_dear
    told = first(Explained("BM", same, slower, code=DEAR))
    assert told
    assert (told.stage, told.amounts[0].amount) == (StageName.TIME, 500)


def test_a_function_whose_time_is_known_goes_by_its_time() -> None:
    """It executes fewer instructions, and yet takes longer."""
    one = everything(function="f")
    assert one.time
    work = exact_work(own_change("f", -100))
    told = first(Explained("BM", work, one.time))
    assert told
    assert (told.subject, told.causes) == ("f", ())
