"""The pages *Why*: the list of answers, one answer, and how to get an answer not yet there.

answers_page(survey, served=True)
answer_page(head, findings, survey, benchmark_page, served=True)
unanswered_page(asked, survey, benchmark_page, served=True)
"""

import re
import shlex
from typing import Any

from assay.answers import AnswerHead, WhyQuestion
from assay.findings import Findings
from assay.history import RunRow
from assay.show.page.embed import packed_json
from assay.show.page.store.frame import PageFrame, store_page
from assay.show.page.store.grid import Facet, Grid, GridColumn
from assay.show.page.why_parts import parts, pictures
from assay.show.words import format
from assay.show.words import survey as words
from assay.survey import Survey

_LONGEST = 200  # in a command, longer names of benchmarks are cut
_NONE_YET = (
    "No answer is kept yet: assay why run:BASE run:CANDIDATE keeps one, and so does "
    "assay compare --why of a comparison that is stored."
)


def href(asked: WhyQuestion, root: str = "") -> str:
    """The address of the page that says why a benchmark differs between two runs."""
    return f"{root}why/{asked.page}.html"


def command(asked: WhyQuestion, more: str = "") -> str:
    """The command of `assay why` that answers the question.

    `more` is the option that names the store, where it is needed.
    """
    runs = dict.fromkeys((f"run:{asked.base}", f"run:{asked.candidate}"))
    typed = ["assay", "why", *runs, "--filter", expression(asked.benchmark)]
    return f"{shlex.join(typed)} {more}".rstrip()


def expression(name: str) -> str:
    """A regular expression that matches the name and has only characters that can be typed."""
    cut = name[:_LONGEST]
    typed = "".join(_letter_pattern(letter) for letter in cut)
    return f"^{typed}" if len(name) > _LONGEST else f"^{typed}$"


def _letter_pattern(letter: str) -> str:
    """A regular expression for one character of a name.

    If the character is not plainly visible, it is a dot, which matches any.
    """
    if format.visible(letter) != letter:
        return "."
    return re.sub(r"([.\[\](){}*+?|^$\\])", r"\\\1", letter)


def answers_page(survey: Survey, *, served: bool) -> bytes:
    """The HTML of the list of kept answers of `assay why`."""
    grid = _grid(survey)
    count = len(survey.answers)
    headline = f"{format.count(count, 'change')} explained." if count else "Nothing is explained."
    lines = () if count else (_NONE_YET,)
    return store_page(
        PageFrame("why.html", "Why", headline, served, lines),
        "pages/list.html",
        {"grid": grid.data()},
        plain=grid.plain(),
        section="Answers",
        chooser=False,
    )


def _grid(survey: Survey) -> Grid:
    heads = survey.answers
    revisions = {row.run: row.revision for row in survey.runs}
    when = [one.answered_s for one in heads]
    between = [_revisions_compared(one, revisions) for one in heads]
    columns = [
        GridColumn("name", "benchmark", [format.name(one.benchmark) for one in heads], "name"),
        GridColumn(
            "said", "first of all", [format.name(one.said.replace("`", ""), 300) for one in heads]
        ),
        GridColumn("between", "between", between, "commits", is_less=True),
        GridColumn("when", "answered", [words.date(one) for one in when], "date", when, True),
        GridColumn("base", "base", [one.base for one in heads], "run", is_off=True),
        GridColumn("candidate", "candidate", [one.candidate for one in heads], "run", is_off=True),
    ]
    facets = [Facet("between", "Between", between)]
    return Grid(columns, "answers", facets, [href(one.question) for one in heads])


def _revisions_compared(one: AnswerHead, revisions: dict[str, str]) -> str:
    """The revisions that an answer compares; without revisions, the beginnings of the runs' names.

    A comparison is one run, whose revision text names both.
    """
    if one.base == one.candidate:
        return format.visible(revisions.get(one.base, "")) or one.base[:15]
    both = [revisions.get(run, "") for run in (one.base, one.candidate)]
    if all(both):
        return "..".join(words.revision(text) for text in both)
    return f"{one.base[:15]}..{one.candidate[:15]}"


def answer_page(
    head: AnswerHead, found: Findings, survey: Survey, page: str, *, served: bool
) -> bytes:
    """The page of one kept answer of `assay why`.

    `page` is the address of the page on its benchmark; empty if there is none.
    """
    name = format.name(head.benchmark)
    return store_page(
        PageFrame("why.html", f"Why {name}", name, served, (), "../", "why"),
        "pages/why.html",
        {},
        scripts=("flame", "explained"),
        styles=("why.css",),
        one=parts(found, 0),
        pictures=packed_json([pictures(found.evidence)]),
        **_runs_and_links(head.question, survey, page, served=served),
        targets=[format.name(one, 200) for one in head.targets],
        answered=words.date(head.answered_s),
    )


def unanswered_page(
    asked: WhyQuestion, survey: Survey, page: str, *, served: bool, more: str = ""
) -> bytes:
    """A page saying that nobody asked yet why a benchmark differs, with the command that asks."""
    name = format.name(asked.benchmark)
    return store_page(
        PageFrame("why.html", f"Why {name}", name, served, (), "../", "why"),
        "pages/unanswered.html",
        {},
        styles=("why.css",),
        command=command(asked, more),
        **_runs_and_links(asked, survey, page, served=served),
    )


def _runs_and_links(
    asked: WhyQuestion, survey: Survey, page: str, *, served: bool
) -> dict[str, Any]:
    """The runs that an answer is about, and links to their comparison and the benchmark's page."""
    rows = {row.run: row for row in survey.runs}
    is_one = asked.base == asked.candidate
    runs = (
        {"comparison": asked.base}
        if is_one
        else {
            "base": asked.base,
            "candidate": asked.candidate,
        }
    )
    compare = f"../compare.html?base={asked.base}&candidate={asked.candidate}" if served else ""
    return {
        "runs": [_run(side, run, rows.get(run)) for side, run in runs.items()],
        "compare": f"../compare/{asked.base}.html" if is_one else compare,
        "benchmark_page": f"../benchmark/{page}.html" if page else "",
    }


def _run(side: str, run: str, row: RunRow | None) -> dict[str, str]:
    return {
        "side": side,
        "run": run,
        "revision": words.revision(row.revision) if row and row.revision else "",
        "date": words.date(row.time_s) if row else "",
    }
