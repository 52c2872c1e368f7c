import gc
import json
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import DATA, gbench_json, row

from assay.errors import InputError
from assay.record.reader import is_google_benchmark, is_known, parse, read


def names(text: str) -> list[str]:
    return [sample.benchmark for sample in parse(text.encode(), "f.json").samples]


def test_repetitions_of_one_process_are_one_launch() -> None:
    record = parse(gbench_json([row("a", 1), row("b", 5), row("a", 2)]).encode(), "f")
    assert [(s.benchmark, s.values["real_time"]) for s in record.samples] == [
        ("a", (1.0, 2.0)),
        ("b", (5.0,)),
    ]


@pytest.mark.parametrize("counters", [{}, {"items_per_second": 5.0}])
def test_aggregates_are_left_out_where_there_are_repetitions(counters: dict[str, object]) -> None:
    mean = row("a_mean", aggregate_name="mean", run_name="a", run_type="aggregate", **counters)
    assert names(gbench_json([row("a", **counters), mean])) == ["a"]


@pytest.mark.parametrize("counters", [{}, {"items_per_second": 5.0}])
def test_where_only_aggregates_are_the_mean_stands_in(counters: dict[str, object]) -> None:
    """Not the median: 1.7.1's is wrong for even counts."""
    rows = [
        row(f"a_{kind}", aggregate_name=kind, run_name="a", run_type="aggregate", **counters)
        for kind in ("mean", "median", "stddev")
    ]
    assert names(gbench_json(rows)) == ["a"]


def test_counters_are_metrics_and_odd_ones_left_out() -> None:
    text = gbench_json([row("a", foo=3, bar=float("nan")), row("a", foo=4, bar=1.0)])
    (sample,) = parse(text.encode(), "f").samples
    assert sample.values["foo"] == (3.0, 4.0)
    assert "bar" not in sample.values


def test_errors_become_failures_and_the_rest_is_kept() -> None:
    rows = [row("bad", error_occurred=True, error_message="no file"), row("good")]
    record = parse(gbench_json(rows).encode(), "f")
    assert [(f.benchmark, f.what) for f in record.failures] == [("bad", "no file")]
    assert [s.benchmark for s in record.samples] == ["good"]


def test_skipped_without_error_is_named_too() -> None:
    record = parse(gbench_json([row("s", skipped=True, skip_message="later")]).encode(), "f")
    assert record.failures[0].what == "later"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"context": {}, "benchmarks": [{"name": "a", "real', "is not JSON"),
        ("[1, 2]", "another shape"),
        ('{"results": []}', "another shape"),
        ('{"benchmarks": [3]}', "other things than rows"),
        (gbench_json([{"name": "a", "time_unit": "ns"}]), "'a' has no real_time"),
        (gbench_json([{"real_time": 1.0, "cpu_time": 1.0}]), "no name"),
        (gbench_json([row("a", float("nan"))]), "'a' has real_time = nan"),
        (gbench_json([row("a", float("inf"))]), "'a' has real_time = inf"),
        (gbench_json([row("a", -1.0)]), "'a' has real_time = -1"),
        (gbench_json([row("a", 1.0, -2.0)]), "'a' has cpu_time = -2"),
        (gbench_json([row("a", foo=1, real_time="fast")]), "'a' has no real_time"),
        (gbench_json([{**row("a"), "time_unit": "weeks"}]), "time_unit 'weeks'"),
        (gbench_json([row("a", assay={"series": {"x": {"t": [1.0], "v": []}}})]), "as many 'v'"),
        (gbench_json([row("a", assay={"series": {"x": {"t": [1.0]}}})]), "missing required .*v"),
        (gbench_json([row("a", assay={"series": {"x": 3}})]), "series of benchmark 'a'"),
        (gbench_json([row("a")], assay={"schema": 99}), "schema version 99"),
        (gbench_json([row("a")], assay="yes"), "not ours"),
    ],
)
def test_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse(text.encode(), "old/run.json")
    assert caught.value.message.startswith("old/run.json: ")
    assert "\n" not in caught.value.message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "empty.json").touch()
    for name, message in (
        ("", "is a directory; name a file in it, or target/criterion or target/gungraun"),
        ("none.json", "no such file; check the path"),
        ("empty.json", "is empty; measure again"),
    ):
        with pytest.raises(InputError) as refused:
            read(tmp_path / name)
        assert str(refused.value) == f"{tmp_path / name}: {message}"


