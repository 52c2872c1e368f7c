"""A suite's choices as tables, charts and a section of the page."""

import re

import pytest
from records import HOSTILE, SUITE_TIMES, suite_choices, suite_content, suite_record

from assay.errors import UsageError
from assay.judge.labs.levels import levels
from assay.show.drawing import Picture, draw
from assay.show.page.report import page
from assay.show.rows.suite import chart_rows, table_rows
from assay.show.terminal.suite import SuiteShown, print_suite
from assay.workflows.contents.run import of_suite


def test_the_table_says_whom_to_take_and_from_where_another() -> None:
    copy, hashed = table_rows(suite_choices())
    assert copy == ("ref_copy", "Raw", "1 ns", "Single x5", "x2")
    assert hashed.takes == "A, from size 1,048,576 B"
    assert hashed.time == "1 ns .. 2 us"
    assert hashed.safety == "-"


def test_the_chart_has_a_column_for_each_size_or_for_what_threads_may_do() -> None:
    cells = {(row["case"], row["where"]): row["winner"] for row in chart_rows(suite_choices())}
    assert cells == {
        ("ref_copy", "fastest"): "Raw",
        ("ref_copy", "single-threaded"): "Single",
        ("ref_copy", "thread-safe"): "SharedPointer",
        ("hash", "size 8"): "A",
        ("hash", "size 1,048,576"): "B",
    }


def test_the_terminal_has_a_table_for_each_group(capsys: pytest.CaptureFixture[str]) -> None:
    record = suite_record()
    print_suite(SuiteShown(record, levels(record.samples), suite_choices(), "a.json"))
    out = capsys.readouterr().out
    assert re.search(r"^ref$", out, re.M)
    assert re.search(r"^hash +A, from size 1,048,576 B +1 ns \.\. 2 us", out, re.M)
    assert "record: a.json" in out


def test_every_benchmark_is_shown_before_the_advice(capsys: pytest.CaptureFixture[str]) -> None:
    record = suite_record()
    print_suite(SuiteShown(record, levels(record.samples), suite_choices(), "a.json"))
    figures, advice = capsys.readouterr().out.split("\nref\n")
    for name in SUITE_TIMES:
        assert re.search(rf"^{re.escape(name)} +[\d.]+ \w+ ", figures, re.M), name
    assert "take: the fastest" in advice


def test_few_benchmarks_are_shown_where_nothing_can_be_advised(
    capsys: pytest.CaptureFixture[str],
) -> None:
    times = {"BM_fill<Tree>/1000": 43.9e6, "BM_fill<Tree>/10": 5e5}
    record = suite_record(times)
    print_suite(SuiteShown(record, levels(record.samples), (), "a.json"))
    out = capsys.readouterr().out
    assert re.search(r"^BM_fill<Tree>/1000 +43\.9 ms +- +- +1$", out, re.M)
    assert re.search(r"^BM_fill<Tree>/10 +500 us +- +- +1$", out, re.M)
    assert "no advice: that takes two members" in out
    assert "take: the fastest" not in out


def test_the_page_has_a_chart_and_a_table_for_each_group() -> None:
    text = page(of_suite(suite_record(), suite_choices())).decode()
    assert text.count('class="chart" id="decision-') == 2
    assert "<td>A, from size 1,048,576 B</td>" in text


def test_a_run_that_is_no_suite_has_no_such_section() -> None:
    assert 'id="decisions"' not in page(of_suite(suite_record(), ())).decode()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_are_text(hostile: str) -> None:
    times = {f"bench_x<{hostile}A>": 1.0, f"bench_x<{hostile}B>": 2.0}
    text = page(of_suite(suite_record(times), suite_choices(times))).decode()
    assert "<script>alert" not in text
    assert "<img src=x" not in text


def test_the_document_holds_the_choices() -> None:
    document = of_suite(suite_record(), suite_choices()).document
    assert document["choices"][0]["takes"] == ((None, "Raw"),)
    assert len(document["levels"]) == len(SUITE_TIMES)


def test_the_chart_becomes_a_picture_with_columns_by_size() -> None:
    content = suite_content()
    assert draw(content, ".svg", Picture("decision")).startswith(b"<svg")
    places = {row["where"]: row["place"] for row in chart_rows(content.choices)}
    assert sorted(places, key=lambda where: places[where]) == [
        "fastest",
        "single-threaded",
        "thread-safe",
        "size 8",
        "size 1,048,576",
    ]


def test_without_choices_there_is_no_such_picture() -> None:
    with pytest.raises(UsageError, match="no two members"):
        draw(of_suite(suite_record(), ()), ".svg", Picture("decision"))


def test_the_chart_names_whom_the_table_does_where_a_lead_is_none() -> None:
    times = {"f<A>/size:1": 1.0, "f<B>/size:1": 5.0, "f<A>/size:2": 10.0, "f<B>/size:2": 9.9}
    rows = chart_rows(suite_choices(times))
    assert [(row["winner"], row["text"]) for row in rows] == [("A", "1 ns"), ("A", "10 ns")]
