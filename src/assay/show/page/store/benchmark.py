"""The page *Benchmark*: every run of one benchmark, with levels and changes on each host."""

import re
from collections.abc import Sequence
from typing import Any

from assay.history import Point
from assay.show.page.store.frame import PageFrame, store_page
from assay.show.page.store.why import href as why_href
from assay.show.words import format
from assay.show.words import survey as words
from assay.survey import BenchmarkOnHost, BenchmarkOnHosts, FoundChange, SeriesOnHost

_LASTS = (1000, 300, 100, 30)
_PLAIN = 200  # at most so many runs in the table for readers without scripts
_DIGITS = 6
_NUMBER = re.compile(r"\d+")


def benchmark_page(looked: BenchmarkOnHosts, *, served: bool) -> bytes:
    """The HTML of the page *Benchmark*."""
    key = looked.hosts[0].watched.key
    longest = max(len(one.points) for one in looked.hosts)
    curve = _curve(looked)
    title = format.name(key.benchmark)
    return store_page(
        PageFrame("benchmarks.html", title, title, served, (format.visible(key.metric),), "../"),
        "pages/benchmark.html",
        {"hosts": [_chart(one) for one in looked.hosts], "curve": curve and curve["data"]},
        scripts=("history", "curve"),
        metrics=[_metric(one, key.metric) for one in looked.metrics],
        lasts=[one for one in _LASTS if one < longest],
        hosts=[_host(one) for one in looked.hosts],
        family=[_member(one, key.benchmark) for one in looked.family],
        curve=curve and curve["of"],
        plain=_plain_table(looked.hosts),
    )


def _metric(one: SeriesOnHost, here: str) -> dict[str, Any]:
    text = format.name(one.key.metric)
    return {"text": text, "href": f"{one.page}.html", "here": one.key.metric == here}


def _host(one: BenchmarkOnHost) -> dict[str, Any]:
    history = one.watched.kept.history
    since = words.date(one.points[0].time_s)
    drifts = "; it drifts" if history.drifts else ""
    runs = format.count(history.runs, "run")
    level, interval = words.level(one.watched), words.level_interval(one.watched)
    return {
        "host": format.name(one.watched.key.host),
        "now": f"Now {level} ({interval}); {runs} since {since}{drifts}.",
        "changes": [_change(change) for change in reversed(one.found)],
    }


def _change(one: FoundChange) -> dict[str, Any]:
    return {
        "tone": words.direction(one),
        "change": words.size(one),
        "interval": words.interval(one.change.low, one.change.high),
        "certainty": words.certainty(one.change.certainty),
        "before": words.revision(one.before.revision) or one.before.run,
        "after": words.revision(one.after.revision) or one.after.run,
        "when": words.date(one.after.time_s),
        "state": words.state(one),
        "triage": words.triage(one.triage),
        "bisect": words.bisect(one),
        "compare": f"compare.html?base={one.before.run}&candidate={one.after.run}",
        "why": why_href(one.why_question, "../") if one.is_worse else "",
    }


def _chart(one: BenchmarkOnHost) -> dict[str, Any]:
    """The data that the script draws: runs as columns, in the level's unit."""
    history, points = one.watched.kept.history, one.points
    divisor, unit = format.shown_unit(history.now.level, one.watched.key.unit)

    def scaled(value: float) -> float:
        return float(f"{value / divisor:.{_DIGITS}g}")

    return {
        "host": format.name(one.watched.key.host),
        "unit": unit,
        "value": [scaled(point.value) for point in points],
        "low": [scaled(point.low) for point in points],
        "high": [scaled(point.high) for point in points],
        "time": [int(point.time_s) for point in points],
        "launches": [point.launches for point in points],
        "run": [_run(point) for point in points],
        "revision": [words.revision(point.revision) for point in points],
        "segments": [
            {
                "first": part.first,
                "last": part.last,
                **{name: scaled(getattr(part, name)) for name in ("level", "low", "high")},
            }
            for part in history.segments
        ],
        "changes": [
            {"split": found.change.split, "text": words.size(found), "tone": words.direction(found)}
            for found in one.found
        ],
    }


def _run(point: Point) -> str:
    return f"{point.run} ({point.side})" if point.side else point.run


def _plain_table(hosts: Sequence[BenchmarkOnHost]) -> dict[str, Any]:
    rows = [
        {
            "cells": [
                point.run,
                words.date(point.time_s),
                words.revision(point.revision),
                format.quantity(point.value, one.watched.key.unit),
            ],
            "href": "",
        }
        for one in hosts
        for point in reversed(one.points[-_PLAIN:])
    ]
    every = sum(len(one.points) for one in hosts)
    titles = ["run", "committed", "revision", "value"]
    return {"titles": titles, "rows": rows, "left_out": every - len(rows)}


def _member(one: SeriesOnHost, here: str) -> dict[str, Any]:
    return {
        "name": format.name(one.key.benchmark),
        "href": f"{one.page}.html",
        "now": words.level(one),
        "interval": words.level_interval(one),
        "here": one.key.benchmark == here,
    }


def _curve(looked: BenchmarkOnHosts) -> dict[str, Any] | None:
    """A curve of the present level over a number in the benchmark's name, such as its size.

    It takes benchmarks whose names differ in nothing else; None if they are fewer than three.
    """
    here = looked.hosts[0].watched.key.benchmark
    numbers = list(_NUMBER.finditer(here))
    if not numbers or "/" not in here[: numbers[-1].start()]:
        return None
    before, after = here[: numbers[-1].start()], here[numbers[-1].end() :]
    alike = re.compile(f"{re.escape(before)}(\\d{{1,15}}){re.escape(after)}")
    found = {
        int(match[1]): one
        for one in looked.family
        if (match := alike.fullmatch(one.key.benchmark)) and int(match[1]) > 0
    }
    levels = {at: one.kept.history.now.level for at, one in found.items()}
    if len(found) < 3 or min(levels.values()) <= 0:
        return None
    divisor, unit = format.shown_unit(max(levels.values()), looked.hosts[0].watched.key.unit)
    points = [
        {"x": at, "y": levels[at] / divisor, "here": found[at].key.benchmark == here}
        for at in sorted(found)
    ]
    where = f"the number in {format.name(before, 60)}N{format.name(after, 30)}"
    return {"of": where, "data": {"points": points, "unit": unit}}
