"""Markdown, JUnit, JSON and the words and numbers all of them share."""

import json
import xml.etree.ElementTree as ET

import explanations
import pytest
from comparisons import row, sometimes
from records import HOSTILE, content, plain, two_sided

from assay.judge.attribution.findings import findings
from assay.judging import Holm
from assay.model import Comparison, Failure, Judgement, Settings, Side, Verdict
from assay.show.charts.spans import change_span, effect_axis, place, value_span
from assay.show.content import Content
from assay.show.export.junit import junit
from assay.show.export.markdown import code, markdown
from assay.show.export.results_json import encode
from assay.show.words import explain, facts, format, summary


def judgement(shown: Content) -> Judgement:
    assert shown.judgement is not None
    return shown.judgement


def test_junit_counts_slower_undecided_and_what_failed() -> None:
    failures = [Failure(benchmark="Gone", what="crashed: signal 11", side=Side.BASE)]
    root = ET.fromstring(junit(judgement(content()), failures=failures))
    suite = root[0]
    comparisons = judgement(content()).comparisons
    slower = sum(one.verdict == "slower" and not one.single for one in comparisons)
    assert suite.get("tests") == str(len(comparisons) + 1)
    assert suite.get("failures") == str(slower) == str(len(suite.findall("testcase/failure")))
    assert suite.get("errors") == "1"
    assert suite.findall("testcase/skipped")
    failure = suite.find("testcase/failure")
    assert failure is not None
    one = next(one for one in comparisons if one.verdict == "slower")
    assert format.change(one.change) in str(failure.get("message"))
    assert format.interval(one.low, one.high) in str(failure.get("message"))


def test_hostile_names_are_whole_in_junit_and_nothing_but_text() -> None:
    shown = content(two_sided(dict.fromkeys(HOSTILE, 1.1), 8))
    root = ET.fromstring(junit(judgement(shown), failures=()))
    names = {case.get("name") for case in root.iter("testcase")}
    assert names == {format.visible(name) for name in HOSTILE}
    assert {one.tag for one in root.iter()} <= {
        *("testsuites", "testsuite", "testcase", "failure", "skipped", "system-out")
    }


def test_hostile_names_stay_in_their_cell_in_markdown() -> None:
    shown = content(two_sided(dict.fromkeys(HOSTILE, 1.1), 8))
    text = markdown(judgement(shown), only=(HOSTILE, ()), failures=())
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    # Bars that divide cells are not escaped; eight of them frame seven cells.
    assert {row.replace("\\|", "").count("|") for row in rows} == {8}
    assert len(rows) >= len(HOSTILE)


@pytest.mark.parametrize("name", ["`", "``a```b", "a`", "\\`", "x" * 500])
def test_a_code_span_is_longer_than_any_run_in_it(name: str) -> None:
    span = code(name)
    fence = span[: len(span) - len(span.lstrip("`"))]
    assert span.endswith(fence)
    assert fence not in span[len(fence) : -len(fence)]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.4, "ns", "0.4 ns"),
        (999.4, "ns", "999 ns"),
        (999.96, "ns", "1 us"),
        (1_500, "us", "1.5 ms"),
        (12_345, "ms", "12.3 s"),
        (0, "ns", "0 ns"),
        (1_234_567, "1", "1.23M"),
        (2_048, "B", "2 KiB"),
        (1.5e9, "1/s", "1.5G/s"),
    ],
)
def test_quantities_scale_as_people_expect(value: float, unit: str, text: str) -> None:
    assert format.quantity(value, unit) == text


@pytest.mark.parametrize(("value", "unit"), [(0.4, "ns"), (1_500, "us"), (3e6, "B"), (5e4, "1")])
def test_an_axis_is_in_the_unit_its_values_are_written_in(value: float, unit: str) -> None:
    divisor, shown = format.shown_unit(value, unit)
    number = f"{value / divisor:.3g}"
    assert format.quantity(value, unit).replace(" ", "") == f"{number}{shown}"


def test_json_is_what_was_judged() -> None:
    shown = content()
    rows = json.loads(encode(shown.document))["comparisons"]
    for told, one in zip(rows, judgement(shown).comparisons, strict=True):
        assert (told["change"], told["low"], told["verdict"]) == (one.change, one.low, one.verdict)


def test_how_it_was_judged_is_told_for_both_designs() -> None:
    rounds = " ".join(explain.paragraphs(judgement(content())))
    files = " ".join(explain.paragraphs(judgement(content(plain(["A"]), plain(["A"])))))
    assert "in random order" in rounds
    assert "one side was measured after the other" in files.lower()


def test_facts_that_differ_come_first() -> None:
    rows = facts.rows({"base": {"a": 1, "b": True}, "candidate": {"a": 1, "b": False}})
    assert rows[0] == facts.Fact("b", "yes", "no", True)
    assert facts.rows({"base": {"x_bytes": 2048}})[0].base == "2 KiB"


