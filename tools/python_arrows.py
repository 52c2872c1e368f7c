"""Checks which Python module imports which: the allowed arrows between rooms of `src/assay`.

    for line in broken_arrows(modules(Path("src"))): print(line)

A room is a folder, or one file that may import more than its folder. A module's rule is the longest
entry of `MAY_IMPORT` that fits. It may import what is listed there, its own room, and the files
directly in `src/assay`. Imports inside functions count too.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_ROOMS = (
    "measure",
    "record",
    "record.store",
    "judge",
    "show.content",
    "show.multiview_sheet",
    "show.export",
    "show.words",
    "project",
)

# A name ending in "." means the files directly in that folder, without the folders inside it.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "__main__": ("cli",),
    "measure": ("measure.targets", "measure.host"),
    "measure.targets": ("measure.",),
    "measure.host": (),
    "measure.conditions": ("measure.", "measure.targets", "measure.host"),
    "measure.profile": (),
    "measure.profile.program": ("measure.",),
    "measure.profile.exact": ("measure.", "measure.targets", "measure.profile.program"),
    "measure.profile.identity": (
        *("measure.", "measure.targets", "measure.profile.program", "measure.profile.exact"),
    ),
    "measure.profile.sampled": ("measure.", "measure.targets", "measure.profile.program"),
    "measure.profile.traced": ("measure.", "measure.targets", "measure.profile.program"),
    "record": ("record.formats",),
    "record.formats": ("record.",),
    "record.store": ("record.",),
    "record.store.remotes": ("record.store", "measure."),
    "judge": (),
    "judge.verdict": ("judge.", "judge.family"),
    "judge.placement": ("judge.", "judge.family"),
    "judge.look": ("judge.", "judge.family", "judge.paired"),
    "judge.floor": ("judge.", "judge.paired", "judge.unpaired"),
    "judge.paired": ("judge.",),
    "judge.unpaired": ("judge.",),
    "judge.family": ("judge.", "judge.paired", "judge.unpaired"),
    "judge.labs": ("judge.",),
    "judge.history": ("judge.",),
    "judge.compare_py": ("judge.", "judge.unpaired"),
    "judge.bisection": (),
    "judge.attribution": (),
    "judge.attribution.shares": (
        *("judge.", "judge.attribution.passed", "judge.family.multiplicity", "judge.paired"),
    ),
    "show": (),
    "show.drawing": ("show",),
    "show.history_picture": ("show.words", "show.charts"),
    "show.words": (),
    "show.rows": ("show.words", "show.content"),
    "show.charts": ("show.words", "show.content"),
    "show.terminal": ("show.words", "show.rows"),
    "show.export": ("show.words", "show.rows"),
    "show.page": ("show.words", "show.rows", "show.charts", "show."),
    "show.page.store": ("show.words", "show.rows", "show.charts", "show.", "show.page"),
    "project": (),
    "revisions": ("measure.",),
    "workflows": (*_ROOMS, "workflows.common"),
    "workflows.common.same_code": (
        *("measure", "judge.placement", "judge.same_code", "workflows.common"),
    ),
    "workflows.common": ("measure", "record", "record.store", "project", "revisions"),
    "workflows.compare": (*_ROOMS, "workflows.common", "workflows.run"),
    "workflows.suite": (*_ROOMS, "workflows.common", "workflows.run"),
    "workflows.bisect": (*_ROOMS, "workflows.common", "revisions"),
    "workflows.history": (*_ROOMS, "workflows.common", "workflows.compare", "workflows.store"),
    "workflows.completion": (*_ROOMS, "workflows.common", "workflows.store", "revisions"),
    "workflows.overhead": (*_ROOMS, "workflows.common"),
    "workflows.index_lab": (*_ROOMS, "workflows.common"),
    "workflows.os_lab": (*_ROOMS, "workflows.common"),
    "workflows.floor": (*_ROOMS, "workflows.common", "workflows.compare"),
    "workflows.trust": (*_ROOMS, "workflows.common", "workflows.compare"),
    "workflows.why": (*_ROOMS, "workflows.common"),
    "workflows.contents": (*_ROOMS, "workflows.common", "workflows.compare", "workflows.overhead"),
    "workflows.report": (*_ROOMS, "workflows.common", "workflows.compare", "workflows.contents"),
    "workflows.multiview": (*_ROOMS, "workflows.common", "workflows.compare", "workflows.contents"),
    "workflows.pages": (
        *(*_ROOMS, "workflows.common", "workflows.store", "workflows.history"),
        *("workflows.compare", "workflows.contents"),
    ),
    "web": (
        *("record.store.folder", "record.store.catalogue", "record.store.searches"),
        *("workflows", "show"),
    ),
    "cli": ("measure", "workflows", "show", "project", "web", "cli.common"),
    "cli.common": ("measure", "workflows", "show", "project"),
}
PURE = "judge"  # it may use no files, clock or process
_NOT_PURE = {"os", "pathlib", "io", "time", "datetime", "subprocess", "socket", "tempfile"}

# Who may import a package that is slow to load, or that shapes a room. A program started with
# `subprocess` goes on when Assay is killed; one started by `measure.tied` does not.
ONLY_IN = {
    "subprocess": (
        "measure.launch_server",  # starts the launcher, which starts everything else
        # what they start is ended by the next Assay
        *("measure.conditions.undo", "measure.conditions.background"),
        "measure.host.facts",  # systemd-detect-virt, which ends at once
        "web.work",  # processes of Assay itself
    ),
    "typer": ("cli",),
    "rich": ("show.terminal", "cli.common.runtime"),
    "jinja2": ("show.page",),
    "vl_convert": ("show.page", "show.charts"),
    "pyarrow": ("record.store",),
    "sqlite3": ("record.store",),
    "starlette": ("web",),
    "uvicorn": ("web.server", "web.patience"),
    "capstone": ("measure.profile.program",),
    "botocore": ("record.store.remotes.s3_bucket", "record.store.remotes.s3_errors"),
}


class Import(NamedTuple):
    """A module named in an import, and the line."""

    module: str
    line: int


def modules(source: Path) -> dict[str, Path]:
    """Name -> file, for every module below `source`."""
    found = {}
    for path in sorted(source.rglob("*.py")):
        name = ".".join(path.relative_to(source).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def broken_arrows(found: Mapping[str, Path]) -> Iterator[str]:
    """One message for each import that no rule allows, and for each cycle."""
    graph = {name: sorted(set(_imports(path, found))) for name, path in found.items()}
    for name, imports in graph.items():
        for one in imports:
            if why := _forbidden(name, one.module, found):
                yield f"{found[name]}:{one.line}: {why}"
    inside = {
        name: {i.module for i in imports if i.module in found} for name, imports in graph.items()
    }
    for cycle in cycles(inside):
        yield f"{found[cycle[0]]}:1: imports itself by way of {' -> '.join(cycle)}"


def _imports(path: Path, found: Mapping[str, Path]) -> Iterator[Import]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield Import(whole if whole in found else node.module, node.lineno)


def _forbidden(name: str, imported: str, found: Mapping[str, Path]) -> str | None:
    package = imported.split(".")[0]
    own = name.removeprefix("assay.")
    if _within(own, PURE) and package in _NOT_PURE:
        return f"{PURE} is pure: no {package}"
    if package in ONLY_IN and not any(_within(own, room) for room in ONLY_IN[package]):
        return f"{package} only in {' and '.join(ONLY_IN[package])}"
    if imported not in found or imported == "assay":
        return None
    other = imported.removeprefix("assay.")
    if "." not in other and found[imported].name != "__init__.py":
        return None  # files beside the rooms, which all may import
    rule = _rule(own)
    if rule is None:
        return f"{own} stands beside the rooms and may import none of them: {other}"
    if _rule(other) == rule or any(_fits(other, allowed) for allowed in MAY_IMPORT[rule]):
        return None
    return f"{rule} may not import {other}"


def _rule(module: str) -> str | None:
    """The longest entry that fits; None if none does."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        if (name := ".".join(parts[:length])) in MAY_IMPORT:
            return name
    return None


def _fits(module: str, allowed: str) -> bool:
    if allowed.endswith("."):
        return module.startswith(allowed) and "." not in module.removeprefix(allowed)
    return _within(module, allowed)


def _within(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of modules that reach each other, each once, as a way through them."""
    told: set[str] = set()
    found = []
    for start in sorted(graph):
        if start not in told and (way := _way_back(graph, start)):
            told.update(way)
            found.append(way)
    return found


def _way_back(graph: Mapping[str, set[str]], start: str) -> list[str] | None:
    """The shortest way from `start` back to itself."""
    ways = [[start]]
    seen: set[str] = set()
    for way in ways:  # it grows while it is read: breadth-first search
        for following in sorted(graph.get(way[-1], ())):
            if following == start:
                return [*way, start]
            if following not in seen:
                seen.add(following)
                ways.append([*way, following])
    return None
