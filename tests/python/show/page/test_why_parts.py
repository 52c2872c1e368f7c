"""What the page says of one benchmark, before it is drawn."""

from fractions import Fraction

from explanations import everything
from msgspec.structs import replace

from assay.explained import Explained, Unanswered
from assay.judge.attribution.findings import findings
from assay.model import Side
from assay.show.page.why_parts import change, parts
from assay.work import Attribution, ChangeReason, ExactWork, OwnChange, Place


def test_what_is_told_without_a_name_is_in_the_page_too() -> None:
    counts = (Fraction(300), Fraction(300))
    why = ChangeReason("library", "strncmp", Place("a/xml.h", 601), Fraction(-1500), counts)
    change = OwnChange("StringEqual()", Fraction(-1500), 9_000, 7_500, (why,))
    loop = Attribution(100, 260_000, 258_500, (change,))
    work = ExactWork(loop, Attribution(100, 0, 0, ()))
    (answer, *_) = parts(findings(Explained("BM", work)), 0)["sections"]
    assert answer["title"] == "Answer"
    assert answer["lines"][0].startswith("not named: `StringEqual()` does 15 fewer instructions")


def test_what_the_text_says_once_the_page_says_once_and_of_which_side() -> None:
    one = everything()
    assert one.time
    lack = "the base has no debug information: build it with -g"
    one = replace(
        one,
        time=replace(one.time, notes=(lack, "built with other flags: x", "a note")),
        unanswered=(Unanswered("code", "no ELF file", Side.BASE),),
    )
    made = parts(findings(one), 0)
    notes = {section["title"]: section["notes"] for section in made["sections"]}
    assert notes["Work"] == ["a note"]
    assert notes["Time"] == [lack]
    assert made["unanswered"] == ["code (base): no ELF file"]


def test_a_list_has_numbers_or_bullets_and_never_both() -> None:
    sections = {part["title"]: part for part in parts(findings(everything()), 0)["sections"]}
    for title in ("Answer", "Memory", "System calls"):
        assert sections[title]["numbered"]
        for line in (*sections[title]["numbered"], *sections[title]["lines"]):
            assert not line.strip()[0].isdigit()


def test_a_list_of_benchmarks_says_and_colours_the_whole_as_the_text_does() -> None:
    def shown(base: int, candidate: int) -> dict[str, str]:
        loop = Attribution(10, base, candidate, ())
        return change(findings(Explained("BM", ExactWork(loop, Attribution(10, 0, 0, ())))))

    assert shown(100_000, 100_099) == {"text": "+0.10 %", "verdict": "same"}
    assert shown(100_000, 100_100) == {"text": "+0.10 %", "verdict": "slower"}
    assert shown(100, 1_200) == {"text": "x12", "verdict": "slower"}
    assert shown(0, 5) == {"text": "?", "verdict": "undecided"}
