"""Work as JSON for programs: what it names is what the text names."""

import msgspec
from explanations import exact_work, own_change

from assay.explained import Explained
from assay.judge.attribution.findings import findings
from assay.show.export.results_json import encode
from assay.show.export.why_json import document
from assay.work import Attribution, ExactWork, Simulated


def test_misses_that_come_with_more_work_are_named_by_neither() -> None:
    """The text left `f` out, and the document named it."""
    work = exact_work(own_change("f", 1000))
    misses = own_change("f", 100), own_change("g", 100)
    missed = Simulated("first", 10, Attribution(10, 900, 1100, misses), misses)
    both = ExactWork(work.loop, work.setup, work.told, simulated=(missed,))
    found = findings(Explained("BM", both))
    made = document([found], targets=("a", "b"), only=((), ()), failures=[], unavailable=[])
    (one,) = msgspec.json.decode(encode(made))["benchmarks"]
    assert [part["named"] for part in one["simulated"]] == [["g"]]
    assert one["claim"].startswith("1 % more instructions: `f` calls `memmove`")
    assert [part["function"] for part in one["answer"]] == ["f"]
