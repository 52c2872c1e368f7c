"""The default margin is one figure: change it, and all that say or use it change with it."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT
from patience import PATIENCE_S

from assay.defaults import MARGIN

# A program with another margin, which then does what the installed `assay` does.
OTHERWISE = """\
import sys
from assay import defaults
defaults.MARGIN, defaults.COUNTS_MARGIN, defaults.ALPHA = 0.031, 0.00072, 0.043
{then}
"""
RUN = "from assay.cli import main; sys.exit(main())"
# Who may have a figure of the same value, and which other thing it is there.
OTHERS = {
    "src/assay/defaults.py": "the figure itself",
    "src/assay/show/words/format.py": "how any percentage is written",
}
FIGURE = rf"{re.escape(str(MARGIN))}|{re.escape(f'{100 * MARGIN:g}')} ?%"
TYPED = re.compile(rf"margin\W[^#\n]*(?<![\d.])({FIGURE})(?!\d)|arg_MARGIN \d", re.IGNORECASE)


def otherwise(then: str, *words: str) -> str:
    """What is printed with margin 3.1 %, 0.072 % of instructions, and alpha 0.043."""
    command = [sys.executable, "-c", OTHERWISE.format(then=then), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("verb", ["compare", "gate", "report", "bisect", "trust"])
def test_the_help_of_every_verb_says_the_one_margin(verb: str) -> None:
    said = otherwise(RUN, verb, "--help")
    assert "--margin" in said
    assert "3.1%" in said
    assert not re.search(r"(?<![\d.])(2%|0\.05)(?![\d.])", said)


def test_these_are_all_verbs_with_a_margin() -> None:
    text = (ROOT / "docs" / "reference" / "commands.md").read_text()
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    names = {part.split()[1].strip("`") for part in parts if "| `--margin " in part}
    assert names == {"compare", "gate", "report", "bisect", "trust"}


def test_judgements_searches_and_charts_use_it() -> None:
    then = """
from assay.model import Settings
from assay.show.charts import comparison
from assay.workflows.bisect.plan import BisectPlan
from assay.workflows.common.plan import ComparePlan
print(Settings().margin, Settings().alpha)
print(BisectPlan(good="a", bad="b").margin)
print(ComparePlan("a", "b").counts_margin)
print(comparison.MARGIN)
"""
    assert otherwise(then) == "0.031 0.043 0.031 0.00072 0.031"


def test_the_figure_is_typed_nowhere_else() -> None:
    files = [*(ROOT / "src" / "assay").rglob("*.py"), *(ROOT / "cmake").glob("*")]
    assert len(files) > 200
    typed = {path.relative_to(ROOT).as_posix() for path in files if TYPED.search(path.read_text())}
    assert typed == set(OTHERS)


@pytest.mark.parametrize(
    "line",
    [
        f"margin: float = {MARGIN}  # smallest",
        f'margin: _Margin = "{100 * MARGIN:g}%"',
        "set(arg_MARGIN 2)",
    ],
)
def test_a_typed_figure_would_be_seen(line: str) -> None:
    assert TYPED.search(line)
