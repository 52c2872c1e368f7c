"""Which code counts as set-up, told of programs that are made up: static ones are hard to get."""

from assay.measure.profile.exact.callgrind_file import CallgrindSymbol, CallLine
from assay.measure.profile.identity.effects import Reach
from assay.measure.profile.identity.normal_form import NormalInstruction
from assay.measure.profile.identity.part import CodePart
from assay.measure.profile.identity.starts import without_start_code

PROGRAM, C_LIBRARY = "/home/a/bench", "/usr/lib/x86_64-linux-gnu/libc.so.6"
PLACES = {
    "_start": 10,
    "main": 20,
    "reads_options": 30,
    "_GLOBAL__sub_I_a": 40,
    "fills": 50,
    "both": 60,
    "BM_a": 70,
}


def parts() -> list[CodePart]:
    def one(name: str, address: int) -> CodePart:
        code = (NormalInstruction(address, 1, "nop dword ptr [rax]"),)
        return CodePart(PROGRAM, address, code, name, name == "BM_a", address)

    return [one(name, address) for name, address in PLACES.items()]


def call(caller: str, callee: str, caller_object: str = PROGRAM) -> CallLine:
    return CallLine(
        caller=CallgrindSymbol(caller_object, "", caller),
        file="",
        address=PLACES.get(caller, 1),
        line=0,
        callee=CallgrindSymbol(PROGRAM, "", callee),
        times=1,
        inclusive=1,
        to=PLACES[callee],
    )


def kept(*calls: CallLine, later: tuple[str, ...] = ()) -> set[str]:
    every = parts()
    called_later = {(PROGRAM, PLACES[name]) for name in later}
    found = without_start_code(every, Reach(every, calls, {}), (), called_later)
    return {one.name for one in found}


BY_SETUP = (call("_GLOBAL__sub_I_a", "fills"), call("_GLOBAL__sub_I_a", "both"))
BY_MAIN = (call("main", "reads_options"), call("reads_options", "both"))


def test_what_set_up_alone_calls_is_set_up() -> None:
    by_library = call("__libc_start_main", "main", C_LIBRARY)
    found = kept(by_library, *BY_SETUP, *BY_MAIN)
    assert found == {"main", "reads_options", "both", "BM_a"}


def test_in_a_static_program_main_is_no_set_up_although_its_start_leads_to_it() -> None:
    found = kept(call("_start", "main"), *BY_SETUP, *BY_MAIN)
    assert found == {"main", "reads_options", "both", "BM_a"}


def test_what_is_called_later_too_is_no_set_up() -> None:
    by_library = call("__libc_start_main", "main", C_LIBRARY)
    assert "fills" in kept(by_library, *BY_SETUP, later=("fills",))
