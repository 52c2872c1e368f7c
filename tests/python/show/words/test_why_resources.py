"""Sentences of memory and system calls, and that hostile names stay inert in them."""

import pytest
from msgspec.structs import replace

from assay.findings import ELSEWHERE, Cause, Claim, Difference, StageFindings, StageName, WhyFinding
from assay.judge.attribution.resource_findings import findings_on_memory, findings_on_syscalls
from assay.resources import (
    Amount,
    Deltas,
    FunctionChange,
    Gauge,
    Memory,
    ResourceSpot,
    SpotChange,
    Syscalls,
)
from assay.show.words import why_resources
from assay.work import Place

NONE = Amount()
NOTHING = Deltas(100, Amount(), Amount(), ())


def change(name: str, *places: tuple[ResourceSpot, Amount, Amount]) -> FunctionChange:
    changed = tuple(SpotChange(*place) for place in places)
    base, candidate = Amount(), Amount()
    for one in changed:
        base, candidate = base.plus(one.base), candidate.plus(one.candidate)
    return FunctionChange(name, base, candidate, changed)


def site(
    via: str = "std::vector<char>::vector", line: int = 65, file: str = "x/log.cpp"
) -> ResourceSpot:
    return ResourceSpot("allocation", "f()", via, Place(file, line))


def memory(found: Memory, most: int | None = 5) -> list[str]:
    return said(findings_on_memory(found, most=most))


def syscalls(found: Syscalls, most: int | None = 5) -> list[str]:
    return said(findings_on_syscalls(found, most=most))


def said(stage: StageFindings) -> list[str]:
    return [why_resources.head(stage.head), *map(why_resources.line, stage.lines)]


def deltas(*told: FunctionChange, rest: Amount = NONE) -> Deltas:
    base, candidate = Amount(100, 6400), Amount(100, 6400).plus(rest)
    for one in told:
        base, candidate = base.plus(one.base), candidate.plus(one.candidate)
    return Deltas(100, base, candidate, told, told)


def test_nothing() -> None:
    same = Deltas(100, Amount(200, 12800), Amount(200, 12800), ())
    assert list(memory(Memory(same, same))) == [
        "nothing: 2 allocations of 128 B an iteration on both sides"
    ]
    assert list(syscalls(Syscalls(NOTHING, "strace"))) == [
        "nothing: 0 system calls an iteration on both sides"
    ]


def test_what_is_allocated_more() -> None:
    one = change("f()", (site(), Amount(0, 0), Amount(100, 54_000)))
    found = Memory(deltas(one), NOTHING, (Gauge("peak", (10.0, 10.0), (99.0, 99.0), True),))
    assert list(memory(found)) == [
        "1 more allocation an iteration (+100.0 %), 1 before; +540 B an iteration (+843.8 %)",
        "  1. `f()` allocates 1 more time an iteration, +540 B: in `std::vector<char>::vector` "
        "called at log.cpp:65",
        "  most memory held at once in the loop: 10 B before, 99 B now",
    ]


def test_several_places_and_what_is_left() -> None:
    one = change(
        "f()",
        (site("", 7), Amount(100, 100), Amount(400, 100)),
        (site("", 9), Amount(), Amount(50, 800)),
    )
    _, told, rest = memory(Memory(deltas(one, rest=Amount(-100, 0)), NOTHING))
    assert told == (
        "  1. `f()` allocates 3.5 more times an iteration, +8 B: "
        "3 more times an iteration at log.cpp:7; 0.5 more times an iteration, +8 B at log.cpp:9"
    )
    assert rest == "  all others together: 1 fewer time an iteration"


def test_a_system_call_and_how_long_it_took() -> None:
    spot = ResourceSpot("fsync", "f()", "fsync", Place("a.cpp", 3), "g()")
    gauges = (
        Gauge("ns in fsync", (0.0, 0.0), (2e6, 3e6), False),
        Gauge("ns in read", (5.0, 6.0), (7.0, 8.0), False),
        Gauge("preemptions", (0.0, 0.0), (9.0, 9.0), True),
        Gauge("waits", (0.0, 0.0), (1.0, 1.0), True),
    )
    one = change("f()", (spot, Amount(), Amount(100)))
    _, *lines = syscalls(Syscalls(deltas(one), "strace", gauges))
    assert lines == [
        "  1. `f()` makes 1 more time an iteration: fsync at a.cpp:3 for `g()`",
        "  fsync took 0 ns an iteration before and 2 ms to 3 ms now, traced by strace, which adds "
        "to each",
        "  times that it waited, and another ran an iteration: 0 before, 1 now",
    ]


