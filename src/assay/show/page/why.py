"""The result of `assay why` as one HTML file.

    why_page(result.findings(), targets=("old/bench", "new/bench"), ...) -> bytes

Sentences, tables, source and machine code are plain HTML; the page's script draws flame graphs and
sorts tables.
"""

from collections.abc import Sequence

from assay.explained import Unanswered
from assay.findings import Findings, StageName
from assay.model import Failure
from assay.show.page.embed import packed_json
from assay.show.page.frame import rendered
from assay.show.page.why_parts import change, parts, pictures
from assay.show.words import format, why_answer

SCRIPTS = ("unpack", "theme", "flame", "explained", "why")


def why_page(
    explained: Sequence[Findings],
    *,
    targets: tuple[str, str],
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
    unavailable: Sequence[Unanswered],
    interrupted: bool = False,
) -> bytes:
    """The HTML of the page that explains these benchmarks."""
    return rendered(
        "why.html",
        ("report.css", "why.css"),
        SCRIPTS,
        headline=_headline(explained),
        targets={
            side: format.name(one, 300)
            for side, one in zip(("base", "candidate"), targets, strict=True)
        },
        benchmarks=[parts(one, number) for number, one in enumerate(explained)],
        contents=[
            {
                "name": format.name(one.evidence.benchmark),
                "said": why_answer.first_sentence(one),
                **change(one),
            }
            for one in explained
        ],
        pictures=packed_json([pictures(one.evidence) for one in explained]),
        failures=[_failure(one) for one in failures],
        unavailable=[why_answer.unanswered(one, 600) for one in unavailable],
        only={
            side: [format.name(name) for name in names]
            for side, names in zip(("base", "candidate"), only, strict=True)
        },
        interrupted=interrupted,
    )


def _headline(explained: Sequence[Findings]) -> str:
    if len(explained) == 1:
        return f"Why {format.name(explained[0].evidence.benchmark)} differs"
    counted = [{part[0].stage for part in one.answer} for one in explained]
    more = sum(StageName.WORK in stages for stages in counted)
    whole = format.count(len(explained), "benchmark")
    return f"Why: {more} of {whole} {'does' if more == 1 else 'do'} other work than before"


def _failure(one: Failure) -> dict[str, str]:
    return {
        "name": format.name(one.benchmark),
        "side": str(one.side or ""),
        "what": format.name(one.what, 600),
    }
