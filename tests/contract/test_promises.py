"""What others build on: exit codes, and the places that say which version this is.

A number here is a promise: scripts and CI jobs ask for it. One may be added, and none changes
its meaning.
"""

import re
from typing import Any

import pytest
from conftest import ROOT
from ruamel.yaml import YAML

from assay import __version__
from assay.cli.common import exit_codes
from assay.errors import BuildError, InputError, LaunchError, MeasurementError, UsageError

EXIT_CODES = {
    "DONE": 0,
    "SLOWER": 1,
    "BAD_INPUT": 2,
    "NOT_MEASURED": 3,
    "UNDECIDED": 4,
    "DEFECT": 70,
    "SIGNALLED": 128,
    "BROKEN_PIPE": 141,
}
OF_ERRORS = {UsageError: 2, InputError: 2, MeasurementError: 3, BuildError: 3, LaunchError: 3}


def read(name: str) -> Any:
    return YAML(typ="safe", pure=True).load((ROOT / name).read_text())


def test_exit_codes_mean_what_they_meant() -> None:
    there = {name: value for name, value in vars(exit_codes).items() if name.isupper()}
    assert there == EXIT_CODES
    assert {kind: kind.exit_code for kind in OF_ERRORS} == OF_ERRORS


def test_each_exit_code_is_in_the_readme() -> None:
    rows = [line for line in (ROOT / "README.md").read_text().splitlines() if line[:2] == "| "]
    named = {word for row in rows for word in row.split("|")[1].replace(",", " ").split()}
    ended = {str(code) for code in EXIT_CODES.values()} - {"128"} | {"129", "130", "143"}
    assert ended <= named


def test_the_changelog_begins_with_this_version() -> None:
    heading = re.findall(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text())[0]
    assert heading == __version__


def test_documents_name_this_version() -> None:
    """In what a program prints, and in the name of the wheel."""
    texts = [path.read_text() for path in (ROOT / "docs").rglob("*.md")]
    texts += [path.read_text() for path in (ROOT / "schema" / "golden").glob("*.json")]
    named = re.findall(r"\bassay[ -](\d+\.\d+\.\d+)", "\n".join(texts))
    assert len(named) > 4
    assert set(named) == {__version__}


def test_the_citation_is_of_this_version() -> None:
    citation = read("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == __version__
    assert {"title", "authors", "message"} <= set(citation)


@pytest.mark.parametrize("name", ["ISSUE_TEMPLATE/fault.yml", "ISSUE_TEMPLATE/wish.yml"])
def test_an_issue_is_asked_what_doctor_says(name: str) -> None:
    labels = [part["attributes"]["label"] for part in read(f".github/{name}")["body"]]
    assert "assay doctor" in labels


def test_a_pull_request_is_asked_what_doctor_says() -> None:
    assert "assay doctor" in (ROOT / ".github" / "PULL_REQUEST_TEMPLATE.md").read_text()
