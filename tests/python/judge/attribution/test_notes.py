"""What several stages miss is noted once, and with the first of them."""

from assay.findings import Claim, StageFindings, StageName, WhyFinding
from assay.judge.attribution.notes import notes_without_repeats


def stage(name: StageName, *notes: str) -> StageFindings:
    return StageFindings(name, WhyFinding(name, Claim.SAME), (), notes)


def test_the_first_of_notes_that_begin_alike_is_kept_and_what_is_known_is_not() -> None:
    stages = [
        stage(StageName.WORK, "no debug: for lines and inlined code", "counted twice", "flags: x"),
        stage(StageName.MEMORY, "counted twice", "no debug: for lines"),
        stage(StageName.CODE, "no debug: for lines", "another"),
    ]
    told, kept = notes_without_repeats(stages, ["flags: y"])
    assert told == ("counted twice", "no debug: for lines and inlined code", "another")
    assert [one.notes for one in kept] == [
        ("no debug: for lines and inlined code", "counted twice"),
        (),
        ("another",),
    ]
