"""Finds the answer of `assay why` for a page: of the two runs, or of others around the change.

    asked = question_of_page(catalogue, survey, "20260921-..._20260922-..._1f2e3d4c5b6a7988")
    answer = answer_to(catalogue, survey, folder, asked)

Later runs may move the ends of a change a little. An answer kept for its earlier ends explains the
same change, and says which runs it is about.
"""

import re

import msgspec

from assay.answers import AnswerHead, WhyAnswer, WhyQuestion
from assay.findings import Findings
from assay.judge.attribution.findings import findings
from assay.keys import key_of
from assay.record.store.answers import Answers
from assay.record.store.catalogue import Catalogue
from assay.record.store.folder import Folder
from assay.record.store.run_id import PATTERN
from assay.survey import Survey

_PAGE = re.compile(
    rf"(?P<base>{PATTERN.pattern})_(?P<candidate>{PATTERN.pattern})_(?P<name>[0-9a-f]{{16}})"
)


class KeptFindings(msgspec.Struct, frozen=True):
    """An answer of `assay why` that the store keeps: the runs it is about, and what it found."""

    head: AnswerHead
    findings: Findings


def question_of_page(catalogue: Catalogue, survey: Survey, page: str) -> WhyQuestion | None:
    """The question that a page's address asks: why a benchmark differs between two runs.

    None if the store has no such runs, or no such benchmark.
    """
    found = _PAGE.fullmatch(page)
    if found is None:
        return None
    runs = {row.run for row in survey.runs if not row.problem}
    if not runs.issuperset((found["base"], found["candidate"])):
        return None
    name = _name_of(catalogue, survey, found["name"])
    return WhyQuestion(name, found["base"], found["candidate"]) if name is not None else None


def _name_of(catalogue: Catalogue, survey: Survey, key: str) -> str | None:
    """The benchmark whose hash is in a page's address; None if there is none.

    A name may be empty.
    """
    names = [one.benchmark for one in catalogue.names()]
    names += [one.benchmark for one in survey.answers]
    return next((one for one in dict.fromkeys(names) if key_of(one)[:16] == key), None)


def answer_to(
    catalogue: Catalogue, survey: Survey, folder: Folder, asked: WhyQuestion
) -> KeptFindings | None:
    """The kept answer to the question; None if nobody asked it yet. Raises `InputError`."""
    answers = Answers(folder)
    if exact := answers.newest(asked):
        return _findings(exact)
    near = _nearest(catalogue, survey, asked)
    found = answers.newest(near) if near else None
    return _findings(found) if found else None


def _findings(answer: WhyAnswer) -> KeptFindings:
    return KeptFindings(answer.head, findings(answer.explained))


def _nearest(catalogue: Catalogue, survey: Survey, asked: WhyQuestion) -> WhyQuestion | None:
    """A kept answer on the same benchmark for runs whose time span overlaps that of the runs asked
    for; of several, the one with the shortest span.
    """
    heads = [one.question for one in survey.answers if one.benchmark == asked.benchmark]
    if not heads or asked.base == asked.candidate:
        return None
    times = _times(catalogue, survey, asked.benchmark)
    if not times.keys() >= {asked.base, asked.candidate}:
        return None
    spans = [
        (times[one.candidate] - times[one.base], one)
        for one in heads
        if times.keys() >= {one.base, one.candidate}
        and times[one.base] < times[asked.candidate]
        and times[asked.base] < times[one.candidate]
    ]
    return min(spans)[1] if spans else None


def _times(catalogue: Catalogue, survey: Survey, benchmark: str) -> dict[str, float]:
    """For each run of a benchmark the time at which its revision was committed."""
    keys = {one.key[:3] for one in survey.watched if one.key.benchmark == benchmark}
    numbers = [number for key in sorted(keys) if (number := catalogue.series(*key)) is not None]
    return {one.run: one.time_s for number in numbers for one in catalogue.points(number)}
