"""Writes what a build is made of and needs, as CycloneDX JSON (SBOM). CMake calls it for a wheel.

    python tools/sbom.py THIRD_PARTY FILE

THIRD_PARTY says what others made that is compiled in or linked: lines of a name, INSIDE or LINKED,
and the version, written by cmake/AssayThirdParty.cmake. What each of them is says
requirements/native.toml. The Python packages and their bounds are those of pyproject.toml, what
they need in turn those of requirements/runtime.txt. The same input gives the same bytes: there is
neither a date nor a random number. It runs where nothing is installed but Python.
"""

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
Component = dict[str, Any]


class Pinned(NamedTuple):
    """A package of requirements/runtime.txt."""

    name: str
    version: str
    needed_by: tuple[str, ...]


class Part(NamedTuple):
    """Something that others made, in a build."""

    name: str
    is_inside: bool
    version: str  # empty where nobody knows


def main(words: list[str]) -> int:
    """Write the file; returns the exit code."""
    source, target = map(Path, words)
    known = tomllib.loads((ROOT / "requirements" / "native.toml").read_text())
    parts = [_part(line) for line in source.read_text().splitlines()]
    if unknown := sorted({part.name for part in parts} - known.keys()):
        print(f"error: requirements/native.toml does not have {unknown}", file=sys.stderr)
        return 1
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = list(pinned((ROOT / "requirements" / "runtime.txt").read_text()))
    text = (ROOT / "src" / "assay" / "__init__.py").read_text()
    version = re.findall(r'^__version__ = "(.*)"', text, re.MULTILINE)[0]
    document = sbom(version, project, pins, [_native(part, known[part.name]) for part in parts])
    target.write_text(json.dumps(document, indent=1) + "\n")
    return 0


def sbom(
    version: str, project: dict[str, Any], pins: Iterable[Pinned], natives: list[Component]
) -> Component:
    """The whole document."""
    bounds = dict(_bounded(one) for one in project["dependencies"])
    pins = list(pins)
    run = _reached(pins, set(bounds))
    packages = [_package(one, bounds.get(one.name), one.name in run) for one in pins]
    assay = {
        "type": "application",
        "bom-ref": f"pkg:pypi/assay@{version}",
        "name": "assay",
        "version": version,
        "licenses": [{"expression": project["license"]}],
        "purl": f"pkg:pypi/assay@{version}",
    }
    needs: dict[str, list[str]] = {
        f"pkg:pypi/assay@{version}": [*(f"pkg:pypi/{one}" for one in bounds), *_refs(natives)],
        **{f"pkg:pypi/{one.name}": _needed(one.name, pins) for one in pins},
    }
    body: Component = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.7",
        "version": 1,
        "metadata": {"lifecycles": [{"phase": "build"}], "component": assay},
        "components": sorted([*packages, *natives], key=lambda one: one["bom-ref"]),
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(others)} for ref, others in sorted(needs.items())
        ],
    }
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(body, sort_keys=True))
    return {**body, "serialNumber": f"urn:uuid:{number}"}


# ---- Python packages ----------------------------------------------------------------------


def pinned(text: str) -> Iterator[Pinned]:
    """The packages of a file by pip-compile, each with those that asked for it."""
    for entry in re.findall(r"(?m)^\w.*\n(?:[ ].*\n?)*", text):
        name, version = re.findall(r"^([\w.-]+)==(\S+)", entry)[0]
        asked = re.findall(r"(?m)^    #   ([\w.-]+)$|^    # via ([\w.-]+)$", entry)
        yield Pinned(name, version, tuple(sorted(one or other for one, other in asked)))


def _bounded(requirement: str) -> tuple[str, str]:
    name, bounds = re.findall(r"^([\w.-]+)(.*)$", requirement)[0]
    return name, bounds


def _reached(pins: list[Pinned], wanted: set[str]) -> set[str]:
    """Names that something wanted needs, and those wanted; the rest only builds."""
    more = {one.name for one in pins if wanted.intersection(one.needed_by)} | wanted
    return wanted if more == wanted else _reached(pins, more)


def _needed(name: str, pins: list[Pinned]) -> list[str]:
    return [f"pkg:pypi/{one.name}" for one in pins if name in one.needed_by]


def _package(one: Pinned, bounds: str | None, is_for_running: bool) -> Component:
    told: Component = {
        "type": "library",
        "bom-ref": f"pkg:pypi/{one.name}",
        "name": one.name,
        "purl": f"pkg:pypi/{one.name}",
        "scope": "required" if is_for_running else "excluded",
        "properties": [{"name": "assay:tried-with", "value": one.version}],
    }
    if bounds:
        told["versionRange"] = "vers:pypi/" + bounds.replace(",", "|")
    if is_for_running:
        told["isExternal"] = True
    return told


# ---- what is compiled in or linked --------------------------------------------------------


def _part(line: str) -> Part:
    name, how, version = line.split(" ", 2)
    return Part(name, how == "INSIDE", version.strip())


def _native(part: Part, known: dict[str, Any]) -> Component:
    ref = f"pkg:generic/{part.name}" + (f"@{part.version}" if part.version else "")
    texts = [{"name": "assay:licence-file", "value": one} for one in known.get("texts", ())]
    return {
        "type": "library",
        "bom-ref": ref,
        "name": part.name,
        **({"version": part.version} if part.version else {}),
        "description": known["what"],
        "licenses": [{"expression": known["licence"]}],
        "purl": ref,
        "isExternal": not part.is_inside,
        **({"properties": texts} if part.is_inside and texts else {}),
    }


def _refs(components: Iterable[Component]) -> Iterator[str]:
    return (one["bom-ref"] for one in components)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
