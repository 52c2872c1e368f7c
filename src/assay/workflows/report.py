"""From a finished comparison or run to what a report shows of it.

    content = of_files(["base.json", "candidate.json"], Settings())
    content = of_comparison(compare(plan, ...))
    content = of_run(record)

Numbers per launch come from the judge, percentiles from the record's histograms:
what shows them computes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from assay.errors import NoBenchmarksError, UsageError
from assay.judge.choices import choices
from assay.judge.counts import relative_change
from assay.judge.estimate import launch_estimates
from assay.judge.levels import levels
from assay.judge.sweeps import sweep_points
from assay.model import Choice, Level, Record, Sample, Settings, Side
from assay.record import hdr, reader
from assay.show import results_json
from assay.show.content import Content, Curve, Floats
from assay.show.facts import flat
from assay.workflows.judging import CompareResult
from assay.workflows.matching import Filters, compiled
from assay.workflows.plan import ComparePlan
from assay.workflows.recorded import compare_records, is_two_sided
from assay.workflows.targets import is_recorded

_CONTEXT = (
    "executable",
    "library_version",
    "library_build_type",
    "num_cpus",
    "mhz_per_cpu",
    "cpu_scaling_enabled",
    "aslr_enabled",
    "caches",
    "host_name",
    "date",
)
_FACTS = ("host", "build", "git", "clock", "allocations", "tool", "seed", "design")


def of_files(
    written: Sequence[str],
    settings: Settings,
    *,
    pattern: str = "",
    metrics: tuple[str, ...] = (),
) -> Content:
    """Judge recorded results again. Raises `UsageError`, `InputError`."""
    if len(written) > 2:
        raise UsageError("too many records", where=" ".join(written), hint="name one or two")
    records = [_read(one) for one in written]
    if len(records) == 1 and any(sample.condition for sample in records[0].samples):
        from assay.workflows.overhead_report import of_conditions  # which shows with what is here

        return of_conditions(_filtered(records[0], pattern), settings)
    if len(records) == 1 and not is_two_sided(records[0]):
        return of_sweep(_filtered(records[0], pattern))
    if len(records) == 1:
        records = [_filtered(records[0], pattern)]
    plan = ComparePlan(
        base=written[0],
        candidate=written[1] if len(written) == 2 else None,
        settings=settings,
        filters=Filters(pattern),
        metrics=metrics,
    )
    return of_comparison(compare_records(plan, records[0], records[1] if records[1:] else None))


def of_comparison(result: CompareResult) -> Content:
    """What a report shows of a comparison."""
    samples = (*_on(Side.BASE, result.samples[0]), *_on(Side.CANDIDATE, result.samples[1]))
    metrics = list(dict.fromkeys(one.metric for one in result.judgement.comparisons))
    estimates = _estimates(samples, metrics)
    rounds = _rounds(samples)
    facts = result.records[0].facts if result.records else {}
    return Content(
        document=comparison_document(result),
        samples=samples,
        judgement=result.judgement,
        estimates=estimates,
        changes={metric: _changes(rounds, estimates[metric]) for metric in metrics},
        curves=_curves(samples),
        sides=_sides(result.records),
        only_base=result.only_base,
        only_candidate=result.only_candidate,
        failures=result.failures,
        unavailable=tuple(str(one) for one in facts.get("unavailable") or ()),
        interrupted=result.exit_code is not None or bool(facts.get("interrupted")),
    )


def of_run(record: Record) -> Content:
    """What a report shows of a run by itself."""
    measured = levels(record.samples)
    return Content(
        document=_run_document(record, measured),
        samples=record.samples,
        levels=measured,
        estimates=_estimates(record.samples, ["real_time"]),
        curves=_curves(record.samples),
        sides={"base": _side_facts(record, None)},
        failures=record.failures,
        unavailable=tuple(str(one) for one in record.facts.get("unavailable") or ()),
        interrupted=bool(record.facts.get("interrupted")),
    )


def of_suite(record: Record, made: tuple[Choice, ...]) -> Content:
    """What a report shows of a suite: a run, and what to take."""
    content = of_run(record)
    document = {**content.document, "choices": [msgspec.to_builtins(one) for one in made]}
    return msgspec.structs.replace(content, document=document, choices=made)


def of_sweep(record: Record) -> Content:
    """What a report shows of a run, and of a sweep's points side by side, if it is one."""
    return msgspec.structs.replace(of_run(record), sweep=sweep_points(record.samples))


def with_choices(content: Content) -> Content:
    """The same, and what its benchmarks say of which member of a group to take."""
    return msgspec.structs.replace(content, choices=choices(content.samples, {}))


