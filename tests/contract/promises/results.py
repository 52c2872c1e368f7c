"""What files for programs promise: keys of `--json` of each verb, of a record, metrics' meaning.

A key's promise is its type, or types that it may have. Objects whose keys are names of users' own
have `*` for any name.
"""

import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import explanations
import msgspec
import records
import stores
from conftest import ROOT

Promise = tuple[str, str]
_ANY_NAME = re.compile(
    r"(samples|histograms|clamped|size_classes|series|sides|by_benchmark|lacking|hosts"
    r"|environment|memory_bytes)$"
)
_KINDS = {str: "text", bool: "true or false", dict: "object", list: "list", type(None): "null"}
METRICS = (
    *("real_time", "cpu_time", "items_per_second", "bytes_per_second", "launch_time"),
    *("instructions", "cycles", "page-faults", "allocs", "bytes", "peak_bytes", "p50", "p99"),
)


def documents() -> Iterator[Promise]:
    """Keys of what each verb writes for programs."""
    kept = {name: set(_of(value, name)) for name, value in _written().items()}
    for found in kept.values():
        ours = {one for one in found if not one[0].startswith("record: ") or ".assay" in one[0]}
        yield from _joined(ours)  # the rest of a record is Google Benchmark's


def _written() -> dict[str, Any]:
    said = ROOT / "tests" / "contract" / "said"  # test_said.py holds it to what is written
    compared = [json.loads(path.read_text()) for path in sorted(said.glob("*.json"))]
    golden = [
        json.loads(one.read_text()) for one in sorted((ROOT / "schema/golden").glob("*.json"))
    ]
    return {
        "record": golden,
        "compare --json": [one for one in compared if "comparisons" in one],
        "why --json": [_why()],
        "suite --json": [records.suite_content().document],
        **_of_a_store(),
    }


def _why() -> dict[str, Any]:
    from assay.judge.attribution.findings import findings
    from assay.show.export.results_json import encode
    from assay.show.export.why_json import document

    found = document(
        [findings(explanations.everything())],
        targets=("old", "new"),
        only=((), ()),
        failures=(),
        unavailable=(),
    )
    return json.loads(encode(found))  # type: ignore[no-any-return]


def _of_a_store() -> dict[str, Any]:
    from assay.record.store.folder import Folder
    from assay.show.terminal.runs import runs_json
    from assay.workflows.history.history import document, history
    from assay.workflows.history.trends import TrendQuery
    from assay.workflows.store import catalogue_of

    with tempfile.TemporaryDirectory(prefix="assay-promised-") as folder:
        root = Path(folder) / ".assay"
        stores.filled(root, {"BM_copy": stores.Step(1.5, at=30)}, runs=60)
        told = json.loads(document(history(root, TrendQuery())))
        with catalogue_of(Folder.opened(root), lambda _: None) as catalogue:
            rows = catalogue.runs()
        listed = json.loads(runs_json(rows, {"v1": rows[0].run}))
    return {"history --json": [told], "runs --json": [listed]}


def _of(values: list[Any], name: str) -> Iterator[Promise]:
    for value in values:
        yield from _keys(value, f"{name}: ")


def _keys(value: Any, path: str) -> Iterator[Promise]:
    if isinstance(value, dict):
        for key, inner in value.items():
            name = "*" if _ANY_NAME.search(path.rstrip(".")) else key
            yield f"{path}{name}", _KINDS.get(type(inner), "number")
            yield from _keys(inner, f"{path}{name}.")
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner, f"{path.rstrip('.')}[].")


def _joined(found: Iterable[Promise]) -> Iterator[Promise]:
    kinds: dict[str, set[str]] = {}
    for key, kind in found:
        kinds.setdefault(key, set()).add(kind)
    for key, several in kinds.items():
        yield key, " | ".join(sorted(several))


def structures() -> Iterator[Promise]:
    """Keys of the results of verbs that write a structure as it is."""
    from assay.bisection import BisectionAnswer
    from assay.model import Failure
    from assay.trust import Trust

    written = {"trust --json": Trust, "bisect --json": BisectionAnswer, "failures[]": Failure}
    for name, kind in written.items():
        whole = msgspec.json.schema(kind)
        yield from _schema(whole, whole["$defs"], f"{name}: ")


def _schema(kind: dict[str, Any], known: dict[str, Any], path: str) -> Iterator[Promise]:
    if "$ref" in kind:
        kind = known[kind["$ref"].removeprefix("#/$defs/")]
    for inner in kind.get("anyOf", ()):
        yield from _schema(inner, known, path)
    if isinstance(kind.get("items"), dict):
        yield from _schema(kind["items"], known, f"{path.rstrip('.')}[].")
    for key, inner in kind.get("properties", {}).items():
        yield f"{path}{key}", _type(inner, known)
        yield from _schema(inner, known, f"{path}{key}.")


def _type(kind: dict[str, Any], known: dict[str, Any]) -> str:
    if "$ref" in kind:
        return _type(known[kind["$ref"].removeprefix("#/$defs/")], known)
    each = kind.get("anyOf", (kind,))
    if len(each) > 1:
        return " | ".join(sorted(_type(one, known) for one in each))
    plain = {"string": "text", "integer": "number", "array": "list", "boolean": "true or false"}
    named = kind.get("type", "text")
    return plain.get(named, named)


def metrics() -> Iterator[Promise]:
    """What the name of a metric says: its unit, which direction is better."""
    from assay.units import metric

    for name in METRICS:
        one = metric(name)
        yield name, f"{one.unit or 'no unit'}, better: {one.better}"


def words() -> Iterator[Promise]:
    """Values of keys that are one of a few words."""
    from assay.history import AlertState
    from assay.model import Design, Side, Verdict
    from assay.trust import VerdictOutcome

    kinds = (Verdict, Side, Design, AlertState, VerdictOutcome)
    for kind in kinds:
        for one in kind:
            yield f"{kind.__name__} {one.value}", "a word"
