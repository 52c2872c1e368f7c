"""What docstrings show at a prompt is what Python answers."""

import doctest
import importlib
from pathlib import Path

import pytest
from conftest import ROOT

SOURCES = ROOT / "src"
MODULES = [path for path in sorted(SOURCES.rglob("*.py")) if ">>> " in path.read_text()]


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCES).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_examples_at_a_prompt_are_true(path: Path) -> None:
    failed, attempted = doctest.testmod(importlib.import_module(name_of(path)))
    assert attempted
    assert not failed


def test_there_are_such_modules() -> None:
    assert len(MODULES) >= 10
