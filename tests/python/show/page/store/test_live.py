"""What a look changes on the page of a session: of a run by itself, and of what is not judged."""

import msgspec

from assay.live import LiveStage, Look
from assay.model import Level
from assay.planned import Planned
from assay.show.page.store.live import look_data

PLANNED = Planned(benchmarks=("BM_a", "BM_b"), rounds=5)
ALONE = Look(stage=LiveStage.MEASURING, planned=PLANNED, two_sided=False)
LEVEL = Level(benchmark="BM_a", unit="ns", real=3.0, cpu=None, spread=None, launches=2)


def test_a_run_by_itself_has_the_same_columns_from_first_to_last() -> None:
    first = look_data(ALONE)
    last = look_data(
        msgspec.structs.replace(ALONE, stage=LiveStage.STORED, run="r", levels=(LEVEL,))
    )
    titles = [[one["title"] for one in look["grid"]["columns"]] for look in (first, last)]
    assert titles[0] == titles[1] == ["benchmark", "time", "CPU", "spread", "launches"]
    assert first["headline"] == "0 benchmarks measured so far."
    assert (last["headline"], last["href"]) == ("1 benchmark measured.", "../runs.html?q=r")
    assert last["open"] == "Not measured yet: BM_b."


def test_what_is_judged_at_its_end_says_so() -> None:
    look = look_data(Look(stage=LiveStage.MEASURING, planned=PLANNED, is_judged=False))
    assert look["headline"] == "This kind of session is judged when it has ended."
    assert look["grid"]["columns"][0]["shown"] == ["BM_a", "BM_b"]
