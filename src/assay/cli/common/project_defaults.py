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


def settings_with_project_defaults(
    margin: str | None, alpha: float | None, suite: str | None
) -> Settings:
    """Margin and alpha of the command line, else of `assay.toml`, else the defaults.

    Raises `UsageError`, and `InputError` for an `assay.toml` that is wrong.
    """
    written = _compare_table()
    found = Settings()
    if margin is not None:
        found = opt.judge_settings(margin, found.alpha)
    elif (said := _margin(suite)) is not None:
        found = Settings(margin=said)
    said_alpha = written.alpha if alpha is None else opt.checked_probability(alpha, "--alpha")
    return Settings(margin=found.margin, alpha=said_alpha or found.alpha)


def measuring_with_project_defaults(asked: Measuring) -> Measuring:
    """`asked`, with budget and rounds of `assay.toml` if it has neither. Raises `InputError`."""
    written = _compare_table()
    if asked.budget_s is None and asked.rounds is None:
        return replace(asked, budget_s=written.budget_s, rounds=written.rounds)
    return asked


def placements_with_project_defaults(asked: int | None) -> int:
    """How many times to link each program, in random orders. Raises `UsageError`, `InputError`."""
    if asked is not None:
        return opt.checked_count(asked, "--placements") or 0
    project = find_project(Path.cwd())
    build = project.configuration.build if project else None
    return build.placements if build else 0


def metrics_with_project_defaults(asked: list[str] | None) -> tuple[str, ...]:
    """The metrics of a history: those asked for, else of `assay.toml`, else real_time.

    Raises `InputError`.
    """
    project = find_project(Path.cwd())
    written = project.configuration.history.metrics if project else ()
    return tuple(asked or written or ("real_time",))


def _margin(suite: str | None) -> float | None:
    project = find_project(Path.cwd())
    meant = _suite_table(project, suite) if project else None
    if meant and meant.margin is not None:
        return meant.margin
    return _compare_table().margin


def _compare_table() -> Compare:
    project = find_project(Path.cwd())
    return project.configuration.compare if project else Compare()


def _suite_table(project: Project, name: str | None) -> SuiteTable | None:
    """The suite of this name; without a name the only suite, None if there are several."""
    suites = project.configuration.suites
    if name is None:
        return next(iter(suites.values())) if len(suites) == 1 else None
    return suites.get(name)
