"""The list of what the wheel contains and needs (SBOM) leaves nothing out, and is valid."""

import fnmatch
import json
import re
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest
import release
import sbom
from conftest import NATIVE, ROOT
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from license_expression import get_spdx_licensing
from linked import outside, owners
from wheel import made_wheel

KNOWN = tomllib.loads((ROOT / "requirements" / "native.toml").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RUNTIME = (ROOT / "requirements" / "runtime.txt").read_text()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_wheel(tmp_path_factory)


@pytest.fixture(scope="module")
def listed(wheel: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(release.sbom_in(wheel))
    return {one["name"]: one for one in document["components"]}


@pytest.mark.slow
def test_it_is_valid_and_every_reference_in_it_leads_somewhere(wheel: Path) -> None:
    text = release.sbom_in(wheel).decode()
    assert JsonStrictValidator(SchemaVersion.V1_7).validate_str(text) is None
    document = json.loads(text)
    there = {one["bom-ref"] for one in document["components"]}
    there.add(document["metadata"]["component"]["bom-ref"])
    for one in document["dependencies"]:
        assert {one["ref"], *one["dependsOn"]} <= there


@pytest.mark.slow
def test_every_python_package_is_listed_with_its_bounds(listed: dict[str, Any]) -> None:
    assert set(re.findall(r"(?m)^([\w.-]+)==", RUNTIME)) <= listed.keys()
    for one in PROJECT["dependencies"]:
        name, least, beyond = re.findall(r"([\w-]+)(>=[\d.]+),(<[\d.]+)", one)[0]
        assert listed[name]["versionRange"] == f"vers:pypi/{least}|{beyond}"
        assert listed[name]["scope"] == "required"
    assert listed["scikit-build-core"]["scope"] == "excluded"


@pytest.mark.slow
def test_everything_in_the_binaries_is_listed(wheel: Path, listed: dict[str, Any]) -> None:
    build = ROOT / "build" / "wheel"
    names = [name.partition(".data/data/")[2] for name in zipfile.ZipFile(wheel).namelist()]
    programs = [name for name in names if name.startswith("libexec/")]
    assert len(programs) > 4
    archives = {Path(name).name for name in names if name.endswith(".a")}
    built = [one for one in (build / "native").rglob("*.a") if one.name in archives]
    assert len(built) == len(archives) > 3
    programs += [str(one.relative_to(build)) for one in built]
    found = _packages_in(build, programs)
    patterns = [one for name in listed.keys() & KNOWN for one in KNOWN[name]["packages"]]
    assert _unlisted(found, patterns) == {}
    # And what is listed as inside is found: by headers, too, else none were looked at.
    inside = [name for name in listed.keys() & KNOWN if not listed[name]["isExternal"]]
    assert inside
    for name in inside:
        assert _unlisted(found, KNOWN[name]["packages"]) != found, name


@pytest.mark.slow
def test_everything_in_the_labs_is_known() -> None:
    """A wheel that somebody builds with the labs lists those whose libraries are there."""
    places = [one for one in (NATIVE / "libexec").rglob("*") if one.is_file()]
    programs = [str(one.relative_to(NATIVE)) for one in places if one.suffix in ("", ".so")]
    assert len(programs) > 20
    patterns = [one for known in KNOWN.values() for one in known["packages"]]
    assert _unlisted(_packages_in(NATIVE, programs), patterns) == {}


def _packages_in(build: Path, programs: list[str]) -> dict[str, list[str]]:
    """Of each program the packages of which something is in it."""
    found = {one: sorted(owners(outside(build, one))) for one in programs}
    assert all(found.values())
    return found


def _unlisted(found: dict[str, list[str]], patterns: list[str]) -> dict[str, list[str]]:
    """Of each program the packages that no pattern fits."""
    missed = {
        program: [one for one in names if not any(fnmatch.fnmatch(one, each) for each in patterns)]
        for program, names in found.items()
    }
    return {program: names for program, names in missed.items() if names}


@pytest.mark.slow
def test_licences_are_those_of_spdx_and_lie_in_the_wheel(
    wheel: Path, listed: dict[str, Any]
) -> None:
    with zipfile.ZipFile(wheel) as file:
        (folder,) = {name.split("/")[0] for name in file.namelist() if ".dist-info/" in name}
        there = {name.partition("/licenses/")[2] for name in file.namelist() if folder in name}
        metadata = message_from_string(file.read(f"{folder}/METADATA").decode())
    told = set(metadata.get_all("License-File") or ())
    for one in listed.values():
        if one["purl"].startswith("pkg:generic"):
            files = {each["value"] for each in one.get("properties", ())}
            assert files <= told & there
            assert one["isExternal"] or files, one["name"]


@pytest.mark.parametrize("name", KNOWN)
def test_a_licence_is_one_of_spdx(name: str) -> None:
    assert get_spdx_licensing().validate(KNOWN[name]["licence"]).errors == []


def test_what_cmake_may_name_is_known() -> None:
    text = (ROOT / "cmake" / "AssayThirdParty.cmake").read_text()
    of_labs = text.partition("_of_labs)")[2].split("\nendf")[0]
    named = set(re.findall(r"assay_third_party\(([a-z][\w-]+)", text))
    named |= set(re.findall(r"([a-z][\w-]+)/\w+", of_labs))
    assert named == KNOWN.keys()


def test_what_needs_what_is_read_of_the_pins() -> None:
    pins = {one.name: one for one in sbom.pinned(RUNTIME)}
    assert pins["markupsafe"].needed_by == ("jinja2",)
    assert "uvicorn" in pins["h11"].needed_by
    assert len(pins) == len(re.findall("(?m)^[a-z].*==", RUNTIME))
