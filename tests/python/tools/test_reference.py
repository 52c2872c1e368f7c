"""The pages of docs/reference say what the program says now."""

import importlib.util
import json
import re
from types import ModuleType

import pytest
from conftest import ROOT

from assay.cli.common.exit_codes import SIGNALLED

PAGES = sorted(path.name for path in (ROOT / "docs" / "reference").glob("*.md"))
BY_HAND = {"README.md", "index-json.md", "overhead-plan.md"}


def _reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = _reference()


def test_every_page_is_generated_or_known_to_be_written_by_hand() -> None:
    assert set(PAGES) == reference.PAGES.keys() | BY_HAND


@pytest.mark.parametrize("name", reference.PAGES)
def test_a_page_is_what_the_generator_writes_now(name: str) -> None:
    committed = (ROOT / "docs" / "reference" / name).read_text()
    assert reference.PAGES[name]() == committed, "run .venv/bin/python tools/reference.py"


def test_the_schema_of_assay_toml_is_that_of_the_structures() -> None:
    committed = (ROOT / "schema" / "assay-toml.schema.json").read_text()
    assert reference.project_schema() == committed, "run .venv/bin/python tools/reference.py"
    assert "null" not in committed


def test_every_verb_has_its_options() -> None:
    from assay.cli.app import VERBS

    text = reference.commands()
    for name in VERBS:
        assert f"\n## assay {name}\n" in text
    assert "| `--min-time S` | Measuring time of one repetition. | 0.5ms |" in text


def test_the_readme_has_every_exit_code() -> None:
    table = re.findall(r"^\| ([\d, ]+) \| \w", (ROOT / "README.md").read_text(), re.MULTILINE)
    shown = {int(code) for cell in table for code in cell.split(",")}
    known = set(map(int, re.findall(r"^\| (\d+) \| `", reference.exit_codes(), re.MULTILINE)))
    assert shown == known - {SIGNALLED} | {SIGNALLED + 1, SIGNALLED + 2, SIGNALLED + 15}


def test_the_contract_names_every_key_of_ours() -> None:
    contract = (ROOT / "schema" / "README.md").read_text()
    keys = [
        key
        for path in (ROOT / "schema" / "golden").glob("*.json")
        for key, _ in reference._keys(json.loads(path.read_text()))
    ]
    ours = {key.split(".assay.")[1] for key in keys if ".assay." in key}
    assert len(ours) > 30
    parts = {part.removesuffix("[]") for key in ours for part in key.split(".")} - {"*"}
    assert {part for part in parts if not re.search(rf"\b{part}\b", contract)} == set()
