"""The tables of an overhead experiment: every row, each cell as it is read."""

from experiments import experiment, found

from assay.show.rows.overhead import OverheadTable, tables


def texts(table: OverheadTable) -> list[dict[str, str]]:
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, (cell.text for cell in row), strict=True)) for row in table.rows]


def test_each_condition_against_undisturbed_with_its_proof() -> None:
    against, _ = tables(found())
    assert against.title == "Against undisturbed"
    first, second, third = texts(against)
    assert first == {
        "condition": "bpftrace",
        "undisturbed": "500 us",
        "with it": "524 us",
        "overhead": "+4.9 %",
        "interval": "+4.4 .. +5.3 %",
        "verdict": "▲ slower",
        "events": "82,244",
        "lost": "3",
    }
    assert [second[title] for title in ("condition", "verdict", "events", "lost")] == [
        *("seccomp", "= same", "-", "-"),
    ]
    assert (third["events"], third["lost"]) == ("40", "-")


def test_conditions_against_each_other() -> None:
    _, others = tables(found())
    assert others.title == "Against each other"
    rows = texts(others)
    pairs = [(row["condition"], row["reference"]) for row in rows]
    assert pairs == [("seccomp", "bpftrace"), ("strace", "bpftrace"), ("strace", "seccomp")]
    assert (rows[0]["reference takes"], rows[0]["condition takes"]) == ("524 us", "499 us")
    assert (rows[0]["change"], rows[0]["verdict"]) == ("-4.7 %", "▼ faster")


def test_the_benchmark_is_named_where_there_are_several() -> None:
    one, _ = tables(found())
    both, others = tables(found(experiment(benchmarks=("exec", "fork"))))
    assert "benchmark" not in [column.title for column in one.columns]
    assert [row["benchmark"] for row in texts(both)] == ["exec", "fork"] * 3
    assert len(others.rows) == 6


def test_a_table_without_rows_is_left_out() -> None:
    (only,) = tables(found(experiment({"undisturbed": 1.0, "bpftrace": 1.05})))
    assert only.key == "against"
    assert tables(found(experiment({"undisturbed": 1.0}))) == []


def test_undecided_rows_say_what_would_decide_them() -> None:
    against, _ = tables(found(experiment(rounds=2)))
    verdict = against.rows[0][[column.title for column in against.columns].index("verdict")]
    assert verdict.text == "? undecided"
    assert verdict.small.startswith("2 of 13 rounds")
