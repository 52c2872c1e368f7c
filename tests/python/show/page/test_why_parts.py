"""What the page says of one benchmark, before it is drawn."""

from fractions import Fraction

from assay.explained import Explained
from assay.judge.attribution.findings import findings
from assay.show.page.why_parts import parts
from assay.work import Attribution, ExactWork, OwnChange, Place, Why


def test_what_is_told_without_a_name_is_in_the_page_too() -> None:
    counts = (Fraction(300), Fraction(300))
    why = Why("library", "strncmp", Place("a/xml.h", 601), Fraction(-1500), counts)
    change = OwnChange("StringEqual()", Fraction(-1500), 9_000, 7_500, (why,))
    loop = Attribution(100, 260_000, 258_500, (change,))
    work = ExactWork(loop, Attribution(100, 0, 0, ()))
    (answer, *_) = parts(findings(Explained("BM", work)), 0)["sections"]
    assert answer["title"] == "Answer"
    assert answer["lines"][0].startswith("not named: `StringEqual()` does 15 fewer instructions")
