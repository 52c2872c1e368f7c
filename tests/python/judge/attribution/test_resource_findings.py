"""Which changes of memory and system calls are worth saying, and what is left adds up."""

from assay.findings import ELSEWHERE, Cause, Claim, Difference
from assay.judge.attribution.resource_findings import findings_on_memory, findings_on_syscalls
from assay.resources import Amount, Deltas, FunctionChange, Gauge, Memory, SpotChange, Syscalls
from assay.resources import ResourceSpot as Spot
from assay.work import Place

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
    stage = findings_on_memory(
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
    first, *_ = findings_on_memory(Memory(deltas(more("f", 5, places=4)), NOTHING), most=5).lines
    assert [one.callee for one in first.causes] == ["via0", "via1", "via2", ""]
    assert first.causes[-1].kind == ELSEWHERE
    (three,) = findings_on_memory(Memory(deltas(more("f", 5, places=3)), NOTHING), most=5).lines
    assert ELSEWHERE not in [one.kind for one in three.causes]


def test_a_difference_of_which_no_function_is_worth_naming_is_small() -> None:
    unnamed = Deltas(100, NONE, Amount(1), ())
    assert findings_on_memory(Memory(unnamed, NOTHING), most=5).head.claim is Claim.SMALL
    assert (
        findings_on_memory(Memory(unnamed.without_names(), NOTHING), most=5).head.claim
        is Claim.DIFFERS
    )
    assert findings_on_memory(Memory(NOTHING, NOTHING), most=5).head.claim is Claim.SAME


def test_only_counters_that_changed_and_mean_something_are_told() -> None:
    gauges = tuple(
        Gauge(name, (0.0, 0.0), (9.0, 9.0), changed)
        for name, changed in (("waits", True), ("preemptions", True), ("cycles", False))
    )
    (line,) = findings_on_syscalls(Syscalls(NOTHING, "strace", gauges), most=5).lines
    assert (line.claim, line.subject) == (Claim.COUNTER, "waits")


def test_the_whole_is_told_beside_what_the_base_has() -> None:
    found = Deltas(100, Amount(7, 90), Amount(9, 80), ())
    assert findings_on_memory(Memory(found, NOTHING), most=5).head.amounts == (
        Difference("allocation", 7, 2, 100),
        Difference("B", 90, -10, 100),
    )
    head = findings_on_syscalls(Syscalls(found, "strace"), most=5).head
    assert head.amounts[0] == Difference("system call", 7, 2, 100)


def test_a_place_is_told_with_its_callee_and_caller() -> None:
    spot = Spot("write", "f", "fwrite", Place("a.cpp", 9), "g")
    one = FunctionChange("f", NONE, Amount(3, 0), (SpotChange(spot, NONE, Amount(3, 0)),))
    first, *_ = findings_on_syscalls(Syscalls(deltas(one), "strace"), most=5).lines
    amounts = (Difference("time", 0, 3, 100), Difference("B", 0, 0, 100))
    assert first.amounts == amounts
    assert first.causes == (Cause("write", "fwrite", Place("a.cpp", 9), amounts, "g"),)


def test_a_place_that_did_not_change_is_no_cause() -> None:
    spots = [Spot("allocation", "f", f"via{at}") for at in range(5)]
    same = tuple(SpotChange(spot, Amount(2, 8), Amount(2, 8)) for spot in spots[1:])
    one = FunctionChange("f", NONE, Amount(5, 8), (*same, SpotChange(spots[0], NONE, Amount(5, 8))))
    first, *_ = findings_on_memory(Memory(deltas(one), NOTHING), most=5).lines
    assert [cause.callee for cause in first.causes] == ["via0"]


def test_where_all_is_named_nothing_is_left() -> None:
    lines = findings_on_memory(Memory(deltas(more("f", 5), more("g", 4)), NOTHING), most=2).lines
    assert [one.claim for one in lines] == [Claim.FUNCTION] * 2
    *_, rest = findings_on_memory(Memory(deltas(more("f", 5), more("g", 4)), NOTHING), most=1).lines
    assert (rest.claim, rest.others, rest.amounts[0].amount) == (Claim.REST, 1, 4)


def test_a_part_too_small_to_be_named_is_left_as_an_amount() -> None:
    one = more("f", 5)
    found = Deltas(100, NONE, Amount(6, 9), (one,), (one,))
    *_, rest = findings_on_memory(Memory(found, NOTHING), most=5).lines
    assert (rest.claim, rest.others) == (Claim.REST, 0)
    assert [each.amount for each in rest.amounts] == [1, 1]


def test_what_moved_is_told_and_the_others_counted() -> None:
    found = Deltas(100, NONE, NONE, (), moved=(("a", "b"), ("c", "d"), ("e", "f")))
    lines = findings_on_memory(Memory(found, NOTHING), most=1).lines
    assert [(one.claim, one.subject, one.other, one.others) for one in lines] == [
        (Claim.MOVED, "b", "a", 0),
        (Claim.MOVED, "", "", 2),
    ]
    assert len(findings_on_memory(Memory(found, NOTHING), most=3).lines) == 3


def test_frees_are_told_where_they_did_not_change_as_allocations_did() -> None:
    def told(freed: int, allocated: int) -> list[tuple[Difference, ...]]:
        frees = Deltas(100, Amount(5, 50), Amount(5 + freed, 60), ())
        lines = findings_on_memory(
            Memory(Deltas(100, NONE, Amount(allocated), ()), frees), most=5
        ).lines
        return [one.amounts for one in lines if one.claim is Claim.FREED]

    assert told(3, 3) == []
    assert told(0, 3) == []
    assert told(3, 2) == [(Difference("free", 5, 3, 100), Difference("B", 50, 10, 100))]


def test_how_long_a_call_took_is_told_where_its_number_changed() -> None:
    spot = SpotChange(Spot("write", "f"), NONE, Amount(3))
    one = FunctionChange("f", NONE, Amount(3), (spot,))
    gauges = tuple(
        Gauge(name, (1.0, 2.0), (3.0, 4.0), False)
        for name in ("ns in write", "ns in read", "write")
    )
    _, line = findings_on_syscalls(Syscalls(deltas(one), "strace", gauges), most=5).lines
    assert (line.claim, line.subject, line.measured_by) == (Claim.DURATION, "write", "strace")
    assert line.ranges == ((1.0, 2.0), (3.0, 4.0))
