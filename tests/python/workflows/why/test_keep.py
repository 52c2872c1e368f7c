"""Answers are kept beside the runs of a store that they explain, and of nothing else."""

from pathlib import Path

import pytest
from explanations import everything
from records import one_sided, two_sided

from assay.errors import InputError
from assay.explained import Explained
from assay.record.store.answers import Answers
from assay.record.store.store import Store
from assay.workflows.why.keep import keep, keep_for_comparison
from assay.workflows.why.plan import WhyPlan, WhyResult

NOW_S = 1_790_000_000.0


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store.opened_or_made(tmp_path / ".assay")
    for record, kind in ((one_sided(), "run"), (one_sided(), "run"), (two_sided(), "compare")):
        made.add(record, kind=kind, now_s=NOW_S)
    return made


def found(*explained: Explained, by: int | None = None, cut_short: str | None = None) -> WhyResult:
    return WhyResult(explained, (), (), (), interrupted_by=by, cut_short=cut_short)


def test_of_two_runs_by_whatever_name_they_were_called(store: Store) -> None:
    base, candidate, _ = store.folder.runs()
    store.folder.label(base, "v1")
    plan = WhyPlan("run:v1", f"run:{candidate}", store=store.folder.root)
    assert keep(plan, found(everything("BM_a"), everything("BM_b")), NOW_S) == 2
    heads = Answers(store.folder).heads()
    assert {one.benchmark for one in heads} == {"BM_a", "BM_b"}
    assert {(one.base, one.candidate) for one in heads} == {(base, candidate)}
    assert {one.targets for one in heads} == {("run:v1", f"run:{candidate}")}
    assert heads[0].said.startswith("0.5 % slower: `Wal::append(char const*)` calls `memmove`")


def test_of_a_comparison_beside_it(store: Store) -> None:
    compared = store.folder.newest()
    plan = WhyPlan("run:LAST", "", store=store.folder.root)
    assert keep(plan, found(everything("BM_a")), NOW_S) == 1
    targets = "git:old", "git:new"
    assert (
        keep_for_comparison(store.folder.root, compared, targets, found(everything("BM_b")), NOW_S)
        == 1
    )
    heads = Answers(store.folder).heads()
    assert {(one.base, one.candidate) for one in heads} == {(compared, compared)}


@pytest.mark.parametrize(("base", "candidate"), [("git:a", "git:b"), ("run:LAST", "new/bench")])
def test_what_explains_no_run_is_not_kept(store: Store, base: str, candidate: str) -> None:
    plan = WhyPlan(base, candidate, store=store.folder.root)
    assert keep(plan, found(everything()), NOW_S) == 0
    assert not (store.folder.root / "answers").exists()
    assert keep(WhyPlan("run:a", "run:b", store=None), found(everything()), NOW_S) == 0


def test_what_an_interrupt_cut_short_is_not_kept(store: Store) -> None:
    plan = WhyPlan("run:LAST", "", store=store.folder.root)
    both = found(everything("BM_a"), everything("BM_cut"), by=2, cut_short="BM_cut")
    assert keep(plan, both, NOW_S) == 1
    assert [one.benchmark for one in Answers(store.folder).heads()] == ["BM_a"]


def test_an_interrupt_before_anything_was_found_costs_no_other_answer(store: Store) -> None:
    plan = WhyPlan("run:LAST", "", store=store.folder.root)
    assert keep(plan, found(everything("BM_a"), by=2, cut_short="BM_cut"), NOW_S) == 1
    assert keep(plan, found(everything("BM_b"), by=2), NOW_S) == 1, "between two benchmarks"
    assert {one.benchmark for one in Answers(store.folder).heads()} == {"BM_a", "BM_b"}


def test_a_run_that_is_gone_meanwhile_is_told(store: Store) -> None:
    plan = WhyPlan("run:gone", "run:LAST", store=store.folder.root)
    with pytest.raises(InputError, match="no such run"):
        keep(plan, found(everything()), NOW_S)
