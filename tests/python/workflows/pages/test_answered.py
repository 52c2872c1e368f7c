"""Which answer a page shows, and of which runs it is."""

from pathlib import Path

import pytest
from explanations import answer
from stores import Step, filled

from assay.answers import WhyQuestion
from assay.record.store.answers import Answers
from assay.record.store.store import Store
from assay.survey import Survey
from assay.workflows.pages.answered import answer_to, question_of_page
from assay.workflows.pages.survey import survey_of_store
from assay.workflows.store import catalogue_of


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return filled(tmp_path / ".assay", {"BM_a": Step(1.3, 10), "": Step()}, runs=20)


def shown(store: Store, asked: WhyQuestion) -> WhyQuestion | None:
    survey = survey_of_store(store.folder.root)
    with catalogue_of(store.folder) as catalogue:
        found = answer_to(catalogue, survey, store.folder, asked)
    return found.head.question if found else None


def test_the_address_says_runs_and_benchmark(store: Store) -> None:
    survey, runs = survey_of_store(store.folder.root), store.folder.runs()
    with catalogue_of(store.folder) as catalogue:

        def read(page: str, of: Survey = survey) -> WhyQuestion | None:
            return question_of_page(catalogue, of, page)

        for name in ("BM_a", ""):
            asked = WhyQuestion(name, runs[3], runs[3])
            assert read(asked.page) == asked
        assert read(WhyQuestion("BM_b", runs[3], runs[4]).page) is None
        assert read(WhyQuestion("BM_a", runs[3], "20200101-000000.000000-abcd").page) is None
        assert read("../../etc/passwd") is None


def test_of_these_runs_or_the_narrowest_that_spans_the_change(store: Store) -> None:
    runs, answers = store.folder.runs(), Answers(store.folder)
    change = WhyQuestion("BM_a", runs[9], runs[10])
    assert shown(store, change) is None
    for base, candidate in ((0, 19), (8, 11), (10, 19), (2, 9)):
        answers.keep(answer(WhyQuestion("BM_a", runs[base], runs[candidate])))
    answers.keep(answer(WhyQuestion("", runs[9], runs[10])))
    assert shown(store, change) == WhyQuestion("BM_a", runs[8], runs[11])
    answers.keep(answer(change))
    assert shown(store, change) == change
    assert shown(store, WhyQuestion("BM_a", runs[9], runs[9])) is None


def test_answers_of_runs_that_are_gone_are_not_listed(store: Store) -> None:
    runs = store.folder.runs()
    Answers(store.folder).keep(answer(WhyQuestion("BM_a", runs[0], runs[1])))
    assert len(survey_of_store(store.folder.root).answers) == 1
    store.folder.file_of(runs[0]).unlink()
    assert survey_of_store(store.folder.root).answers == ()
