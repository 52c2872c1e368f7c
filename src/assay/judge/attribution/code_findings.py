"""Which findings about the machine code of the functions that ran are shown, and in which order.

findings_on_code(code, ("Wal::append",), most=5).lines[0].claim        Claim.CODE
"""

from collections.abc import Iterator, Sequence

from assay.findings import ELSEWHERE, Cause, Claim, Difference, StageFindings, StageName, WhyFinding
from assay.machine_code import CallSite, FunctionCode, MachineCode

# Both are how much a reader is shown; no decision names them, and the evidence holds the rest.
_SITES = 3  # new calls named of one function, and as many of those that are gone
_LOOPS = 2  # loops named that take more or fewer cache lines or decoder windows than before


def findings_on_code(code: MachineCode, told: Sequence[str], *, most: int | None) -> StageFindings:
    """Findings on machine code: changed functions first, then unchanged ones.

    `told` are the functions whose instruction counts changed enough to be named. Of each kind at
    most `most` functions are named; the others are only counted.
    """
    lines = tuple(_detailed_findings(code, told, most))
    return StageFindings(StageName.CODE, _summary_finding(code), lines, code.notes)


def _detailed_findings(
    code: MachineCode, told: Sequence[str], most: int | None
) -> Iterator[WhyFinding]:
    if not code.same_compiler:
        base, candidate = code.compilers
        yield WhyFinding(StageName.CODE, Claim.COMPILERS, base, other=candidate)
    yield from _findings_on_costly_instructions(code, most)
    changed = _changed_functions(code)
    for function in changed[:most]:
        yield _function_finding(function, has_sites=code.same_compiler)
    if others := len(changed) - len(changed[:most]):
        yield WhyFinding(StageName.CODE, Claim.REST, others=others)
    for name in told:
        if name in code.unchanged:
            yield WhyFinding(StageName.CODE, Claim.SAME, name)
    if code.functions:
        yield _finding_on_unchanged_functions(code)


def _findings_on_costly_instructions(code: MachineCode, most: int | None) -> Iterator[WhyFinding]:
    functions = list(dict.fromkeys(one.function for one in code.dear))
    for one in code.dear:
        if one.function not in functions[:most]:
            continue
        why = (Cause(one.kind, one.text, one.place),)
        times = (Difference("time", 0, one.times, code.iterations),)
        yield WhyFinding(StageName.CODE, Claim.DEAR, one.function, times, why)
    if others := len(functions) - len(functions[:most]):
        yield WhyFinding(StageName.CODE, Claim.DEAR, others=others)


def _summary_finding(code: MachineCode) -> WhyFinding:
    changed = len(_changed_functions(code))
    if not changed:
        return _finding_on_unchanged_functions(code)
    amounts = (Difference("function", len(code.functions), changed),)
    return WhyFinding(StageName.CODE, Claim.DIFFERS, amounts=amounts)


def _changed_functions(code: MachineCode) -> list[FunctionCode]:
    return [one for one in code.functions if not one.is_unchanged]


def _function_finding(one: FunctionCode, *, has_sites: bool) -> WhyFinding:
    """How one function's code differs; `has_sites`: which calls are new or gone is worth listing.

    Where the compilers of the two sides differ, it is not.
    """
    is_told = has_sites and one.how == "changed"
    sites = (
        (*_call_site_causes("new", one.new_calls), *_call_site_causes("gone", one.gone_calls))
        if is_told
        else ()
    )
    return WhyFinding(
        StageName.CODE,
        Claim.CODE,
        one.name,
        (
            _difference_of_counts("call", one.calls),
            _difference_of_counts("instruction", one.instructions),
            Difference("other instruction", 0, one.replaced),
        ),
        sites,
        other=one.other,
        how=one.how,
        share=one.likeness,
    )


def _call_site_causes(kind: str, sites: Sequence[CallSite]) -> Iterator[Cause]:
    for one in sites[:_SITES]:
        yield Cause(kind, one.callee, one.place, address=one.address)
    if more := len(sites[_SITES:]):
        yield Cause(ELSEWHERE, amounts=(Difference("call", 0, more),))


def _finding_on_unchanged_functions(code: MachineCode) -> WhyFinding:
    """How many functions have equal code, their share of executed instructions, and which moved."""
    same = [one for one in code.functions if one.is_unchanged]
    whole = sum(one.executed[1] for one in code.functions)
    amounts = (
        Difference("function", len(code.functions), len(same)),
        Difference("moved function", 0, sum(one.moved for one in same)),
    )
    share = sum(one.executed[1] for one in same) / whole if whole else None
    loops = tuple(_causes_from_moved_loops(same))[:_LOOPS]
    return WhyFinding(StageName.CODE, Claim.UNCHANGED, "", amounts, loops, share=share)


def _causes_from_moved_loops(same: Sequence[FunctionCode]) -> Iterator[Cause]:
    """Functions whose hottest loop takes more or fewer cache lines or windows, hottest first."""
    for one in sorted(same, key=lambda one: -one.executed[1]):
        if one.loops and one.loops[0][1:] != one.loops[1][1:]:
            before, now = one.loops
            size = Difference("byte", before.size, now.size - before.size)
            lies = _difference_of_counts("line of 64 bytes", (before.lines, now.lines))
            if not lies.amount:
                lies = _difference_of_counts("window of 32 bytes", (before.windows, now.windows))
            yield Cause("loop", one.name, amounts=(size, lies))


def _difference_of_counts(unit: str, both: tuple[int, int]) -> Difference:
    return Difference(unit, both[0], both[1] - both[0])
