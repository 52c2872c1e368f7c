"""What a page says about one explained benchmark, prepared for `templates/why_parts.html`.

    parts(explained, number)        its sentences, functions, lines of source, machine code
    pictures(explained)             its flame graphs, for the page's script to draw

The page of `assay why` uses it; any page that includes the template can.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from assay.explained import Explained
from assay.findings import Claim, Findings, StageName, WhyFinding
from assay.machine_code import ExecutedLine, InstructionRow, PairedDisassembly, Source, SourceLine
from assay.show.page.flame import flame
from assay.show.words import format, why_answer, why_code, why_first
from assay.timed import FS, Timed
from assay.work import Place

_SAID = 600  # a longer message of a program loses characters in the middle
_NAME = 300  # in a table, a longer name of a function loses characters in the middle
_CONTEXT = 3  # unchanged instructions shown before and after each changed one
_MOST_ROWS = 1200  # at most so many instructions are shown of one function
_TITLES = {
    StageName.WORK: "Work",
    StageName.TIME: "Time",
    StageName.MEMORY: "Memory",
    StageName.SYSCALLS: "System calls",
    StageName.CODE: "Code",
}
_GUESSED = (
    "What a function that several others call does is given to each in proportion to what was "
    "spent in its calls: with one caller that is exact, with several it is a guess."
)
_SAMPLED = (
    "Where it was whenever it was looked at, all rounds together; narrow boxes are few looks."
)


def parts(found: Findings, number: int) -> dict[str, Any]:
    """What the template shows of one explained benchmark, without flame graphs.

    `number` makes its ids on the page unique.
    """
    one = found.evidence
    return {
        "id": f"why-{number}",
        "name": format.name(one.benchmark),
        "first": why_first.sentence(found.first),
        "caveats": [format.visible(line) for line in one.caveats],
        "sections": list(_sections(found)),
        "table": _table(found),
        "pictures": [picture["title"] for picture in pictures(one)],
        "sources": [_source(*source) for source in _sources(one)],
        "code": [_code(*shown) for shown in _shown_disassemblies(one)],
        "unanswered": [why_answer.unanswered(missing, _SAID) for missing in one.unanswered],
    }


def change(found: Findings) -> dict[str, str]:
    """How many more instructions the benchmark executes, as text such as "+31 %", and the verdict
    in whose colour to show it.
    """
    for head in [stage.head for stage in found.stages if stage.stage is StageName.WORK]:
        (whole,) = head.amounts
        if whole.share is not None:
            verdict = "same" if head.claim is Claim.SMALL else _hue(whole.amount)
            return {"text": format.change(float(whole.share)), "verdict": verdict}
    return {"text": "?", "verdict": "undecided"}


def pictures(one: Explained) -> list[dict[str, Any]]:
    """The flame graphs of one explained benchmark: instructions, and time.

    Each has title, note and data.
    """
    found = []
    if one.work is not None and one.work.stacks is not None and one.work.loop.whole:
        iterations = one.work.loop.iterations
        drawn = flame(one.work.stacks, (iterations, iterations))
        title, unit = "Instructions of the loop", "instructions an iteration"
        found.append({"title": title, "unit": unit, "note": _GUESSED, **drawn})
    if one.time is not None and one.time.stacks.base and one.time.stacks.candidate:
        found.append(_time_picture(one.time))
    return found


def _time_picture(time: Timed) -> dict[str, Any]:
    """The flame graph of samples, scaled to nanoseconds of an iteration."""
    sides = ((time.stacks.base, time.base), (time.stacks.candidate, time.candidate))
    base, candidate = (sum(seen.values()) * FS / max(1, whole) / 1e9 for seen, whole in sides)
    drawn = flame(time.stacks, (base, candidate))
    return {"title": "Time of the loop", "unit": "ns an iteration", "note": _SAMPLED, **drawn}


def _sections(found: Findings) -> Iterator[dict[str, Any]]:
    """Headings with sentences: first the answer from all stages together,
    then each stage's findings.
    """
    ranked, rest = (
        list(why_answer.ranked_sentences(found)),
        list(why_answer.lines_on_others(found)),
    )
    if ranked or rest:
        yield _section("Answer", rest, numbered=ranked)
    for stage in found.stages:
        others = replace(stage, lines=tuple(one for one in stage.lines if not one.rank))
        yield _section(
            _TITLES[stage.stage],
            list(why_answer.lines(found, others)),
            stage.notes,
            head=why_answer.head(stage),
            verdict=_hue(stage.sign),
            numbered=list(why_answer.numbered(stage)),
        )


def _section(
    title: str,
    lines: Sequence[str],
    notes: Sequence[str] = (),
    *,
    head: str = "",
    verdict: str = "same",
    numbered: Sequence[str] = (),
) -> dict[str, Any]:
    return {
        "title": title,
        "head": head,
        "verdict": verdict,
        "numbered": numbered,
        "lines": lines,
        "notes": [format.visible(note) for note in notes],
    }


def _table(found: Findings) -> dict[str, Any] | None:
    """The table of functions whose own instructions changed most; None if there are none."""
    if not found.table:
        return None
    rows = [one for one in found.table if one.claim is Claim.FUNCTION]
    (rest,) = found.table[len(rows) :] or (None,)
    largest = abs(rows[0].amounts[0].more_per_iteration)
    (whole,) = next(one.head.amounts for one in found.stages if one.stage is StageName.WORK)
    return {
        "rows": [_function(one, largest) for one in rows],
        "rest": rest.others if rest else 0,
        "rest_amount": _signed(rest.amounts[0].more_per_iteration) if rest else "",
        "whole": _signed(whole.more_per_iteration),
        "base": _amount(whole.base_value),
        "candidate": _amount(whole.candidate_value),
    }


def _function(one: WhyFinding, largest: Fraction) -> dict[str, Any]:
    of_all, own = one.amounts
    bar = float(of_all.more_per_iteration / largest) if largest else 0.0
    return {
        "name": format.name(one.subject, _NAME),
        "verdict": _hue(of_all.amount),
        "change": _signed(of_all.more_per_iteration),
        "value": float(of_all.amount),
        "percent": "" if of_all.share is None else format.change(float(of_all.share)),
        "bar": {"x": 50 + min(0.0, 50 * bar), "width": max(0.4, 50 * abs(bar))},
        "base": _amount(own.base_value),
        "candidate": _amount(own.candidate_value),
        "values": (own.base, own.base + own.amount),
        "code": why_code.difference_in_words(one),
    }


def _sources(one: Explained) -> Sequence[tuple[Source, int]]:
    return [(source, one.code.iterations) for source in one.code.sources] if one.code else []


def _shown_disassemblies(one: Explained) -> Sequence[tuple[PairedDisassembly, int]]:
    return [(shown, one.code.iterations) for shown in one.code.shown] if one.code else []


def _source(source: Source, iterations: int) -> dict[str, Any]:
    return {
        "file": format.name(source.file, 200),
        "note": format.name(source.note, _SAID),
        "parts": [[_line(line, iterations) for line in part] for part in source.parts],
    }


def _line(line: SourceLine, iterations: int) -> dict[str, Any]:
    before, after = line.costs
    return {
        "base": line.base or "",
        "candidate": line.candidate or "",
        "text": format.name(line.text.replace("\t", "    "), _NAME),
        "before": _amount(Fraction(before, iterations)) if before else "",
        "after": _amount(Fraction(after, iterations)) if after else "",
        "change": _signed(Fraction(after - before, iterations)) if after != before else "",
        "verdict": _hue(after - before),
        "how": "" if line.base and line.candidate else "new" if line.candidate else "gone",
    }


def _code(shown: PairedDisassembly, iterations: int) -> dict[str, Any]:
    rows = list(_near_changes(shown.rows))[:_MOST_ROWS]
    told = sum(row is not None for row in rows)
    return {
        "function": format.name(shown.function, _NAME),
        "rows": [_instructions(row, iterations) if row else None for row in rows],
        "left_out": shown.left_out,
        "same": len(shown.rows) - told,
    }


def _near_changes(rows: Sequence[InstructionRow]) -> Iterator[InstructionRow | None]:
    """Rows that differ or ran differently often, with some rows around them; None marks a gap."""
    near = {
        j
        for i, row in enumerate(rows)
        if _differs(row)
        for j in range(i - _CONTEXT, i + _CONTEXT + 1)
    }
    last = -1
    for place in sorted(near & set(range(len(rows)))):
        if place != last + 1:
            yield None
        last = place
        yield rows[place]
    if near and last + 1 < len(rows):
        yield None


def _differs(row: InstructionRow) -> bool:
    if row.base is None or row.candidate is None:
        return True
    return row.how != "same" or row.base.times != row.candidate.times


def _instructions(row: InstructionRow, iterations: int) -> dict[str, Any]:
    marks = {"gone": "-", "new": "+", "altered": "≠", "same": ""}
    more = (row.candidate.times if row.candidate else 0) - (row.base.times if row.base else 0)
    return {
        "how": row.how,
        "mark": marks[row.how],
        "base": _executed(row.base, iterations),
        "candidate": _executed(row.candidate, iterations),
        "change": _signed(Fraction(more, iterations)) if more else "",
        "verdict": _hue(more),
    }


def _executed(one: ExecutedLine | None, iterations: int) -> dict[str, str]:
    if one is None:
        return {"address": "", "text": "", "count": "", "place": ""}
    return {
        "address": f"{one.address:x}",
        "text": format.name(one.text, 160),
        "count": _amount(Fraction(one.times, iterations)) if one.times else "",
        "place": _place_in_words(one.place),
    }


def _place_in_words(place: Place) -> str:
    file = place.file.rpartition("/")[2]
    return f"{format.name(file, 60)}:{place.line}" if place.line else ""


def _hue(amount: Fraction | int) -> str:
    """The verdict whose colour an amount gets: slower for more work or time, faster for less."""
    return "slower" if amount > 0 else "faster" if amount < 0 else "same"


def _signed(number: Fraction) -> str:
    sign = "+" if number > 0 else "-" if number < 0 else ""
    return f"{sign}{_amount(abs(number))}"


def _amount(number: Fraction) -> str:
    if number.denominator == 1 or number >= 100:
        return f"{round(number):,}"
    return f"{float(number):.2g}" if number < 1 else f"{float(number):.1f}"
