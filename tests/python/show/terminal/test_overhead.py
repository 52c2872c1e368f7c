import io

from comparisons import row
from rich.console import Console

from assay.judging import Holm
from assay.model import Comparison, Judgement, Settings
from assay.overheads import Overhead, Overheads
from assay.remarks import Drifts, DroppedRounds
from assay.show.terminal.overhead import PrintedOverhead, print_overhead

LOST = "{} rounds dropped: CPU stolen by the hypervisor"


def compared(reference: str, condition: str, one: Comparison) -> Overhead:
    return Overhead(reference=reference, condition=condition, comparison=one)


def printed(*rows: Overhead) -> str:
    comparisons = tuple(one.comparison for one in rows)
    judgement = Judgement(
        comparisons=comparisons, settings=Settings(), control=Holm(family=1, alpha=0.05)
    )
    found = Overheads(undisturbed="none", conditions=(), rows=rows, rounds=40)
    out = io.StringIO()
    print_overhead(Console(file=out, width=200), PrintedOverhead(found, judgement, ()))
    return out.getvalue()


def test_dropped_rounds_are_told_once_and_of_what() -> None:
    pairs = [("none", "a"), ("none", "b"), ("none", "c"), ("a", "b"), ("a", "c"), ("b", "c")]
    rows = [
        compared(*pair, row(notes=(DroppedRounds(10 + number % 2),)))
        for number, pair in enumerate(pairs)
    ]
    text = printed(*rows)
    assert text.count("dropped") == 1
    told = LOST.format("10 to 11")
    assert f"{told} (in each of the 6 comparisons)" in text


def test_notes_of_some_name_them() -> None:
    noted = row(notes=(DroppedRounds(10),))
    text = printed(
        compared("none", "a", noted), compared("none", "b", row()), compared("a", "b", noted)
    )
    assert f"{LOST.format(10)} (a against none, b against a)" in text
    other = row(benchmark="Other", notes=(Drifts(0.05),))
    several = printed(compared("none", "a", noted), compared("none", "a", other))
    assert f"{LOST.format(10)} (B, a against none)" in several
    assert "to the second (Other, a against none)" in several
