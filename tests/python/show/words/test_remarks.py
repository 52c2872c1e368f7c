"""Remarks in the words that are printed, and that `--json` and records keep."""

from typing import get_args

import pytest
from comparisons import row

from assay.judging import Holm
from assay.model import Judgement, Settings
from assay.remarks import (
    BelowFloor,
    CorrelatedRounds,
    CorrelatedSuite,
    Drifts,
    DroppedRounds,
    LibrariesKept,
    NeverTogether,
    NotBegun,
    NotRelinked,
    OtherIterations,
    OtherLinking,
    OtherValgrinds,
    PlacementNotHeld,
    Remark,
    RemarkName,
    SecondDiffers,
    SessionNote,
    TooFewRepetitions,
    ToSeeWhy,
)
from assay.show.export import comparison_json, results_json
from assay.show.words.remarks import remark

FLOOR = BelowFloor(margin=0.01, effect=0.032, rounds=20, source="this session")
WORST = BelowFloor(
    margin=0.01,
    effect=0.032,
    rounds=20,
    source="this session",
    above=2,
    benchmarks=4,
    worst="BM_3",
)
SAID: list[tuple[Remark, str]] = [
    (RemarkName.NOTHING_MEASURED, "nothing was measured"),
    (
        RemarkName.NO_NUMBERS,
        "holds values that are no numbers, or are beyond any measurement",
    ),
    (RemarkName.NEGATIVE, "holds negative numbers: a ratio of them cannot be judged"),
    (RemarkName.ZEROS, "holds zeros: a ratio of them cannot be judged"),
    (RemarkName.FROM_NONE, "from none: shown as +200 %, see base and candidate"),
    (
        RemarkName.COUNT_VARIES,
        "not exact: its count differs from launch to launch, and is judged by how much",
    ),
    (RemarkName.TWO_GROUPS, "rounds fall into two groups: a mode of the host or of memory"),
    (
        RemarkName.PLACED_ELSEWHERE,
        "the same machine code on the same data, placed elsewhere: no gate counts the difference",
    ),
    (
        RemarkName.PLACED_ELSEWHERE_COUNTED,
        "the same machine code on the same data, placed elsewhere",
    ),
    (
        RemarkName.ONE_PROGRAM,
        "both sides are the same program: what differs is noise, and the floor of this host",
    ),
    (
        RemarkName.ONE_PROGRAM_UNMEASURED,
        "both sides are the same program: nothing was measured "
        "(--floor measures how far this host's noise reaches)",
    ),
    (DroppedRounds(3), "3 rounds dropped: CPU stolen by the hypervisor"),
    (
        CorrelatedRounds(0.314),
        "rounds are not independent (lag-1 correlation 0.31): interval widened",
    ),
    (
        CorrelatedRounds(-0.3),
        "rounds are not independent (lag-1 correlation -0.30): interval left as it is",
    ),
    (
        Drifts(-0.031),
        "the effect drifts: -3.1% from the first half of the rounds to the second",
    ),
    (SecondDiffers(0.03), "whichever runs second is 3.0% slower"),
    (SecondDiffers(-0.03), "whichever runs second is 3.0% faster"),
    (TooFewRepetitions(1, 5), "1 repetition: 5 a side are needed for an interval"),
    (TooFewRepetitions(4, 5), "4 repetitions: 5 a side are needed for an interval"),
    (
        CorrelatedSuite(0.3),
        "rounds are not independent over the whole suite (0.30): intervals widened",
    ),
    (
        FLOOR,
        "the margin of 1 % is below the floor: A against A differs by up to 3.2 % "
        "after 20 rounds (this session); more rounds lower it",
    ),
    (
        WORST,
        "the margin of 1 % is below the floor of 2 of 4 benchmarks: A against A differs by up "
        "to 3.2 % (BM_3) after 20 rounds (this session); more rounds lower it",
    ),
    (NeverTogether(("a", "b")), "never measured on both sides in one usable round: a, b"),
    (NotBegun(13, 16), "13 of 16 benchmarks were not begun: it ended before"),
    (NotBegun(1, 2), "1 of 2 benchmarks was not begun: it ended before"),
    (
        OtherIterations(("a", "b")),
        "counted for different numbers of iterations on the two sides: a, b",
    ),
    (
        OtherValgrinds(("3.19.0", "3.22.0")),
        "counted by different versions of valgrind: 3.19.0, 3.22.0",
    ),
    (
        OtherLinking("candidate"),
        "only the candidate's programs are linked with no library, as a wheel's are: what starts a "
        "program or calls the C library costs less there",
    ),
    (
        PlacementNotHeld(("git:a", "."), 25, 100),
        "the build of git:a and . does not take the flags that hold placement: 25 of 100 functions "
        "begin at a line of the cache, so that differences may be of where code lies "
        "(docs/guides/revisions.md#placement says what to do)",
    ),
    (
        NotRelinked(("git:a",), "it has no symbols"),
        "git:a could not be linked in random orders: it has no symbols; so it has one placement "
        "(docs/guides/revisions.md#placements-drawn-at-random)",
    ),
    (
        LibrariesKept(("git:a",), ("libx.so", "liby.so")),
        "of git:a the program alone was linked in random orders: libraries of the same build "
        "stay as they are: libx.so, liby.so",
    ),
    (ToSeeWhy("assay why a b"), "to see why: assay why a b"),
    (SessionNote("the CPUs are alike"), "the CPUs are alike"),
]


def test_every_remark_is_here() -> None:
    names = set(get_args(Remark)) - {RemarkName}
    assert {type(made) for made, _ in SAID} == {RemarkName, *names}
    assert {made for made, _ in SAID if isinstance(made, RemarkName)} == set(RemarkName)


@pytest.mark.parametrize(("made", "said"), SAID, ids=[str(n) for n in range(len(SAID))])
def test_a_remark_is_said_and_kept_in_these_words(made: Remark, said: str) -> None:
    assert remark(made) == said
    one = row(notes=(made,))
    assert comparison_json.row(one)["notes"] == [said]
    judged = Judgement(
        comparisons=(one,),
        settings=Settings(),
        control=Holm(family=1, alpha=0.05),
        notes=(made,),
    )
    document = results_json.results(judged, targets={}, hosts={}, only=((), ()), failures=())
    assert document["notes"] == [said]
    assert document["comparisons"][0]["notes"] == [said]
