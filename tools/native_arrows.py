"""Checks which C++ folder includes which: the arrows between the rooms of `native/` and `labs/`.

    for line in broken_includes(sources(Path("native"), Path("labs"))): print(line)

A file's rule is the longest entry of `MAY_INCLUDE` that its folder begins with. It may include
headers of its own room, of `base`, and of the rooms listed, by their paths in the tree. Tests may
include all of their module, and helpers for tests.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import python_arrows

USER = "assay.hpp"  # the public header, which includes what users need

# Keys are below `native/` or `labs/`; nothing of `native/` may include what lies in `labs/`. A name
# ending in "/" is that folder alone, without those inside it.
MAY_INCLUDE: dict[str, tuple[str, ...]] = {
    USER: ("system", "measure", "gbench"),
    "base": (),
    "testing": (),
    "system": (),
    "measure/allocations": ("system",),
    "measure/latency": ("system",),
    "measure/counters": ("system",),
    "measure/launch": ("system",),
    "measure/stretches": (),
    "measure/delay": (),
    "measure/loop": ("measure/allocations",),
    "record": ("system", "measure/allocations", "measure/counters"),
    "gbench": ("system", "measure/allocations", "measure/latency", "measure/counters", "record"),
    "index": ("system",),
    "index/options": ("system",),
    "index/workload": ("index/options",),
    "index/check": ("index/options", "index/workload"),
    "index/run": (
        *("system", "measure/latency", "measure/counters", "index/"),
        *("index/options", "index/workload", "index/check"),
    ),
    "index/report": (
        *("system", "measure/latency", "record", "index/", "index/options", "index/run"),
    ),
    "index/program": ("index/options", "index/run", "index/report"),
    "index/crash": ("system", "record", "index/"),
    "index/plugins": ("index/", "index/plugins/common", "index/plugins/pmem"),
    "index/plugins/common": ("index/",),
    "index/plugins/pmem": ("index/plugins/common",),
    "os": ("system", "record", "os/harness", "os/cli", USER),
    "os/harness": ("system",),
    "os/support": ("system", "os/harness"),
    "os/support/io": ("system", "os/harness", "os/support"),
    "os/cases": ("system", "os/harness", "os/support"),
    "os/cli": ("system", "record", "os/harness"),
    "primitives": ("system", "measure/allocations", "measure/latency", "gbench", USER),
    "restore": ("restore", USER),
    "restore/rows": (),
    "restore/tree": ("restore/rows",),
    "restore/compact": ("restore/rows", "restore/tree"),
    "restore/catalogue": ("restore/rows",),
}
FOR_TESTS = "testing"
# Rooms that may use a library which shapes a room, or which is slow to compile.
ONLY_IN = {
    "benchmark": ("gbench", "primitives", "restore"),
    "CLI": ("index/options", "index/crash", "os/cli"),
    "nlohmann": (
        *("record", "gbench", "index/report", "index/crash", "os/cli"),
        *("os/harness/plan_text.cpp", "primitives/serialization"),
    ),
}
# What only `system` may do, and a pattern by which it is found in a source.
ONLY_IN_SYSTEM = {
    "ties a child to its parent": re.compile(r"\bPR_SET_PDEATHSIG\b"),
    "sets CPUs": re.compile(r"\bsched_[gs]etaffinity\b"),
    "shares pages": re.compile(r"\bMAP_SHARED\s*\|\s*MAP_ANONYMOUS\b"),
}
_INCLUDE = re.compile(r'\s*#\s*include\s+(?P<open>[<"])(?P<path>[\w./-]+)[>"]')
_GENERATED = ".inc"


def sources(*tops: Path) -> dict[str, Path]:
    """Path below its top folder -> file, for every C++ source of the core and the labs.

    Without a lab's `tests`: plug-ins there stand for other people's, and include as they would.
    """
    return {
        path.relative_to(top).as_posix(): path
        for top in tops
        for path in sorted(top.rglob("*"))
        if path.suffix in (".hpp", ".cpp") and "tests" not in path.relative_to(top).parts
    }


def broken_includes(found: Mapping[str, Path]) -> Iterator[str]:
    """One message for each include that no rule allows, and for each cycle of headers."""
    graph: dict[str, set[str]] = {}
    for name, path in found.items():
        graph[name] = set()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if (include := _INCLUDE.match(line)) is None:
                continue
            if why := _forbidden(name, include, found):
                yield f"{path}:{number}: {why}"
            graph[name].add(include["path"].removeprefix("assay/"))
    inside = {name: includes & graph.keys() for name, includes in graph.items()}
    for cycle in python_arrows.cycles(inside):
        yield f"{found[cycle[0]]}:1: includes itself by way of {' -> '.join(cycle)}"


def system_calls_elsewhere(found: Mapping[str, Path]) -> Iterator[str]:
    """One message for each place outside `system` that does what only `system` may do."""
    for name, path in found.items():
        if _within(name, "system") or name.endswith("_test.cpp"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.lstrip().startswith("//"):
                continue
            for what, looks in ONLY_IN_SYSTEM.items():
                if looks.search(line):
                    yield f"{path}:{number}: only native/system {what}"


def not_closed(public: list[str], found: Mapping[str, Path]) -> Iterator[str]:
    """Public headers that are missing, or that include one that is not public."""
    for name in public:
        if name not in found:
            yield f"cmake/AssayInstall.cmake: no header {name}"
            continue
        for number, line in enumerate(found[name].read_text().splitlines(), 1):
            include = _INCLUDE.match(line)
            if include is None or not include["path"].startswith("assay/"):
                continue
            if (other := include["path"].removeprefix("assay/")) not in public:
                yield f"{found[name]}:{number}: public, but {other} is not"


def public_headers(install: Path) -> list[str]:
    """The headers that cmake/AssayInstall.cmake installs."""
    return re.findall(r"[\w/]+\.hpp", install.read_text())


def _forbidden(name: str, include: re.Match[str], found: Mapping[str, Path]) -> str | None:
    path, package = include["path"], include["path"].split("/")[0]
    if include["open"] == '"':
        return None if path.endswith(_GENERATED) else f"write <assay/...>, not {path!r}"
    is_test = name.endswith("_test.cpp")
    if package in ONLY_IN and not is_test:
        if any(_within(name, room) for room in ONLY_IN[package]):
            return None
        return f"<{package}/...> only in {', '.join(ONLY_IN[package])}"
    if package != "assay":
        return None
    other = path.removeprefix("assay/")
    if other not in found:
        return f"there is no header {other}"
    return _arrow(name, other, is_test=is_test)


def _arrow(name: str, other: str, *, is_test: bool) -> str | None:
    if is_test and (_within(other, FOR_TESTS) or other.split("/")[0] == name.split("/")[0]):
        return None
    if is_test:  # a test may include all folders of its module
        module = name.split("/")[0]
        rules = [rule for rule in MAY_INCLUDE if _within(rule, module)]
        return None if any(_allowed(rule, other) for rule in rules) else f"{module}: not {other}"
    rule = _rule(name)
    if rule is None:
        return f"{name} is in no room"
    return None if _allowed(rule, other) else f"{rule} may not include {other}"


def _allowed(rule: str, other: str) -> bool:
    if _within(other, "base") or _rule(other) == rule:
        return True
    return any(_fits(other, allowed) for allowed in MAY_INCLUDE[rule])


def _rule(name: str) -> str | None:
    """The longest entry that fits; None if none does."""
    parts = name.split("/")
    for length in range(len(parts), 0, -1):
        if (room := "/".join(parts[:length])) in MAY_INCLUDE:
            return room
    return None


def _fits(name: str, allowed: str) -> bool:
    if allowed.endswith("/"):
        return name.startswith(allowed) and "/" not in name.removeprefix(allowed)
    return _within(name, allowed)


def _within(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}/")
