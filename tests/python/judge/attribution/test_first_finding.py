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
