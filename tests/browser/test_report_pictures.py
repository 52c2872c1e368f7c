"""The pictures of a report in README, the guide and the site's front page, made of kept rounds.

The rounds are those of a real host (tests/data/rounds): of some benchmarks with a candidate that
is 5 % slower, of two the other way round, of the rest with one that is the same. So whoever changes
the page makes the pictures anew of the same data.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from judging import Floats, real_rounds
from open_report import Report
from records import content
from said import record_of

Open = Callable[..., Report]
HEIGHT = 1400
SLOWER = ("Getpid", "Hash/10000", "Hash/100000", "Malloc/16", "MapFind/1000", "Sort/100000", "Str")
FASTER = ("Chase/65536", "Memcpy/4096")


def rounds() -> dict[str, tuple[Floats, Floats]]:
    same, slower = real_rounds("identical"), real_rounds("five_percent")
    turned = {name: (slower[name][1], slower[name][0]) for name in FASTER}
    return {**same, **{name: slower[name] for name in SLOWER}, **turned}


@pytest.mark.parametrize(
    ("name", "width", "theme"),
    [("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 390, "light")],
)
def test_pictures_of_the_documents(
    report: Open, tmp_path: Path, name: str, width: int, theme: str
) -> None:
    """With ASSAY_PICTURES_IN=docs/images those of the documents are made anew."""
    shown = report(content(record_of(rounds())), width, theme)
    shown.tab.set_viewport_size({"width": width, "height": HEIGHT})
    if width > 1000:
        shown.search("Hash/10000")
        shown.open_row(1)
    picture = Path(os.environ.get("ASSAY_PICTURES_IN", tmp_path)) / f"report-{name}.png"
    shown.tab.screenshot(path=picture)
    assert shown.tab.locator("h1").inner_text().startswith("Of 17 benchmarks 7 are slower, 2 are")
    assert 40_000 < picture.stat().st_size < 250_000