def test_what_no_function_is_known_for() -> None:
    unknown = change("", (ResourceSpot("read"), Amount(), Amount(300)))
    one = change("f()", (ResourceSpot("read", "f()"), Amount(), Amount(100)))
    both = Deltas(100, Amount(), Amount(400), (one, unknown), (one,))
    *_, last = syscalls(Syscalls(both, "strace"))
    assert last == "  unexplained, without a function: 3 more times an iteration"


def test_hostile_names_are_inert() -> None:
    hostile = "\x1b[31m[red]<script>\n" + "x" * 10_000
    spot = ResourceSpot(hostile, hostile, hostile, Place(f"/{hostile}.cpp", 1), hostile)
    one = change(hostile, (spot, Amount(), Amount(100, 100)))
    found = Deltas(100, Amount(), Amount(100, 100), (one,), (one,), ((hostile, hostile),))
    gauges = (Gauge(f"ns in {hostile}", (0.0, 0.0), (1.0, 1.0), False),)
    lines = [
        *memory(Memory(found, found)),
        *syscalls(Syscalls(found, "strace", gauges)),
    ]
    for line in lines:
        assert line.isprintable()
        assert len(line) < 1000


@pytest.mark.parametrize(
    ("counter", "said"),
    [
        ("peak", "most memory held at once in the loop: 3 B before, 4 B to 5 B now"),
        ("minor_faults", "page faults an iteration: 3 before, 4 to 5 now"),
        ("major_faults", "page faults that read from disk an iteration: 3 before, 4 to 5 now"),
        ("waits", "times that it waited, and another ran an iteration: 3 before, 4 to 5 now"),
        ("cpu_migrations", "moves to another CPU an iteration: 3 before, 4 to 5 now"),
        ("cycles", "cycles an iteration: 3 before, 4 to 5 now"),
        ("instructions", "instructions an iteration: 3 before, 4 to 5 now"),
        ("cache_misses", "cache misses an iteration: 3 before, 4 to 5 now"),
        ("branch_misses", "mispredicted branches an iteration: 3 before, 4 to 5 now"),
    ],
)
def test_what_was_counted_besides(counter: str, said: str) -> None:
    ranges = ((3.0, 3.0), (4.0, 5.0))
    one = WhyFinding(StageName.MEMORY, Claim.COUNTER, counter, ranges=ranges)
    assert why_resources.line(one).strip() == said


ONE_TIME, NOT_ONE = Difference("time", 0, 1), Difference("time", 0, 0)
NO_BYTES, BYTES = Difference("byte", 0, 0), Difference("byte", 0, -2_048)


@pytest.mark.parametrize(
    ("amounts", "said"),
    [
        ((ONE_TIME, NO_BYTES), "1 more time an iteration (from none), 0 before"),
        ((NOT_ONE, BYTES), "-2 KiB an iteration (from none)"),
        (
            (Difference("time", 4, -2, 2), Difference("byte", 1_024, 512)),
            "1 fewer time an iteration (-50.0 %), 2 before; +512 B an iteration (+50.0 %)",
        ),
    ],
)
def test_the_whole_of_a_resource(amounts: tuple[Difference, Difference], said: str) -> None:
    one = WhyFinding(StageName.MEMORY, Claim.DIFFERS, amounts=amounts)
    assert why_resources.head(one) == said
    small = replace(one, claim=Claim.SMALL)
    assert why_resources.head(small) == f"nothing worth naming: {said}"


def test_a_function_in_which_some_places_do_more_and_others_less() -> None:
    causes = (
        Cause("read", amounts=(ONE_TIME, BYTES)),
        Cause("free", amounts=(NOT_ONE, NO_BYTES)),
        Cause(ELSEWHERE, amounts=(ONE_TIME, NO_BYTES)),
    )
    one = WhyFinding(
        StageName.SYSCALLS, Claim.FUNCTION, "f()", (NOT_ONE, NO_BYTES), causes, rank=12
    )
    assert why_resources.line(one) == (
        "  12. `f()` makes nothing more: 1 more time an iteration, -2 KiB read; nothing more; "
        "and elsewhere"
    )
    assert why_resources.sentence(replace(one, causes=())) == "`f()` makes nothing more"
    assert why_resources.sentence(replace(one, causes=causes[1:2])) == "`f()` makes nothing more"


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (WhyFinding(StageName.MEMORY, Claim.MOVED, "f", other="g"), "`f` does what `g` did before"),
        (
            WhyFinding(StageName.MEMORY, Claim.MOVED, others=1),
            "1 more function that only has another name than before",
        ),
        (
            WhyFinding(StageName.MEMORY, Claim.MOVED, others=1_200),
            "1,200 more functions that only have another name than before",
        ),
        (
            WhyFinding(StageName.MEMORY, Claim.FREED, amounts=(Difference("free", 3, -1),)),
            "1 fewer free an iteration",
        ),
    ],
)
def test_what_explains_no_difference(finding: WhyFinding, said: str) -> None:
    assert why_resources.sentence(finding) == said
