"""Time as JSON for programs."""

import msgspec

from assay.explained import Explained
from assay.judge.attribution.findings import findings
from assay.show.export.results_json import encode
from assay.show.export.why_json import document
from assay.stacks import Stacks
from assay.timed import WAITING, TimeChange, Timed, TimeInterval

NONE = TimeInterval(0, 0, 0)


def test_amounts_are_whole_numbers_that_add_up_and_stacks_are_there() -> None:
    one = TimeChange("f", True, TimeInterval(10**15, 1, None), NONE, TimeInterval(7, 2, 9))
    waiting = TimeChange(WAITING, False, NONE, NONE, NONE)
    stacks = Stacks({("main", "\x1b<f>"): 3}, {})
    time = Timed(
        20,
        10**15,
        10**15 + 9,
        TimeInterval(9, 1, 12),
        waiting,
        (one,),
        (one,),
        (),
        stacks,
        "cpu-clock",
        0.05,
    )
    made = document(
        [findings(Explained("BM", time=time))],
        targets=("a", "b"),
        only=((), ()),
        failures=[],
        unavailable=[],
    )
    (read,) = msgspec.json.decode(encode(made))["benchmarks"]
    found = read["time"]
    assert found["whole_fs"]["amount"] == 9
    assert sum(c["change_fs"]["amount"] for c in found["changes"]) + found["unexplained_fs"] == 9
    assert found["candidate_fs"] - found["base_fs"] == 9
    assert found["named"] == ["f"]
    assert found["clock"] == "cpu"
    assert found["stacks"]["base"] == [{"stack": ["main", "\x1b<f>"], "samples": 3}]
