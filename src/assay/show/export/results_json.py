"""A comparison as JSON for programs: what `--json FILE` writes."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from assay.encoding import json_bytes
from assay.model import Failure, Judgement, Sample
from assay.show.export import comparison_json
from assay.show.words import judging, remarks

# At most so many pairs of repetitions are listed; more would only repeat the raw data.
_LISTED_PAIRS = 100


def results(
    judgement: Judgement,
    *,
    targets: Mapping[str, str],
    hosts: Mapping[str, Any],
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
) -> dict[str, Any]:
    """A comparison as the JSON document of `--json`, ready for `encode`."""
    settings = msgspec.to_builtins(judgement.settings)
    return {
        "comparisons": [comparison_json.row(one) for one in judgement.comparisons],
        "only_base": list(only[0]),
        "only_candidate": list(only[1]),
        "failed_launches": [msgspec.to_builtins(one) for one in judgement.failed_launches],
        "failures": [msgspec.to_builtins(failure) for failure in failures],
        "settings": {**settings, "control": judging.control(judgement.control)},
        "discoveries": [list(one) for one in judgement.discoveries],
        "strength": msgspec.to_builtins(judgement.strength),
        "floor": msgspec.to_builtins(judgement.floor),
        "notes": remarks.remarks(judgement.notes),
        "targets": dict(targets),
        "hosts": dict(hosts),
    }


def encode(document: Mapping[str, Any]) -> bytes:
    """Indented JSON with a newline at its end."""
    return msgspec.json.format(json_bytes(document), indent=2) + b"\n"


def add_repetitions(
    document: dict[str, Any], samples: tuple[Sequence[Sample], Sequence[Sample]]
) -> None:
    """For two files of results, add the change of each pair of repetitions (i-th with i-th).

    These are the rows that compare.py prints, for users who know it.
    """
    ours, theirs = (_first_samples(side) for side in samples)
    for row in document["comparisons"]:
        if row["design"] != "sequential" or row["benchmark"] not in ours:
            continue
        base = ours[row["benchmark"]]
        candidate = theirs.get(row["benchmark"])
        if candidate is not None and base.time_unit == candidate.time_unit:
            row["repetition_changes"] = _changes(
                base.values.get(row["metric"], ()), candidate.values.get(row["metric"], ())
            )


def _first_samples(samples: Sequence[Sample]) -> dict[str, Sample]:
    found: dict[str, Sample] = {}
    for sample in samples:
        found.setdefault(sample.benchmark, sample)
    return found


def _changes(base: Sequence[float], candidate: Sequence[float]) -> list[float | None]:
    pairs = list(zip(base, candidate, strict=False))[:_LISTED_PAIRS]
    return [(new - old) / abs(old) if old else None for old, new in pairs]