def test_rows_of_one_name_in_two_units_are_two_samples() -> None:
    rows = [row("a", 1), {**row("a", 2), "time_unit": "us"}, row("a", 3)]
    record = parse(gbench_json(rows).encode(), "f")
    assert [(one.time_unit, one.values["real_time"]) for one in record.samples] == [
        ("ns", (1.0, 3.0)),
        ("us", (2.0,)),
    ]


def test_a_time_of_nothing_is_a_time() -> None:
    record = parse(gbench_json([row("a", 0)]).encode(), "f")
    assert record.samples[0].values["real_time"] == (0.0,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "is JSON of another shape; {shape}"),
        ('{"benchmarks": {}}', "is JSON of another shape; {shape}"),
        ('{"benchmarks": [], "context": 1}', "is JSON of another shape; {shape}"),
        ('{"benchmarks": [1]}', "`benchmarks` holds other things than rows"),
        ('{"benchmarks": [], "context": {"assay": 1}}', "`context.assay` is not ours; {shape}"),
        (
            '{"benchmarks": [], "context": {"assay": {"schema": 2}}}',
            "has schema version 2, this Assay reads up to 1; read it with a newer Assay",
        ),
    ],
)
def test_json_of_another_shape(text: str, said: str) -> None:
    shape = "expected Google Benchmark JSON: an object with `context` and `benchmarks`"
    with pytest.raises(InputError) as refused:
        parse(text.encode(), "f")
    assert str(refused.value) == f"f: {said.format(shape=shape)}"


def test_the_straight_path_and_the_general_one_agree() -> None:
    """A counter anywhere sends the whole file down the general path."""
    plain = json.loads((DATA / "gbench" / "test3_run0.json").read_text())
    slow = {**plain, "benchmarks": [{**plain["benchmarks"][0], "foo": 1}, *plain["benchmarks"][1:]]}
    fast_record = parse(json.dumps(plain).encode(), "f")
    slow_record = parse(json.dumps(slow).encode(), "f")
    assert [s.values["real_time"] for s in fast_record.samples] == [
        s.values["real_time"] for s in slow_record.samples
    ]
    assert [s.benchmark for s in fast_record.samples] == [s.benchmark for s in slow_record.samples]
    assert "foo" in slow_record.samples[0].values


def test_complexity_rows_are_not_measurements() -> None:
    record = read(DATA / "gbench" / "test1_run1.json")
    assert not [s for s in record.samples if "Complexity" in s.benchmark]
    assert len(record.samples) == 14


def test_the_search_for_cycles_goes_on_after_reading(tmp_path: Path) -> None:
    assert gc.isenabled()
    for text in (gbench_json([row("a")]), "prose"):
        (tmp_path / "f").write_text(text)
        with suppress(InputError):
            read(tmp_path / "f")
        assert gc.isenabled()


def test_a_folder_whose_files_vanish_meanwhile_is_none_that_is_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def vanished(_: Path) -> bool:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("assay.record.formats.table.is_folder", vanished)
    assert not is_known(tmp_path)


COUNTER = {"foo": 1}


