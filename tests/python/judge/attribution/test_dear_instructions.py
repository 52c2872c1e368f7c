"""Instructions that take far longer than others are found where there are more of them."""

import pytest

from assay.judge.attribution.dear_instructions import CostlierKind, costlier_kinds

PLAIN = [("mov eax, edi", 1000), ("add qword ptr [rdi], 1", 1000), ("ret", 1000)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("lock add qword ptr [rdi], 1", "locked"),
        ("xchg eax, dword ptr [rdi]", "locked"),
        ("div rcx", "divide"),
        ("idiv ecx", "divide"),
        ("vdivsd xmm0, xmm1, xmm2", "divide"),
        ("sqrtss xmm0, xmm1", "divide"),
        ("vpgatherdd ymm0, dword ptr [rax + ymm1*4], ymm2", "gather"),
        ("mfence", "serialising"),
    ],
)
def test_what_is_new_and_dear(text: str, kind: str) -> None:
    candidate = [PLAIN[0], (text, 1000), PLAIN[2]]
    assert costlier_kinds(PLAIN, candidate, 100) == (CostlierKind(kind, 1, 1000),)
    assert costlier_kinds(candidate, candidate, 100) == ()
    assert costlier_kinds(candidate, PLAIN, 100) == ()


@pytest.mark.parametrize(
    "text", ["xchg ax, ax", "add qword ptr [rdi], 1", "shr eax, 3", "divide", "sfence"]
)
def test_what_is_not_dear(text: str) -> None:
    assert costlier_kinds(PLAIN, [PLAIN[0], (text, 1000), PLAIN[2]], 1) == ()


def test_what_is_never_executed_or_seldom_is_not_told() -> None:
    assert costlier_kinds(PLAIN, [*PLAIN, ("div rcx", 0)], 0) == ()
    assert costlier_kinds(PLAIN, [*PLAIN, ("div rcx", 10)], 1000) == ()


def test_a_load_of_more_than_was_just_stored() -> None:
    store, load = ("mov dword ptr [rsp + 8], eax", 1000), ("mov rax, qword ptr [rsp + 8]", 1000)
    assert costlier_kinds(PLAIN, [*PLAIN, store, load], 100) == (CostlierKind("reloaded", 4, 1000),)
    assert costlier_kinds(PLAIN, [*PLAIN, store, ("mov eax, dword ptr [rsp + 8]", 1000)], 100) == ()
    far = [store, *PLAIN * 5, load]
    assert costlier_kinds(PLAIN, far, 100) == ()


def test_the_dearest_is_first_and_the_one_that_is_new_is_shown() -> None:
    base = [("div rcx", 10)]
    candidate = [("div rcx", 500), ("div rbx", 400), ("lock inc dword ptr [rdi]", 5000)]
    assert costlier_kinds(base, candidate, 1) == (
        CostlierKind("locked", 2, 5000),
        CostlierKind("divide", 1, 890),
    )


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        ("lock inc dword ptr [rdi]", 18),
        ("div rcx", 15),
        ("vpgatherdd ymm0, dword ptr [rax + ymm1*4], ymm2", 12),
        ("mfence", 30),
    ],
)
def test_what_an_instruction_costs_decides_whether_it_is_told(text: str, cycles: int) -> None:
    """About what tables say (decision 41), and a thousand times as much for a thousand of them."""
    candidate = [*PLAIN, (text, 1000)]
    assert len(costlier_kinds(PLAIN, candidate, 1000 * cycles)) == 1
    assert costlier_kinds(PLAIN, candidate, 1000 * cycles + 1) == ()


def test_how_near_a_load_has_to_be() -> None:
    store, load = ("mov dword ptr [rsp + 8], eax", 1000), ("mov rax, qword ptr [rsp + 8]", 1000)
    between = [("mov ecx, edx", 1000)]
    assert len(costlier_kinds([], [store, *between * 11, load], 12_000)) == 1
    assert costlier_kinds([], [store, *between * 12, load], 12_000) == ()
    assert costlier_kinds([], [store, load], 12_001) == ()


def test_only_a_load_that_is_wider_than_the_store_waits_for_it() -> None:
    widths = ["byte", "word", "dword", "qword", "xmmword", "ymmword"]
    for at, stored in enumerate(widths):
        for other, loaded in enumerate(widths):
            lines = [(f"mov {stored} ptr [rdi], al", 9), (f"movzx eax, {loaded} ptr [rdi]", 9)]
            assert bool(costlier_kinds([], lines, 1)) is (at < other), (stored, loaded)
    for stored, loaded in (("byte", "tbyte"), ("tbyte", "byte"), ("tbyte", "tbyte")):
        lines = [(f"mov {stored} ptr [rdi], al", 9), (f"movzx eax, {loaded} ptr [rdi]", 9)]
        assert costlier_kinds([], lines, 1) == ()


def test_the_last_store_to_the_address_counts() -> None:
    byte, wide = ("mov byte ptr [rdi], al", 9), ("mov qword ptr [rdi], rax", 9)
    load = ("mov eax, dword ptr [rdi]", 9)
    assert costlier_kinds([], [wide, byte, load], 1)
    assert costlier_kinds([], [byte, wide, load], 1) == ()
    assert costlier_kinds([], [byte, ("mov eax, dword ptr [rsi]", 9)], 1) == ()


def test_nothing_is_told_for_nothing_and_a_cycle_more_is_something() -> None:
    one = [("div rcx", 1)]
    assert costlier_kinds(one, one, 0) == ()
    assert costlier_kinds([], one, 0) == (CostlierKind("divide", 0, 1),)
    assert costlier_kinds([("div rcx", 9)], one, 0) == ()
