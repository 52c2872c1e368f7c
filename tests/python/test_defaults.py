"""The default margin is one figure: change it, and all that say or use it change with it."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT
from patience import PATIENCE_S
from typed_margins import margin_takers, typed_margins

from assay.defaults import COUNTS_MARGIN, MARGIN, as_percent

# A program with another margin, which then does what the installed `assay` does.
OTHERWISE = """\
import sys
from assay import defaults
defaults.MARGIN, defaults.COUNTS_MARGIN, defaults.ALPHA = 0.031, 0.00072, 0.043
{then}
"""
RUN = "from assay.cli import main; sys.exit(main())"
# Where a margin may be typed, and which other one it is.
OTHERS = {
    "src/assay/defaults.py": "the figures themselves",
    "src/assay/cli/demo.py": "the demo's own: two builds place their code differently",
    "src/assay/judge/family/undecided.py": "what noise is compared with at least",
    "src/assay/workflows/compare/duet.py": "how alike two CPUs must be",
    "src/assay/workflows/overhead/plan.py": "of conditions, with its own error rate",
}
# The document -> the margins in it, in percent, that are no default: of what is measured there.
MEASURED_WITH = {
    "README.md": {"5"},
    "docs/compared.md": {"2"},
    "docs/guides/trust.md": {"0.5"},
    "docs/guides/what-does-my-tracer-cost.md": {"1"},
    "docs/what-we-cannot-measure.md": {"2"},
}
QUOTED = re.compile(r"margin(?: of| is)?[ *]+(\d[\d.]*) ?%", re.IGNORECASE)
# Tests that run in this process and judge, or print, with a margin.
WITH_MARGINS = (
    "cli/common/test_project_defaults.py",
    "cli/common/test_repeating.py",
    "judge/test_floor.py",
    "show/page/test_overhead_parts.py",
    "show/words/test_overhead.py",
)
TYPED_IN_CMAKE = re.compile(r"arg_MARGIN \d")


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


def test_a_margin_is_typed_nowhere_else() -> None:
    texts = {path: path.read_text() for path in (ROOT / "src" / "assay").rglob("*.py")}
    assert len(texts) > 200
    takers = margin_takers(texts.values())
    typed = {
        path.relative_to(ROOT).as_posix(): found
        for path, text in texts.items()
        if (found := typed_margins(text, takers))
    }
    assert set(typed) == set(OTHERS), typed
    cmake = list((ROOT / "cmake").glob("*"))
    assert cmake
    assert TYPED_IN_CMAKE.search("set(arg_MARGIN 2)")
    assert not [path for path in cmake if TYPED_IN_CMAKE.search(path.read_text())]


@pytest.mark.parametrize(
    "line",
    [
        "margin: float = 0.7  # smallest",
        'margin: _Margin = "70%"',
        "LEAST_MARGIN = 7",
        "Settings(alpha=0.05, margin=0.7)",
        "def axis(ends, margin=0.7): ...",
        "def axis(ends, *, alpha, margin=0.7): ...",
        'data = {**axis, "margin": 0.7}',
        "spans.effect_axis(ends, 0.7)",
        'help = f"Smallest {what} (margin: 70 %)."',
    ],
)
def test_a_typed_margin_would_be_seen(line: str) -> None:
    assert typed_margins(line, {"effect_axis": 1})


def test_what_types_no_margin_is_not_blamed() -> None:
    text = """
'''A gate with a margin of 70 %.'''
Settings(margin=0.0), Settings(margin=MARGIN), effect_axis(ends, margin), effect_axis(0.7)
ALPHA, BUDGET = 0.7, {"budget": 0.7}
"""
    assert typed_margins(text, {"effect_axis": 1}) == []


def test_documents_quote_the_margin_that_is() -> None:
    docs = ROOT / "docs"
    pages = [ROOT / "README.md", *docs.glob("*.md")]
    pages += [*docs.glob("guides/*.md"), *docs.glob("tutorial/*.md")]
    assert len(pages) > 25
    usual = {as_percent(one).rstrip("%") for one in (MARGIN, COUNTS_MARGIN)}
    for page in pages:
        text = " ".join(page.read_text().split())
        given = set(re.findall(r"--margin[ =]([\d.]+)", text))
        measured = MEASURED_WITH.get(page.relative_to(ROOT).as_posix(), set())
        assert set(QUOTED.findall(text)) <= usual | given | measured, page


def test_tests_hold_with_another_margin() -> None:
    """Whoever changes the default has this figure to change, and no test."""
    support = ROOT / "tests" / "support"
    path = os.pathsep.join(filter(None, (str(support), os.environ.get("PYTHONPATH", ""))))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "other_margin", "-p", "no:cacheprovider"]
        + [str(ROOT / "tests" / "python" / one) for one in WITH_MARGINS],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stdout
