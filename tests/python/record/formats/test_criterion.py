"""What Criterion.rs leaves: a folder of benchmarks, or one file of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.record.formats import criterion

AGAIN = "is it complete? write it again with the tool that made it"
SAMPLE = {"iters": [2.0, 4.0], "times": [20.0, 80.0]}
MEAN = {"mean": {"point_estimate": 7.0}}


def put(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path


def of(path: Path) -> tuple[str, int, dict[str, tuple[float, ...]]]:
    (one,) = criterion.parse(path.read_bytes(), str(path)).samples
    return one.benchmark, one.iterations, one.values


@pytest.mark.parametrize(
    ("name", "document", "iterations", "times"),
    [
        ("sample.json", SAMPLE, 6, (10.0, 20.0)),
        ("sample.json", {"iters": [1.0], "times": [0.0]}, 1, (0.0,)),
        ("estimates.json", MEAN, 0, (7.0,)),
        ("estimates.json", MEAN | {"slope": None}, 0, (7.0,)),
        ("estimates.json", MEAN | {"slope": {"point_estimate": 6.0}}, 0, (6.0,)),
    ],
)
def test_times_of_an_iteration(
    tmp_path: Path, name: str, document: Any, iterations: int, times: tuple[float, ...]
) -> None:
    about = {"full_id": "join/8", "directory_name": "join"}
    put(tmp_path / "benchmark.json", about)
    values = {"real_time": times}
    assert of(put(tmp_path / name, document)) == ("join/8", iterations, values)


@pytest.mark.parametrize(
    ("throughput", "times", "more"),
    [
        ({"Bytes": 8}, [4.0], {"bytes_per_second": (2e9,)}),
        ({"Elements": 1}, [4.0, 2.0], {"items_per_second": (0.25e9, 0.5e9)}),
        ({"Elements": 1}, [4.0, 0.0], {}),
        ({"Bits": 8}, [4.0], {}),
        ({"ElementsAndBytes": {"elements": 1, "bytes": 2}}, [4.0], {}),
        (None, [4.0], {}),
    ],
)
def test_throughput(tmp_path: Path, throughput: Any, times: list[float], more: Any) -> None:
    put(tmp_path / "benchmark.json", {"full_id": "x", "throughput": throughput})
    path = put(tmp_path / "sample.json", {"iters": [1.0] * len(times), "times": times})
    assert of(path)[2] == {"real_time": tuple(times), **more}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("target/criterion/join/8/new/sample.json", "join/8"),
        ("/x/criterion/join/base/sample.json", "join"),
        ("a/join/new/sample.json", "join"),
        ("./sample.json", "sample"),
        ("criterion/new/sample.json", "sample"),
    ],
)
def test_folders_name_a_benchmark_that_nothing_else_names(path: str, name: str) -> None:
    (one,) = criterion.parse(json.dumps(SAMPLE).encode(), path).samples
    assert one.benchmark == name


def test_a_folder_is_searched_three_folders_deep_and_samples_are_preferred(tmp_path: Path) -> None:
    root = tmp_path / "criterion"
    assert not criterion.is_folder(root)
    put(root / "deep/a/b/c/new/sample.json", SAMPLE)
    put(root / "old/base/sample.json", SAMPLE)
    assert not criterion.is_folder(root)
    put(root / "a/b/c/new/sample.json", SAMPLE)
    assert criterion.is_folder(root)
    put(root / "a/b/c/new/estimates.json", MEAN)
    put(root / "z/new/estimates.json", MEAN)
    found = criterion.read(root)
    assert [(one.benchmark, one.launch, one.values["real_time"]) for one in found.samples] == [
        ("a/b/c", 0, (10.0, 20.0)),
        ("z", 0, (7.0,)),
    ]
    assert (found.origin, found.facts.written) == (str(root), {"tool": "Criterion"})
    assert criterion.is_folder(root / "z/new")
    assert [one.benchmark for one in criterion.read(root / "z/new").samples] == ["z"]
    assert not criterion.is_folder(root / "z/new/estimates.json")


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (
            {"full_id": "x", "directory_name": "x"},
            "names a benchmark and holds no times; give target/criterion, or a sample.json in it",
        ),
        ({"iters": [1], "times": []}, f"has 0 times for 1 counts of iterations; {AGAIN}"),
        ({"iters": [1, 0.5], "times": [1, 1]},
         f"has 2 times for 2 counts of iterations; {AGAIN}"),
        ({"iters": [1], "times": [-1]}, f"benchmark 'f' has time = -1.0; {AGAIN}"),
        ({"iters": [], "times": []}, "holds no measurement of Criterion; measure again"),
        (
            {"iters": 1, "times": []},
            "is not Criterion's sample.json as Assay knows it: Expected `array`, got `int` - at "
            f"`$.iters`; {AGAIN}",
        ),
        (
            {"mean": {"point_estimate": "x"}},
            "is not Criterion's estimates.json as Assay knows it: Expected `float`, got `str` - at "
            f"`$.mean.point_estimate`; {AGAIN}",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(document: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        criterion.parse(json.dumps(document).encode(), "f")
    assert str(refused.value) == f"f: {said}"


def test_a_benchmark_file_of_another_shape_is_named(tmp_path: Path) -> None:
    beside = put(tmp_path / "benchmark.json", {"full_id": 1})
    with pytest.raises(InputError) as refused:
        of(put(tmp_path / "sample.json", SAMPLE))
    assert str(refused.value) == (
        f"{beside}: is not Criterion's benchmark.json as Assay knows it: Expected `str`, got `int` "
        f"- at `$.full_id`; {AGAIN}"
    )


@pytest.mark.parametrize(
    ("keys", "is_criterion"),
    [
        (("iters", "times"), True),
        (("mean", "point_estimate"), True),
        (("full_id", "directory_name"), True),
        (("iters", "mean", "full_id"), False),
    ],
)
def test_what_is_taken_for_criterion(keys: tuple[str, ...], is_criterion: bool) -> None:
    assert criterion.looks_like(json.dumps(dict.fromkeys(keys, 1)).encode()) is is_criterion
