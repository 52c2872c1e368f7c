"""What the architecture page tells people to add can be added: the recipes are followed here."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, gbench_json, row
from patience import PATIENCE_S

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
RECIPES = ARCHITECTURE.split("## Where to add")[1]
# A file that a recipe tells to write: one word of its path is in capitals.
NEW_FILE = re.compile(r"`((?:src|native|labs)/[a-z_/]*(?:[A-Z]+/)?[A-Z]+\.(?:py|cpp))`")
RULE = re.compile(r"`(_Rule\(.*?\))`", re.DOTALL)

# A program that has the row, then does what the installed `assay` does.
WITH_THE_ROW = """\
import re, sys
from assay import units
from assay.units import Better, _Rule
rule = {rule}
units._COMPILED = ((re.compile(rule.pattern), rule), *units._COMPILED)
from assay.cli import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `tools/house.py` reads, in a repository of its own."""
    folder = tmp_path_factory.mktemp("repository")
    for part in ("src", "native", "labs", "tools", "cmake", "tests/native/header_examples"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "glossary.md", folder / "docs")  # with the retired words
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def house(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/house.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S)


def test_a_file_that_a_recipe_tells_to_write_breaks_no_rule(repository: Path) -> None:
    told = NEW_FILE.findall(RECIPES)
    assert len(told) >= 5
    assert "src/assay/record/formats/FORMAT.py" in told
    new = [Path(one.replace("FOLDER", "files").lower()) for one in told]
    for path in new:
        text = '"""New."""\n' if path.suffix == ".py" else "// New.\n"
        (repository / path).parent.mkdir(parents=True, exist_ok=True)
        (repository / path).write_text(text)
    done = house(repository)
    for path in new:
        (repository / path).unlink()
    assert done.returncode == 0, done.stdout


def test_a_rule_that_is_broken_is_seen_there(repository: Path) -> None:
    bad = repository / "src" / "assay" / "record" / "formats" / "bad.py"
    bad.write_text('"""New."""\n\nfrom assay.show import drawing\n')
    done = house(repository)
    bad.unlink()
    assert done.returncode == 1
    assert "record/formats/bad.py" in done.stdout


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two Google Benchmark files whose benchmark uses 5 and 10 of what `energy` counts."""
    for name, energy in (("old", 5.0), ("new", 10.0)):
        rows = [
            row("a", real=10 + n / 100, repetition_index=n, energy=energy + n / 1000)
            for n in range(20)
        ]
        (tmp_path / f"{name}.json").write_text(gbench_json(rows, num_cpus=2))
    return [str(tmp_path / "old.json"), str(tmp_path / "new.json")]


def energy_line(files: list[str], rule: str) -> str:
    """What a comparison says of `energy` when the table has this row, too."""
    command = [sys.executable, "-c", WITH_THE_ROW.format(rule=rule), "compare", *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    (line,) = [one for one in done.stdout.splitlines() if "energy" in one] or [done.stderr]
    return line


def test_a_counter_without_a_row_is_different(files: list[str]) -> None:
    assert " different" in energy_line(files, '_Rule("of another", "J", Better.LOWER)')


def test_a_metric_with_its_row_is_compared_with_its_unit_and_direction(files: list[str]) -> None:
    (rule,) = RULE.findall(RECIPES)
    line = energy_line(files, rule)
    assert " slower" in line
    assert re.search(r"5\.0\d* J", line), line


def test_a_metric_whose_row_says_so_is_not_compared_unasked(files: list[str]) -> None:
    rule = '_Rule(r"energy", "J", Better.LOWER, is_compared=False)'
    assert "energy" not in energy_line(files, rule)
    assert " slower" in energy_line([*files, "--metric", "energy"], rule)
