"""The arrows between the rooms of `src/assay` are held, and a forbidden one is seen."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT


@pytest.fixture
def arrows(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("python_arrows")


def tree(folder: Path, **files: str) -> Path:
    """`judge__look="..."` becomes assay/judge/look.py; every room there is gets its module."""
    texts = {
        "model": "",
        "record__reader": "",
        "judge__look": "",
        "judge__estimate": "",
        "judge__paired__rounds": "",
    }
    for name, text in {**texts, **files}.items():
        path = folder / "assay" / Path(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("judge__x", "from assay.record import reader\n", "judge may not import record.reader"),
        ("judge__x", "import assay.record.reader\n", "judge may not import record.reader"),
        ("judge__x", "def f():\n    from assay.record.reader import read\n", "judge may not"),
        ("judge__x", "import os\n", "judge is pure: no os"),
        ("judge__paired__x", "from pathlib import Path\n", "judge is pure: no pathlib"),
        ("judge__x", "from assay.judge.paired import rounds\n", "judge may not import"),
        ("show__x", "import assay.judge.look\n", "show may not import judge.look"),
        (
            "show__rows__x",
            "import rich.table\n",
            "rich only in show.terminal and cli.common.runtime",
        ),
        ("workflows__x", "import typer\n", "typer only in cli"),
        ("show__page__x", "from assay.judge.look import look\n", "show.page may not import"),
        ("units", "from assay.judge.look import look\n", "beside the rooms"),
        ("garden__x", "from assay.judge.look import look\n", "beside the rooms"),
    ],
)
def test_a_forbidden_import_is_seen(
    arrows: ModuleType, tmp_path: Path, name: str, text: str, words: str
) -> None:
    found = arrows.modules(tree(tmp_path, **{name: text}))
    (line,) = arrows.broken_arrows(found)
    assert words in line
    assert ":1:" in line or ":2:" in line


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "judge__x",
            "from assay.model import Sample\nfrom assay.judge import estimate\nimport numpy\n",
        ),
        ("judge__paired__x", "from assay.judge.estimate import rule\n"),
        ("judge__family__x", "from assay.judge.paired.rounds import pair\n"),
        ("cli__x", "import typer\n"),
        ("workflows__run", "from assay.judge.paired import rounds\n"),
    ],
)
def test_what_is_allowed_is_allowed(
    arrows: ModuleType, tmp_path: Path, name: str, text: str
) -> None:
    assert list(arrows.broken_arrows(arrows.modules(tree(tmp_path, **{name: text})))) == []


def test_a_cycle_is_seen_however_lazy(arrows: ModuleType, tmp_path: Path) -> None:
    found = arrows.modules(
        tree(
            tmp_path,
            record__a="from assay.record.b import x\n",
            record__b="from assay.record import c\n",
            record__c="def f():\n    from assay.record.a import x\n",
        )
    )
    (line,) = arrows.broken_arrows(found)
    assert "assay.record.a -> assay.record.b -> assay.record.c -> assay.record.a" in line


def test_every_room_there_is_has_a_rule(arrows: ModuleType) -> None:
    found = arrows.modules(ROOT / "src")
    assert list(arrows.broken_arrows(found)) == []
    folders = {".".join(name.split(".")[1:-1]) for name in found if name.count(".") > 1}
    assert folders <= set(arrows.MAY_IMPORT)
    assert set(arrows.MAY_IMPORT) <= folders | {name.removeprefix("assay.") for name in found}
