"""Summaries of Gungraun and iai-callgrind, in the form that each version wrote."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.model import Record
from assay.record.formats import gungraun

AGAIN = "is it complete? write it again with the tool that made it"
PLAIN = {"module_path": "a::b", "benchmark_exe": "x"}


def version_7(**events: Any) -> dict[str, Any]:
    metrics = {name: {"values": {"new": new, "old": 99}} for name, new in events.items()}
    return {**PLAIN, "profiles": [{"tool": "Callgrind", "data": {"total": {"metrics": metrics}}}]}


def parsed(document: Any) -> Record:
    return gungraun.parse(json.dumps(document).encode(), "f")


def values(document: Any) -> dict[str, tuple[float, ...]]:
    (one,) = parsed(document).samples
    assert (one.benchmark, one.iterations) == ("a::b", 1)
    return one.values


@pytest.mark.parametrize(
    ("event", "metric"),
    [
        ("Ir", "instructions"),
        ("EstimatedCycles", "cycles"),
        ("I1mr", "l1i-misses"),
        ("D1mr", "l1d-read-misses"),
        ("D1mw", "l1d-write-misses"),
        ("ILmr", "ll-instruction-misses"),
        ("DLmr", "ll-read-misses"),
        ("DLmw", "ll-write-misses"),
        ("Bcm", "branch-misses"),
        ("Dr", "data-reads"),
        ("Dw", "data-writes"),
        ("L1hits", "l1-hits"),
        ("LLhits", "ll-hits"),
        ("RamHits", "ram-hits"),
        ("TotalBytes", "bytes"),
        ("TotalBlocks", "allocs"),
        ("AtTGmaxBytes", "peak_bytes"),
        ("Other", "Other"),
    ],
)
def test_events_are_metrics(event: str, metric: str) -> None:
    assert values(version_7(**{event: 4})) == {metric: (4.0,)}


def test_events_that_follow_from_others_are_left_out() -> None:
    document = version_7(Ir=4, L1HitRate=0.5, TotalRW=7, TotalRWx=8, Dr=None)
    assert values(document) == {"instructions": (4.0,), "TotalRWx": (8.0,)}


@pytest.mark.parametrize(
    ("event", "count"),
    [
        ({"metrics": {"Both": [4, 9]}}, 4.0),
        ({"metrics": {"Left": 4}}, 4.0),
        ({"metrics": {"Both": [{"Int": 4}, {"Int": 9}]}}, 4.0),
        ({"metrics": {"Left": {"Float": 4.5}}}, 4.5),
        ({"metrics": {"Both": [], "Left": 4}}, 4.0),
    ],
)
def test_older_versions_hold_the_count_elsewhere(event: dict[str, Any], count: float) -> None:
    before_7 = [{"summaries": {"total": {"summary": {"Callgrind": {"Ir": event}, "x": 1}}}}]
    assert values({**PLAIN, "profiles": before_7}) == {"instructions": (count,)}
    before_4 = {"callgrind_run": {"total": {"events": {"Ir": event}}}}
    assert values({**PLAIN, "callgrind_summary": before_4}) == {"instructions": (count,)}


def test_several_tools_are_one_sample() -> None:
    one, other = version_7(Ir=4), version_7(TotalBytes=5)
    both = {**one, "profiles": [*one["profiles"], *other["profiles"]]}
    assert values(both) == {"instructions": (4.0,), "bytes": (5.0,)}


def test_summaries_on_lines_are_launches() -> None:
    lines = [json.dumps({**version_7(Ir=number), "id": "x"}) for number in (4, 5)]
    found = gungraun.parse(f"{lines[0]}\n\n{lines[1]}\n".encode(), "f")
    assert [(one.benchmark, one.launch, one.values) for one in found.samples] == [
        ("a::b/x", 0, {"instructions": (4.0,)}),
        ("a::b/x", 1, {"instructions": (5.0,)}),
    ]
    assert (found.facts.written, found.origin) == ({"tool": "Gungraun"}, "f")
    pretty = json.dumps(version_7(Ir=4), indent=1)
    assert len(gungraun.parse(pretty.encode(), "f").samples) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (json.dumps(PLAIN), f"f: holds no count of 'a::b'; {AGAIN}"),
        (json.dumps({**PLAIN, "id": "x"}), f"f: holds no count of 'a::b/x'; {AGAIN}"),
        (
            f"{json.dumps(version_7(Ir=4))}\n{{}}",
            "f: line 2: is not a summary of Gungraun or iai-callgrind as Assay knows it: Object "
            f"missing required field `module_path`; {AGAIN}",
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        gungraun.parse(text.encode(), "f")
    assert str(refused.value) == said


def test_a_folder_is_searched_four_folders_deep(tmp_path: Path) -> None:
    root = tmp_path / "gungraun"
    deepest, too_deep = root / "a/b/c/d", root / "a/b/c/d/e"
    too_deep.mkdir(parents=True)
    (too_deep / "summary.json").write_text(json.dumps(version_7(Ir=9)))
    assert not gungraun.is_folder(root)
    (deepest / "summary.json").write_text(json.dumps(version_7(Ir=4)))
    (root / "summary.json").write_text(json.dumps(version_7(Ir=5)))
    assert gungraun.is_folder(root)
    assert not gungraun.is_folder(root / "summary.json")
    found = gungraun.read(root)
    assert [one.values["instructions"] for one in found.samples] == [(4.0,), (5.0,)]
    assert (found.facts.written, found.origin) == ({"tool": "Gungraun"}, str(root))


def test_what_is_taken_for_gungraun() -> None:
    assert gungraun.looks_like(json.dumps(PLAIN).encode())
    assert not gungraun.looks_like(b'{"module_path": 1}')
    assert not gungraun.looks_like(b'{"benchmark_exe": 1}')
