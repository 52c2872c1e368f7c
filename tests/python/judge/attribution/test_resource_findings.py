"""Which changes of memory and system calls are worth saying, and what is left adds up."""

from assay.findings import ELSEWHERE, Claim
from assay.judge.attribution.resource_findings import of_memory, of_syscalls
from assay.resources import Amount, Deltas, FunctionChange, Gauge, Memory, SpotChange, Syscalls
from assay.resources import ResourceSpot as Spot

NONE = Amount()
NOTHING = Deltas(100, NONE, NONE, ())


def more(name: str, times: int, places: int = 1) -> FunctionChange:
    spots = [Spot("allocation", name, f"via{at}") for at in range(places)]
    changes = tuple(SpotChange(spot, NONE, Amount(times, 8)) for spot in spots)
    return FunctionChange(name, NONE, Amount(times * places, 8 * places), changes)


def deltas(*changes: FunctionChange) -> Deltas:
    whole = NONE
    for one in changes:
        whole = whole.plus(one.amount)
    return Deltas(100, NONE, whole, changes, tuple(one for one in changes if one.function))


def test_five_functions_are_named_and_all_lines_add_up_to_the_whole() -> None:
    stage = of_memory(
        Memory(deltas(*(more(f"f{n}", 90 - n) for n in range(8)), more("", 7)), NOTHING), most=5
    )
    assert stage.head.claim is Claim.DIFFERS
    claims = [one.claim for one in stage.lines]
    assert claims == [Claim.FUNCTION] * 5 + [Claim.UNKNOWN, Claim.REST]
    assert [one.rank for one in stage.lines] == [1, 2, 3, 4, 5, 0, 0]
    assert stage.lines[-1].others == 3
    for part, whole in enumerate(stage.head.amounts):
        assert sum(one.amounts[part].amount for one in stage.lines) == whole.amount


def test_three_places_of_a_function_are_named() -> None:
    first, *_ = of_memory(Memory(deltas(more("f", 5, places=4)), NOTHING), most=5).lines
    assert [one.callee for one in first.causes] == ["via0", "via1", "via2", ""]
    assert first.causes[-1].kind == ELSEWHERE
    (three,) = of_memory(Memory(deltas(more("f", 5, places=3)), NOTHING), most=5).lines
    assert ELSEWHERE not in [one.kind for one in three.causes]


def test_a_difference_of_which_no_function_is_worth_naming_is_small() -> None:
    unnamed = Deltas(100, NONE, Amount(1), ())
    assert of_memory(Memory(unnamed, NOTHING), most=5).head.claim is Claim.SMALL
    assert of_memory(Memory(unnamed.without_names(), NOTHING), most=5).head.claim is Claim.DIFFERS
    assert of_memory(Memory(NOTHING, NOTHING), most=5).head.claim is Claim.SAME


def test_only_counters_that_changed_and_mean_something_are_told() -> None:
    gauges = tuple(
        Gauge(name, (0.0, 0.0), (9.0, 9.0), changed)
        for name, changed in (("waits", True), ("preemptions", True), ("cycles", False))
    )
    (line,) = of_syscalls(Syscalls(NOTHING, "strace", gauges), most=5).lines
    assert (line.claim, line.subject) == (Claim.COUNTER, "waits")
