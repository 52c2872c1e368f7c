"""The shell command that repeats a comparison, for the end of a summary in Markdown.

    repeating_command(plan, gate, seed=17)     "assay compare git:v1 . --margin=5% --seed=17 --gate"

It has every option that decides what is measured and how it is judged, also where the option came
from `assay.toml`: a gate that failed at a margin of 5 % would else be repeated at another one.
"""

import shlex
from collections.abc import Iterator

from assay.cli.common.gate import Gate
from assay.cli.common.project_defaults import settings_with_project_defaults
from assay.defaults import COUNTS_MARGIN, as_percent
from assay.model import Settings
from assay.workflows.common.plan import TIME, ComparePlan, Measuring, RevisionChoice


def repeating_command(plan: ComparePlan, gate: Gate | None, seed: int | None) -> str:
    """A command line for a shell. `seed` is that of the order of launches; None: not known."""
    targets = [plan.base] if plan.candidate is None else [plan.base, plan.candidate]
    options = [
        *_comparison_options(plan),
        *_measuring_options(plan.measuring),
        *_revision_options(plan.revisions),
        *([] if seed is None else [f"--seed={seed}"]),
        *(_gate_options(gate) if gate else ()),
    ]
    return shlex.join(["assay", "compare", *targets, *options])


def _comparison_options(plan: ComparePlan) -> Iterator[str]:
    names = ("--filter", "--base-filter", "--candidate-filter")
    filters = (plan.filters.both, plan.filters.base, plan.filters.candidate)
    yield from (f"{name}={value}" for name, value in zip(names, filters, strict=True) if value)
    is_timed = plan.measuring.instrument == TIME
    if is_timed:
        yield from (f"--metric={one}" for one in plan.metrics)
    else:
        yield f"--instrument={plan.measuring.instrument}"
    # A value is left out only if it is the default, and `assay.toml` says no other.
    usual, here = Settings(), settings_with_project_defaults(None, None, plan.revisions.suite)
    margin = plan.settings.margin if is_timed else plan.counts_margin
    defaults = (usual.margin, here.margin) if is_timed else (COUNTS_MARGIN,)
    if any(margin != one for one in defaults):
        yield f"--margin={as_percent(margin)}"
    if any(plan.settings.alpha != one for one in (usual.alpha, here.alpha)):
        yield f"--alpha={plan.settings.alpha:g}"
    if plan.floor:
        yield "--floor"
    if plan.count_placement:
        yield "--count-placement"


def _measuring_options(measuring: Measuring) -> Iterator[str]:
    usual = Measuring()
    if measuring.rounds is not None:
        yield f"--rounds={measuring.rounds}"
    if measuring.budget_s is not None:
        yield f"--budget={measuring.budget_s:g}s"
    if measuring.effort.min_time_s != usual.effort.min_time_s:
        yield f"--min-time={1e3 * measuring.effort.min_time_s:g}ms"
    if measuring.timeout_s != usual.timeout_s:
        yield f"--timeout={measuring.timeout_s:g}s"
    if measuring.pin is not None:
        yield f"--pin={measuring.pin}"
    if measuring.duet:
        yield "--duet"


def _revision_options(revisions: RevisionChoice) -> Iterator[str]:
    if revisions.suite is not None:
        yield f"--suite={revisions.suite}"
    if revisions.own_recipe:
        yield "--recipe=revision"
    if revisions.placements:
        yield f"--placements={revisions.placements}"


def _gate_options(gate: Gate) -> Iterator[str]:
    yield "--gate=strict" if gate.strict else "--gate"
    if gate.strength is not None:
        yield f"--gate-strength={as_percent(gate.strength)}"
    if gate.allow_missing:
        yield "--allow-missing"
