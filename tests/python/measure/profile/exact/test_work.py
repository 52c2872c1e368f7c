"""From instructions to functions: inlined ones, libraries, and names that tools garble."""

import pytest

from assay.measure.profile.exact.callgrind_file import (
    CallgrindPart,
    CallgrindSymbol,
    CallLine,
    CostLine,
)
from assay.measure.profile.exact.work import addresses, work_of
from assay.measure.profile.program.frames import Frame, parse, with_repaired_names
from assay.measure.profile.program.own_code import (
    bare_name,
    own_function,
    plain_name,
    qualified_name,
    system_object,
)
from assay.work import Call, Calls, Node, Place

HOST = CallgrindSymbol("/home/me/bench", "/home/me/bench.cpp", "BM_hash(State&)")
LIBC = CallgrindSymbol("/usr/lib/libc.so.6", "memmove.S", "__memmove_avx_unaligned_erms")
OUTER = Frame("BM_hash(State&)", "/home/me/bench.cpp", 20)
ROOT = Node(("BM_hash(State&)",), own=True)


def inlined(call_line: int, line: int) -> tuple[Frame, ...]:
    return (Frame("mix(int)", "/home/me/hash.hpp", line), OUTER._replace(line=call_line))


PART = CallgrindPart(
    lines=[
        CostLine(HOST, "x", 1, 0, 100),
        CostLine(HOST, "x", 2, 0, 30),
        CostLine(HOST, "x", 3, 0, 7),
        CostLine(LIBC, "x", 9, 0, 50),
        CostLine(HOST, "x", 4, 0, 0),
    ],
    calls=[
        CallLine(HOST, "x", 5, 0, LIBC, 10, 50),
        CallLine(LIBC, "x", 8, 0, HOST, 10, 187),
        CallLine(LIBC, "x", 8, 0, HOST, 0, 187),
    ],
)
FRAMES = {
    HOST.object: {
        1: (Frame("std::vector<int>::operator[](int)", "/usr/include/c++/12/v.h", 9), OUTER),
        2: inlined(21, 4),
        3: inlined(23, 4),
        5: (OUTER._replace(line=24),),
    }
}


def test_an_instruction_counts_for_the_innermost_function_of_the_user() -> None:
    work = work_of(PART, FRAMES, 10)
    mix = Node(("BM_hash(State&)", "mix(int)"), own=True)
    assert work.costs == {
        (ROOT, Place("/home/me/bench.cpp", 20)): 100,
        (mix, Place("/home/me/hash.hpp", 4)): 37,
        (Node(("memmove",), own=False), Place("x", 0)): 50,
    }
    assert work.total == 187


def test_what_is_inlined_at_two_places_is_called_as_often_as_both_are_entered() -> None:
    work = work_of(PART, FRAMES, 10)
    mix, libc = Node(("BM_hash(State&)", "mix(int)"), own=True), Node(("memmove",), own=False)
    assert work.calls == {
        Call(ROOT, Place("/home/me/bench.cpp", 24), libc): Calls(10, 50),
        Call(libc, Place("x", 0), ROOT): Calls(10, 187),
        Call(ROOT, Place("/home/me/bench.cpp", 21), mix): Calls(37, 0),
    }


def test_without_debug_information_the_symbols_stand_alone() -> None:
    work = work_of(PART, {}, 10)
    assert {node for node, _ in work.costs} == {ROOT, Node(("memmove",), own=False)}
    assert work.total == 187


def test_only_the_users_instructions_are_looked_up() -> None:
    assert addresses(PART) == {HOST.object: {1, 2, 3, 5}}


def test_what_is_linked_in_without_debug_information_is_a_library() -> None:
    static = CallgrindSymbol(HOST.object, "???", "__strlen_sse2")
    part = CallgrindPart(lines=[CostLine(static, "???", 70, 0, 5), *PART.lines])
    assert (Node(("strlen",), own=False), Place("", 0)) in work_of(part, FRAMES, 1).costs


def test_addr2line_is_read() -> None:
    text = (
        "0x0000000000001380\nmix(int)\n/a b/hash.hpp:12 (discriminator 3)\nBM(S&)\nb.cpp:20\n"
        "0x0000000000001384\n??\n??:0\n0x0000000000001388\nBM(S&)\nb.cpp:?\n"  # of the symbol table
    )
    assert parse(text) == {
        0x1380: (Frame("mix(int)", "/a b/hash.hpp", 12), Frame("BM(S&)", "b.cpp", 20)),
    }


@pytest.mark.parametrize("text", ["", "\n\n", "hostile", "0x1\n", "0xzz\n??\n??:?", "0x1\n\n\n\n"])
def test_whatever_addr2line_says(text: str) -> None:
    assert parse(text) == {}


def test_an_inlined_function_with_the_name_of_the_symbol_gets_its_own() -> None:
    """As binutils 2.40 does for functions in an unnamed namespace."""
    outer = Frame("seal", "log.cpp", 65)
    wrong = (Frame("(anonymous namespace)::Log::seal()", "log.cpp", 31), outer)
    right = (Frame("checksum", "log.cpp", 31), outer)
    other = (Frame("checksum", "log.cpp", 32), outer)
    assert with_repaired_names({1: wrong, 2: other}) == {1: right, 2: other}
    assert with_repaired_names({1: wrong}) == {1: wrong}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("f(int) [clone .constprop.0] [clone .isra.0]", "f(int)"),
        ("walk(Tree*)'2", "walk(Tree*)"),
        ("helper.part.0", "helper"),
        ("memcpy@@GLIBC_2.14", "memcpy"),
        ("__memset_avx2_unaligned_erms", "memset"),
        ("__my_own", "__my_own"),
    ],
)
def test_plain_names(name: str, expected: str) -> None:
    assert plain_name(name) == expected


@pytest.mark.parametrize(
    ("name", "without_result", "word"),
    [
        ("void std::sort<int*>(int*, int*)", "std::sort<int*>(int*, int*)", "sort"),
        ("a::B<int, c<d> >::f() const", "a::B<int, c<d> >::f() const", "f"),
        ("(anonymous namespace)::g(int)", "(anonymous namespace)::g(int)", "g"),
        ("shop::Equal::operator()(int) const", "shop::Equal::operator()(int) const", "operator()"),
        ("main", "main", "main"),
        ("", "", ""),
        ("<<<((", "<<<((", ""),
    ],
)
def test_parts_of_names(name: str, without_result: str, word: str) -> None:
    assert qualified_name(name) == without_result
    assert bare_name(name) == word


def test_what_is_a_library() -> None:
    assert system_object("/usr/lib/x86_64-linux-gnu/libc.so.6")
    assert not system_object("/home/me/build/libmine.so")
    assert not own_function("std::vector<int>::push_back(int)", "")
    assert not own_function("helper()", "/usr/include/boost/x.hpp")
    assert not own_function("operator new(unsigned long)", "")
    assert own_function("standard::f()", "/home/me/a.cpp")