def _read(written: str) -> Record:
    if not is_recorded(written):
        raise UsageError(
            "is no record", where=written, hint="measure it: `assay run` or `assay compare`"
        )
    return reader.read(Path(written))


def _filtered(record: Record, pattern: str) -> Record:
    """Only the benchmarks `pattern` matches. Raises `NoBenchmarksError` for none."""
    regex = compiled(pattern, "--filter")
    kept = tuple(sample for sample in record.samples if regex.search(sample.benchmark))
    if not kept:
        where = f"--filter {pattern}" if pattern else record.origin
        raise NoBenchmarksError("nothing to show", where=where, hint="it holds no such benchmark")
    return msgspec.structs.replace(record, samples=kept)


def comparison_document(result: CompareResult) -> dict[str, Any]:
    """What `--json` writes of a comparison."""
    document = results_json.results(
        result.judgement,
        targets=result.targets,
        hosts=result.hosts,
        only=(result.only_base, result.only_candidate),
        failures=result.failures,
    )
    results_json.add_repetitions(document, result.samples)
    return document


def _run_document(record: Record, measured: Sequence[Level]) -> dict[str, Any]:
    targets = record.facts.get("targets") or {"target": record.origin}
    return {
        "levels": [msgspec.to_builtins(level) for level in measured],
        "failures": [msgspec.to_builtins(failure) for failure in record.failures],
        "targets": {str(side): str(target) for side, target in targets.items()},
    }


def _on(side: Side, samples: Iterable[Sample]) -> list[Sample]:
    """Samples of plain files do not say which side they are."""
    return [
        sample if sample.side is side else msgspec.structs.replace(sample, side=side)
        for sample in samples
    ]


def _estimates(samples: Sequence[Sample], metrics: Iterable[str]) -> dict[str, Floats]:
    """The judge's number for each launch, in its own unit; NaN where it has no samples."""
    found = {}
    for metric in metrics:
        column = np.full(len(samples), np.nan)
        places = [place for place, sample in enumerate(samples) if sample.values.get(metric)]
        if places:
            lists = [samples[place].values[metric] for place in places]
            column[places] = launch_estimates(lists, metric)
        found[metric] = column
    return found


def _rounds(samples: Sequence[Sample]) -> list[tuple[int, int]]:
    """Where the two launches of each round are: base, candidate."""
    base: dict[tuple[str, int | None], int] = {
        (sample.benchmark, sample.round): place
        for place, sample in enumerate(samples)
        if sample.side is Side.BASE and sample.round is not None
    }
    return [
        (base[sample.benchmark, sample.round], place)
        for place, sample in enumerate(samples)
        if sample.side is Side.CANDIDATE and (sample.benchmark, sample.round) in base
    ]


def _changes(rounds: Sequence[tuple[int, int]], estimates: Floats) -> Floats:
    """For each candidate launch, how far it lies from the base launch of its round."""
    column = np.full(len(estimates), np.nan)
    known = estimates.tolist()
    for base, candidate in rounds:
        column[candidate] = relative_change(known[base], known[candidate])
    return column


def _curves(samples: Sequence[Sample]) -> tuple[Curve, ...]:
    found: dict[tuple[str, str, str], list[hdr.Histogram]] = {}
    for sample in samples:
        for name, text in sample.histograms.items():
            side = str(sample.side or "measured")
            histogram = hdr.decode(text, where=sample.benchmark)
            found.setdefault((sample.benchmark, name, side), []).append(histogram)
    return tuple(_curve(*key, hdr.merged(histograms)) for key, histograms in found.items())


def _curve(benchmark: str, name: str, side: str, histogram: hdr.Histogram) -> Curve:
    points = histogram.percentiles()
    return Curve(
        benchmark=benchmark,
        name=name,
        side=side,
        above=tuple(above for above, _ in points),
        values=tuple(float(value) for _, value in points),
        count=histogram.total,
    )


def _sides(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """The facts of each side: of its own record, or of its half of the one record."""
    if len(records) == 2:
        return {
            side: _side_facts(record, None)
            for side, record in zip(("base", "candidate"), records, strict=True)
        }
    return {side: _side_facts(records[0], side) for side in ("base", "candidate") if records}


def facts_of(record: Record) -> dict[str, str]:
    """What is known of where and how a record was made, as text."""
    return flat({**_side_facts(record, None), **record.facts.get("libmicro", {})})


def _side_facts(record: Record, side: str | None) -> dict[str, Any]:
    own: Mapping[str, Any] = (record.facts.get("sides") or {}).get(side) or {}
    inner: Mapping[str, Any] = own.get("assay") or {}
    context = {**record.context, **own}
    facts = {**record.facts, **inner}
    return {
        **{key: context[key] for key in _CONTEXT if key in context},
        **{key: facts[key] for key in _FACTS if key in facts},
    }