@pytest.mark.parametrize("counters", [{}, COUNTER], ids=["straight", "general"])
@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([row("a", 3, repetition_index=2), row("a", 1, repetition_index=0)], [("a", (1.0, 3.0))]),
        ([row("a", 3, repetition_index=0), row("a", 1, repetition_index=0)], [("a", (3.0, 1.0))]),
        ([row("a", 3, repetition_index=1), row("a", 1)], [("a", (1.0, 3.0))]),
        (
            [row("a", 9, run_type="aggregate"), row("a", 1, repetition_index=7)],
            [("a", (1.0, 9.0))],
        ),
        (
            [
                row("a_mean", 2, aggregate_name="mean", run_name="a"),
                row("b", 3, run_name="b"),
                row("b_mean", 4, aggregate_name="mean", run_name="b"),
                row("a_median", 5, aggregate_name="median", run_name="a"),
            ],
            [("b", (3.0,)), ("a", (2.0,))],
        ),
        (
            [{"name": "a", "real_time": 1, "cpu_time": 1},
             row("a_mean", 4, aggregate_name="mean", run_name="a")],
            [("a", (1.0,))],
        ),
        ([row("a", 0), row("b", 1), row("a", 2)], [("a", (0.0, 2.0)), ("b", (1.0,))]),
    ],
)  # fmt: skip
def test_both_paths_order_rows_alike(
    rows: list[dict[str, object]],
    found: list[tuple[str, tuple[float, ...]]],
    counters: dict[str, object],
) -> None:
    text = gbench_json([{**one, **counters} for one in rows])
    samples = parse(text.encode(), "f").samples
    assert [(one.benchmark, one.values["real_time"]) for one in samples] == found


@pytest.mark.parametrize("counters", [{}, COUNTER], ids=["straight", "general"])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"iterations": -1}, "-1 of something that is counted"),
        ({"iterations": 1e300}, "1e+300 of something that is counted"),
        ({"iterations": 2**63}, "9.22e+18 of something that is counted"),
        ({"threads": -1}, "-1 of something that is counted"),
        ({"threads": 2**63}, "9.22e+18 of something that is counted"),
    ],
)
def test_both_paths_refuse_counts_that_no_store_can_hold(
    given: dict[str, object], said: str, counters: dict[str, object]
) -> None:
    with pytest.raises(InputError) as refused:
        parse(gbench_json([{**row("a"), **given, **counters}]).encode(), "f")
    assert str(refused.value) == (
        f"f: benchmark 'a' has a value of another type ({said}); make the file again with "
        "--benchmark_out_format=json"
    )


@pytest.mark.parametrize("counters", [{}, COUNTER], ids=["straight", "general"])
def test_both_paths_make_the_same_of_a_row(counters: dict[str, object]) -> None:
    given = {"iterations": 7.0, "threads": 0, "label": "x", "time_unit": "us"}
    (one,) = parse(gbench_json([{**row("a", 2, 1), **given, **counters}]).encode(), "f").samples
    assert (one.iterations, one.threads, one.label, one.time_unit) == (7, 1, "x", "us")
    assert (one.values["real_time"], one.values["cpu_time"]) == ((2.0,), (1.0,))


@pytest.mark.parametrize("times", [(1e308, 1e308), (0.0, 1e308, 1e308)])
def test_times_whose_sum_is_no_number_are_times(times: tuple[float, ...]) -> None:
    text = gbench_json([row("a", time) for time in times])
    assert parse(text.encode(), "f").samples[0].values["real_time"] == times


@pytest.mark.parametrize(
    ("data", "known", "google"),
    [
        (b'{"context": {}}', True, True),
        (b' \n{"context" : {}}', True, True),
        (b'{"benchmarks": []}', True, True),
        (b'\xef\xbb\xbf{"benchmarks": []}', True, True),
        (b"goos: linux\n", True, False),
        (b"prose", False, True),
        (b'{"machine_info": {}}', True, False),
        (b'{"context": {}, "machine_info": {}}', True, True),
    ],
)
def test_what_looks_like_results(tmp_path: Path, data: bytes, *, known: bool, google: bool) -> None:
    path = tmp_path / "f"
    path.write_bytes(data)
    assert is_known(path) is known
    assert is_google_benchmark(data) is google
    assert not is_known(tmp_path / "none")
    assert not is_known(tmp_path)


def test_sentences_on_files_that_are_no_results(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("prose")
    with pytest.raises(InputError) as refused:
        read(path)
    assert str(refused.value).startswith(
        f"{path}: is no file of results that Assay knows; it reads Google Benchmark JSON, pytest-"
    )
    with pytest.raises(InputError) as refused:
        parse(b'{"context": {}', "f")
    assert str(refused.value) == (
        "f: is not JSON (Input data was truncated); is it complete? measure again"
    )
