"""The page and the words of `assay trust`: what is known is said, whatever names there are."""

import pytest
from tried_out import HOSTILE, told, trusted

from assay.judge.trust import judged_tries, median_and_largest
from assay.model import Failure, Verdict
from assay.show.page.trust import trust_page
from assay.show.terminal.trust import print_trust
from assay.show.words import trust as words
from assay.trust import Placement, Trust


def said(trust: Trust) -> str:
    return "\n".join([words.headline(trust), *words.sentences(trust), *words.how_obtained(trust)])


def test_what_is_known_is_said() -> None:
    text = said(trusted())
    assert "None of 2 verdicts on a copy of the program called it changed; 1 called it" in text
    assert "here it was 0 of 1 (0 .. 98 %)" in text
    assert "the delays were 5.01 to 5.01 % of what ran" in text
    assert "it did not reach, and so does not count, BM_<script>" in text
    assert "after 24 rounds noise reaches 3 % (BM_<" in text
    assert "in half of the benchmarks 2 %" in text
    assert "placement does to its times is not known: it was linked elsewhere" in text


def test_a_false_verdict_comes_first() -> None:
    wrong = judged_tries([told(Verdict.SLOWER, "BM_a")], injected=0.0, margin=0.02)
    text = said(trusted(tries=(wrong,)))
    assert text.startswith("1 of 1 verdicts on a copy of the program called it changed")
    assert "Wrong, with a copy: BM_a (slower, +3.0 .. +7.0 %)" in text


def test_where_nothing_was_decided_nothing_is_claimed() -> None:
    undecided = judged_tries([told(Verdict.UNDECIDED, "BM_a")], injected=0.0, margin=0.02)
    assert said(trusted(tries=(undecided,))).startswith("Nothing can be said yet: none of 1")


def test_placement_that_was_measured_is_told() -> None:
    placed = Placement(links=8, spread=median_and_largest({"BM_a": 0.01, "BM_b": 0.04}))
    assert "differ by 4 % in BM_b and by 2.5 % in the median of 2" in said(
        trusted(placement=placed)
    )


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tries": ()}, "Nothing can be said yet"),
        ({"why_not_slowed": "it is linked statically"}, "found: it is linked statically"),
        ({"slowdowns": (0.05, 0.1)}, "no time for every slowdown"),
        ({"benchmarks": 9}, "2 of 9 benchmarks were looked at, drawn by lot"),
        ({"floor": None}, "floor of this host is not known"),
    ],
)
def test_what_is_not_known_is_said_too(changes: dict[str, object], says: str) -> None:
    assert says in said(trusted(**changes))


def test_the_page_escapes_what_it_shows_and_is_the_same_every_time() -> None:
    failures = (Failure(benchmark=HOSTILE, what="it <b>crashed</b>"),)
    html = trust_page(trusted(failures=failures))
    assert html == trust_page(trusted(failures=failures))
    text = html.decode()
    assert "<script>alert" not in text
    assert "\x1b" not in text
    assert "it &lt;b&gt;crashed" in text
    assert text.count("<details") == 2
    assert "interrupted" not in text.lower()
    assert "Interrupted: this is what was known" in trust_page(trusted(interrupted=True)).decode()


def test_the_terminal_shows_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    from assay.show.terminal.console import output_console

    print_trust(output_console(), trusted(interrupted=True))
    out = capsys.readouterr().out
    for line in words.sentences(trusted()):
        assert line in out
    assert "1 of 2 (1 .. 99 %)" in out
    assert "\x1b" not in out
