"""Whose time a sample is."""

import pytest
from conftest import ScriptedExecutor, finished

from assay.measure.executor import FinishedProcess, Launch
from assay.measure.profile.program import demangle as names_module
from assay.measure.profile.program import frames as frames_module
from assay.measure.profile.program.segments import Segments
from assay.measure.profile.sampled.perf_text import RawFrame
from assay.measure.profile.sampled.spots import Resolver, kernel_work
from assay.timed import SampleSpot

BENCH, LIBC, KERNEL = "/home/me/bench", "/usr/lib/libc.so.6", "[kernel.kallsyms]"
LINES = {
    0x100: ("mix(unsigned int)", "hash.hpp:12", "Table::find(int)", "table.cc:40"),
    0x1FF: ("Table::grow()", "table.cc:70"),
    0x2FF: ("BM_table(benchmark::State&)", "bench.cc:9"),
    0x300: ("std::vector<int>::push_back(int)", "/usr/include/c++/12/vector:1"),
}


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (frames_module, names_module):
        monkeypatch.setattr(module.shutil, "which", lambda name: f"/usr/bin/{name}")


def answer(launch: Launch) -> FinishedProcess:
    if launch.argv[0].endswith("c++filt"):
        names = {"_Z5plainv": "plain()"}
        return finished("".join(f"{names.get(one, one)}\n" for one in launch.argv[1:]))
    said = ""
    for word in launch.argv[7:]:
        place = int(word, 16)
        lines = "\n".join(LINES.get(place, ("??", "??:0")))
        said += f"0x{place:016x}\n{lines}\n"
    return finished(said)


def bench(address: int, symbol: str = "[unknown]") -> RawFrame:
    return RawFrame(address, symbol, BENCH)


CALLER, ENGINE = bench(0x300), RawFrame(0x9, "[unknown]", "/usr/lib/libbenchmark.so.1")
OUTER = (CALLER, ENGINE, RawFrame(0x5, "main", BENCH))


def resolved(*stack: RawFrame) -> tuple[SampleSpot, tuple[str, ...]]:
    resolver = Resolver(ScriptedExecutor(answer))
    resolver.resolve([stack])
    return resolver.spot(stack), resolver.names(stack)


def test_an_inlined_function_of_the_user_is_the_innermost() -> None:
    spot, names = resolved(bench(0x100), *OUTER)
    assert spot == SampleSpot("mix(unsigned int)")
    assert names == (
        "BM_table(benchmark::State&)",
        "Table::find(int)",
        "mix(unsigned int)",
    )


def test_a_library_is_of_who_called_it_and_a_caller_is_before_the_place_it_returns_to() -> None:
    memmove = RawFrame(0x77, "__memmove_avx_unaligned_erms", LIBC)
    spot, _ = resolved(memmove, bench(0x200), *OUTER)
    assert spot == SampleSpot("Table::grow()", "memmove")


def test_code_of_the_standard_library_in_the_users_executable_is_a_library_too() -> None:
    malloc = RawFrame(0x77, "malloc", LIBC)
    spot, _ = resolved(malloc, bench(0x301), bench(0x200), *OUTER)
    assert spot == SampleSpot("Table::grow()", "std::vector<int>::push_back(int)")


def test_the_kernel_works_for_who_asked_it() -> None:
    stack = (
        RawFrame(0xFFFFFFFF81000000, "vma_merge", KERNEL),
        RawFrame(0xFFFFFFFF81000001, "__x64_sys_munmap", KERNEL),
        RawFrame(0x77, "munmap", LIBC),
        bench(0x200),
    )
    assert resolved(*stack, *OUTER)[0] == SampleSpot("Table::grow()", "[kernel] munmap")


@pytest.mark.parametrize(
    ("symbols", "said"),
    [
        (["clear_page", "asm_exc_page_fault"], "[kernel] page fault"),
        (["tick", "asm_sysvec_apic_timer_interrupt"], "[kernel] interrupt"),
        (["schedule"], "[kernel]"),
    ],
)
def test_what_the_kernel_does(symbols: list[str], said: str) -> None:
    stack = tuple(RawFrame(0xFFFFFFFF81000000, one, KERNEL) for one in symbols)
    assert kernel_work(stack) == said
    assert kernel_work((bench(1), *stack)) == ""


def test_where_nothing_is_known_the_symbol_stands() -> None:
    stack = (RawFrame(0x10, "_Z5plainv", "/home/me/other"), RawFrame(0x5, "main", "/home/me/other"))
    assert resolved(*stack)[0] == SampleSpot("plain()")


def test_a_library_that_nobody_of_the_user_called() -> None:
    assert resolved(RawFrame(0x77, "malloc", LIBC), ENGINE)[0] == SampleSpot("malloc", own=False)


def test_places_in_the_file_are_not_those_in_memory() -> None:
    loaded = Segments.of_file("/proc/self/exe").loaded_segments
    assert loaded
    code = loaded[1]
    assert Segments.of_file("/proc/self/exe").address(code.offset + 5) == code.address + 5
    assert Segments.of_file("/no/such/file").address(0x77) == 0x77
