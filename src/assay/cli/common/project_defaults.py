"""What `assay.toml` says where the command line does not: margin, alpha, budget, metrics.

The suite's own margin comes before that of [compare].
"""

from pathlib import Path

from msgspec.structs import replace

from assay.cli.common import options as opt
from assay.model import Settings
from assay.project.configuration import Compare, SuiteTable
from assay.project.project import Project, find_project
from assay.workflows.common.plan import Measuring


def settings_here(margin: str | None, alpha: float | None, suite: str | None) -> Settings:
    """Margin and alpha of the command line, else of `assay.toml`, else the defaults.

    Raises `UsageError`, and `InputError` for an `assay.toml` that is wrong.
    """
    written = _compare()
    found = Settings()
    if margin is not None:
        found = opt.settings(margin, found.alpha)
    elif (said := _margin(suite)) is not None:
        found = Settings(margin=said)
    said_alpha = written.alpha if alpha is None else opt.probability(alpha, "--alpha")
    return Settings(margin=found.margin, alpha=said_alpha or found.alpha)


def measuring_here(asked: Measuring) -> Measuring:
    """`asked`, with budget and rounds of `assay.toml` if it has neither. Raises `InputError`."""
    written = _compare()
    if asked.budget_s is None and asked.rounds is None:
        return replace(asked, budget_s=written.budget_s, rounds=written.rounds)
    return asked


def placements_here(asked: int | None) -> int:
    """How many times to link each program, in random orders. Raises `UsageError`, `InputError`."""
    if asked is not None:
        return opt.at_least_one(asked, "--placements") or 0
    project = find_project(Path.cwd())
    build = project.configuration.build if project else None
    return build.placements if build else 0


def metrics_here(asked: list[str] | None) -> tuple[str, ...]:
    """The metrics of a history: those asked for, else of `assay.toml`, else real_time.

    Raises `InputError`.
    """
    project = find_project(Path.cwd())
    written = project.configuration.history.metrics if project else ()
    return tuple(asked or written or ("real_time",))


def _margin(suite: str | None) -> float | None:
    project = find_project(Path.cwd())
    meant = _suite(project, suite) if project else None
    if meant and meant.margin is not None:
        return meant.margin
    return _compare().margin


def _compare() -> Compare:
    project = find_project(Path.cwd())
    return project.configuration.compare if project else Compare()


def _suite(project: Project, name: str | None) -> SuiteTable | None:
    """The suite of this name; without a name the only suite, None if there are several."""
    suites = project.configuration.suites
    if name is None:
        return next(iter(suites.values())) if len(suites) == 1 else None
    return suites.get(name)
