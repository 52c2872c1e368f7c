"""Lists parts that were not built and tests that were not run, with the reasons.

    python tools/left_out.py release python

For a preset it reads build/PRESET/left_out.txt (from CMake) and build/PRESET/tests.xml (from
ctest); for `python` it reads build/python/tests.xml (from pytest). In CI (CI=true) it fails if
something is left out that no line of tools/dev/permitted_skips.txt permits: a machine that lacks
what a test needs must not look as if the test had passed.
"""

import os
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

PERMITTED = Path("tools/dev/permitted_skips.txt")


class LeftOut(NamedTuple):
    """A part that was not built, or a test that was not run."""

    where: str  # name of a preset, or `python`
    name: str
    reason: str


class Permitted(NamedTuple):
    """A line of the list: shell patterns for where and what, and the reason."""

    where: str
    what: str  # matched against "name: reason"
    why: str

    def covers(self, left_out: LeftOut) -> bool:
        """Whether the line permits this."""
        what = f"{left_out.name}: {left_out.reason}"
        return fnmatchcase(left_out.where, self.where) and fnmatchcase(what, self.what)


def main(places: list[str], *, is_ci: bool) -> int:
    """Print what was left out; returns the exit code."""
    permitted = permitted_of(PERMITTED.read_text())
    left_out = [each for place in places for each in left_out_at(place, Path("build") / place)]
    refused = 0
    for each in left_out:
        why = next((line.why for line in permitted if line.covers(each)), "")
        refused += not why
        said = f"permitted: {why}" if why else "not permitted in CI"
        print(f"left out ({each.where}): {each.name}: {each.reason} [{said}]")
    print(f"left out: {len(left_out)} in {' and '.join(places)}, {refused} of them not permitted")
    if refused and is_ci:
        print(f"error: mend what is missing, or say in {PERMITTED} why it may be", file=sys.stderr)
        return 1
    return 0


def permitted_of(text: str) -> list[Permitted]:
    """The lines of the list, each of the form: where | what | why."""
    lines = [line.strip() for line in text.splitlines()]
    told = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    if wrong := [parts for parts in told if len(parts) != 3]:
        raise SystemExit(f"error: {PERMITTED}: not of the form where | what | why: {wrong[0]}")
    return [Permitted(*(part.strip() for part in parts)) for parts in told]


def left_out_at(place: str, folder: Path) -> Iterator[LeftOut]:
    """The parts that CMake left out, then the tests that were not run."""
    parts = folder / "left_out.txt"
    if place != "python":
        for line in parts.read_text().splitlines():
            name, reason = line.split(": ", 1)
            yield LeftOut(place, name, reason)
    for case in ElementTree.parse(folder / "tests.xml").iter("testcase"):
        reason = reason_of(case)
        if reason:
            yield LeftOut(place, name_of(case), reason)


def name_of(case: ElementTree.Element) -> str:
    """The test's name as ctest or pytest give it; ctest's class only repeats the name."""
    name, group = case.get("name", ""), case.get("classname", "")
    return name if group in ("", name) else f"{group}::{name}"


def reason_of(case: ElementTree.Element) -> str:
    """Why a test was not run; empty if it was, as was one that is expected to fail."""
    if case.find("disabled") is not None or case.get("status") == "disabled":
        return "disabled"
    skipped = case.find("skipped")
    if skipped is None or skipped.get("type") == "pytest.xfail":
        return ""
    said = re.search(r"Skipped\n(.*)", case.findtext("system-out", ""))
    return said.group(1).strip() if said else skipped.get("message", "") or "no reason given"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], is_ci=os.environ.get("CI") == "true"))