def test_axes_leave_far_outliers_out_and_never_collapse() -> None:
    import numpy as np

    low, high = value_span(np.array([1.0] * 5 + [1.1] * 94 + [50.0]))
    assert low < 1.0 < 1.1 < high < 2.0
    for few in ([], [3.0], [3.0] * 10, [0.0]):
        low, high = value_span(np.array(few))
        assert low < high
    assert change_span(np.array([np.nan]), (None,)) == (-0.01, 0.01)


def test_near_and_far_effects_can_be_read_on_one_axis() -> None:
    near = effect_axis([-0.03, 0.05], 0.02)
    far = effect_axis([-0.5, 0.01, 12.0], 0.02)
    assert place(0.02, near) - place(0, near) == pytest.approx(place(0, near) - place(-0.02, near))
    assert place(0.02, far) - place(0.0, far) > 0.05
    for axis in (near, far):
        ticks = axis["ticks"]
        assert isinstance(ticks, list)
        assert 0.0 in ticks
        assert ticks == sorted(ticks)
        assert 3 <= len(ticks) <= 12


def made_of(*comparisons: Comparison) -> Judgement:
    return Judgement(
        comparisons=comparisons, settings=Settings(), control=Holm(family=1, alpha=0.05)
    )


def test_what_is_only_sometimes_slower_is_said_in_every_form() -> None:
    found = made_of(sometimes())
    assert summary.headline(found.comparisons).startswith("Of 1 benchmark 1 is sometimes slower")
    text = markdown(found, only=((), ()), failures=())
    assert "△ sometimes slower (in about 1 of 5 launches, by 30 %)" in text
    failure = ET.fromstring(junit(found, failures=())).find("testsuite/testcase/failure")
    assert failure is not None
    expected = "sometimes slower: in about 1 of 5 launches, by 30 %; "
    assert str(failure.get("message")).startswith(expected)
    assert any(line.startswith("sometimes slower: ") for line in explain.meanings(found))


def test_the_words_of_a_metric_hold_for_what_is_only_sometimes() -> None:
    assert format.verdict_word(sometimes(metric="max_rss")) == "sometimes larger"
    assert format.verdict_word(sometimes(metric="items_per_second")) == "sometimes slower"


def test_a_single_interval_is_marked_and_fails_nothing() -> None:
    verdicts = (Verdict.SLOWER, Verdict.UNDECIDED)
    alone = [row(metric="cpu_time", single=True, verdict=one) for one in verdicts]
    found = made_of(row(verdict=Verdict.SAME, low=0.0, high=0.01), *alone)
    assert summary.headline(found.comparisons) == "Of 1 benchmark 1 is the same (real_time)."
    text = markdown(found, only=((), ()), failures=())
    assert "+0.00 .. +6.0 % (single)" in text
    assert text.count("no gate asks it") == 1
    suite = ET.fromstring(junit(found, failures=()))[0]
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "0")
    assert not suite.findall("testcase/failure") + suite.findall("testcase/skipped")
    assert sum("no gate asks it" in line for line in explain.paragraphs(found)) == 1
    only = made_of(row(metric="cpu_time"), row(single=True))
    assert summary.primary_metric(only.comparisons) == "cpu_time"


def test_markdown_says_first_what_changed_and_folds_what_did_not() -> None:
    slower = [
        row(benchmark=f"BM_{n}", verdict=Verdict.SLOWER, change=0.1 + n, low=0.05, high=0.2 + n)
        for n in range(5)
    ]
    same = [row(benchmark=f"BM_same_{n}", verdict=Verdict.SAME, low=0.0, high=0.01) for n in (1, 2)]
    text = markdown(
        made_of(*same, *slower), only=((), ()), failures=(), command="assay compare a b"
    )
    first, _, second, *_ = text.splitlines()
    assert first.startswith("**Of 7 benchmarks 5 are slower, 2 are the same")
    assert (
        second
        == "`BM_4` +410.0 % slower, `BM_3` +310.0 % slower, `BM_2` +210.0 % slower and 2 more."
    )
    shown, _, folded = text.partition(
        "<details><summary>2 benchmarks that did not change</summary>"
    )
    assert shown.count("\n| `BM_") == 5
    assert folded.partition("</details>")[0].count("\n| `BM_same_") == 2
    assert text.rstrip().endswith("To do it again: `assay compare a b`")


def test_markdown_says_why_below_the_rows_that_changed() -> None:
    found = findings(explanations.everything("BM_append|x"))
    text = markdown(judgement(content()), only=((), ()), failures=(), explained=[found])
    above, _, below = text.partition("\nWhy:\n")
    assert "| verdict |" in above
    line, _, rest = below.partition("\n")
    assert line.startswith("- `BM_append\\|x`: ")
    assert "Wal::append" in line
    assert "<details>" in rest
    assert "Why:" not in markdown(judgement(content()), only=((), ()), failures=())


def test_markdown_of_nothing_changed_has_only_folded_rows() -> None:
    text = markdown(
        made_of(row(verdict=Verdict.SAME, low=0.0, high=0.01)), only=((), ()), failures=()
    )
    assert "1 benchmark that did not change" in text
    assert text.count("| benchmark |") == 1
    assert "To do it again" not in text
