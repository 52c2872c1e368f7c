"""Answers of `assay why` in a store: they come back as they were, or are none."""

import hashlib
import json
import os
from fractions import Fraction
from pathlib import Path

import pytest
from explanations import answer, kept_answer
from msgspec.structs import replace
from records import HOSTILE, one_sided

from assay.answers import WhyAnswer, WhyQuestion
from assay.errors import InputError
from assay.record.store import answers as module
from assay.record.store.answers import Answers, file_name_of
from assay.record.store.store import Store
from assay.stacks import Stacks
from assay.workflows.store import delete_runs

NOW_S = 1_790_000_000.0


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store.opened_or_made(tmp_path / ".assay")
    for _ in range(2):
        made.add(one_sided(), kind="run", now_s=NOW_S)
    return made


def asked_of(store: Store, benchmark: str = "BM_append") -> WhyQuestion:
    return WhyQuestion(benchmark, *store.folder.runs()[:2])


def put(store: Store, asked: WhyQuestion, data: bytes) -> Path:
    """A file whose name fits its content, as a stranger would make it."""
    path = store.folder.path_with_folder("answers", file_name_of(asked, data))
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", HOSTILE)
def test_an_answer_comes_back_as_it_was(store: Store, name: str) -> None:
    there, answers = answer(asked_of(store, name), function=name), Answers(store.folder)
    answers.keep(there)
    answers.keep(there)
    assert len(store.folder.files_in("answers")) == 1
    (head,) = answers.heads()
    found = answers.newest(head.question)
    assert found
    if all(not "\ud800" <= letter <= "\udfff" for letter in name):
        assert (head, found) == (there.head, there)


def test_what_only_later_stages_need_is_not_kept(store: Store) -> None:
    there = answer(asked_of(store))
    assert there.explained.work
    whole = replace(there.explained.work, sides=("not", "encoded"))  # type: ignore[arg-type]
    Answers(store.folder).keep(WhyAnswer(there.head, replace(there.explained, work=whole)))
    assert Answers(store.folder).newest(there.head.question) == there


def test_the_newest_of_the_same_question_is_shown(store: Store) -> None:
    asked, answers = asked_of(store), Answers(store.folder)
    for when_s, function in ((3e6, "third"), (1e6, "first"), (2e6, "second")):
        answers.keep(answer(asked, when_s, function))
    assert [head.answered_s for head in answers.heads()] == [3e6, 2e6, 1e6]
    found = answers.newest(asked)
    assert found
    assert "third" in found.head.said
    assert answers.newest(WhyQuestion("BM_other", asked.base, asked.candidate)) is None


def test_no_file_of_an_answer_is_ever_changed(store: Store) -> None:
    there = answer(asked_of(store))
    Answers(store.folder).keep(there)
    (path,) = store.folder.files_in("answers")
    path.write_bytes(path.read_bytes().replace(b"memmove", b"MEMMOVE"))
    with pytest.raises(InputError, match="is not as it was kept"):
        Answers(store.folder).newest(there.head.question)


def test_an_answer_to_another_question_is_none(store: Store) -> None:
    put(store, asked_of(store, "BM_other"), kept_answer(asked_of(store)))
    assert Answers(store.folder).heads() == []


BODIES = {
    "of no iteration": {"iterations": 0},
    "too large": {"iterations": 2**63},
}


@pytest.mark.parametrize("what", BODIES)
def test_amounts_that_no_loop_has_are_refused(store: Store, what: str) -> None:
    asked = asked_of(store)
    first, second = kept_answer(asked).splitlines()
    body = json.loads(second)
    body["explained"]["work"]["loop"] |= BODIES[what]
    put(store, asked, first + b"\n" + json.dumps(body).encode())
    with pytest.raises(InputError, match=what):
        Answers(store.folder).newest(asked)


@pytest.mark.parametrize("amount", ["1e999999999", "1/0", "-", "1/", "٣", 190, "1" * 40])
def test_a_fraction_is_written_in_one_way(store: Store, amount: object) -> None:
    asked = asked_of(store)
    first, second = kept_answer(asked).splitlines()
    body = json.loads(second)
    body["explained"]["work"]["loop"]["changes"][0]["amount"] = amount
    put(store, asked, first + b"\n" + json.dumps(body).encode())
    with pytest.raises(InputError, match="is not an answer of"):
        Answers(store.folder).newest(asked)


def test_what_no_sentence_says_of_a_function_is_refused(store: Store) -> None:
    """`too long`, which no stage says any more, was read and ended the page with a traceback."""
    asked = asked_of(store)
    first, second = kept_answer(asked).splitlines()
    body = json.loads(second)
    body["explained"]["code"]["functions"][0]["how"] = "too long"
    put(store, asked, first + b"\n" + json.dumps(body).encode())
    with pytest.raises(InputError, match="is not an answer of"):
        Answers(store.folder).newest(asked)


@pytest.mark.parametrize("number", [99, -1])
def test_a_stack_of_no_name_is_refused(store: Store, number: int) -> None:
    asked = asked_of(store)
    first, second = kept_answer(asked).splitlines()
    body = json.loads(second)
    body["work_stacks"]["base"] = [[[number], 1]]
    put(store, asked, first + b"\n" + json.dumps(body).encode())
    with pytest.raises(InputError, match="is not an answer of"):
        Answers(store.folder).newest(asked)


def test_links_are_not_followed_and_large_files_not_read(store: Store, tmp_path: Path) -> None:
    asked = asked_of(store)
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(kept_answer(asked))
    (store.folder.root / "answers").mkdir()
    (store.folder.root / "answers" / file_name_of(asked, outside.read_bytes())).symlink_to(outside)
    assert Answers(store.folder).heads() == []
    assert Answers(store.folder).newest(asked) is None
    path = put(store, asked, kept_answer(asked) + b" ")
    os.truncate(path, 10**9)
    with pytest.raises(InputError):
        Answers(store.folder).newest(asked)


def test_the_answers_of_a_run_go_with_it(store: Store) -> None:
    base, candidate = store.folder.runs()
    Answers(store.folder).keep(answer(WhyQuestion("BM_a", base, candidate)))
    Answers(store.folder).keep(answer(WhyQuestion("BM_a", candidate, candidate)))
    delete_runs(store.folder.root, [base])
    assert [one.base for one in Answers(store.folder).heads()] == [candidate]


def test_stacks_with_a_name_each_once(store: Store) -> None:
    there = answer(asked_of(store))
    assert there.explained.work
    deep = Stacks({("f" * 1000,) * 200: 5}, {("f" * 1000,): 7})
    work = replace(there.explained.work, stacks=deep)
    Answers(store.folder).keep(WhyAnswer(there.head, replace(there.explained, work=work)))
    (path,) = store.folder.files_in("answers")
    assert path.stat().st_size < 20_000
    found = Answers(store.folder).newest(there.head.question)
    assert found
    assert found.explained.work
    assert found.explained.work.stacks == deep


def test_an_answer_as_large_as_is_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert module.LARGEST_ANSWER == 32_000_000
    there, answers = answer(asked_of(store)), Answers(store.folder)
    size = len(module.encode_answer(there))
    monkeypatch.setattr(module, "LARGEST_ANSWER", size - 1)
    with pytest.raises(InputError) as refused:
        answers.keep(there)
    assert str(refused.value) == (
        f"BM_append: takes {size} bytes; at most {size - 1} are kept of an answer"
    )
    monkeypatch.setattr(module, "LARGEST_ANSWER", size)
    answers.keep(there)
    assert answers.newest(there.head.question) == there


def test_a_file_is_called_by_its_question_and_its_content(store: Store) -> None:
    asked = asked_of(store)
    content = hashlib.sha256(b"x").hexdigest()[:16]
    assert file_name_of(asked, b"x") == f"{asked.page}-{content}.jsonl"
    Answers(store.folder).keep(answer(asked))
    (path,) = store.folder.files_in("answers")
    altered = path.with_name(path.name.replace(path.stem[-16:], "0" * 16))
    path.rename(altered)
    with pytest.raises(InputError) as refused:
        Answers(store.folder).newest(asked)
    assert str(refused.value) == f"{altered}: is not as it was kept; remove it, and ask again"


@pytest.mark.parametrize(
    ("answered_s", "is_shown"), [(-9.9e10, True), (9.9e10, True), (1e11, False), (-1e11, False)]
)
def test_when_it_was_answered_is_a_date(store: Store, answered_s: float, *, is_shown: bool) -> None:
    Answers(store.folder).keep(answer(asked_of(store), answered_s))
    assert len(Answers(store.folder).heads()) == is_shown


def test_a_head_that_is_too_long_is_none(store: Store) -> None:
    asked = asked_of(store)
    assert module._LARGEST_HEAD == 64_000
    first, second = kept_answer(asked).splitlines()
    for size, shown in ((63_999, 1), (64_001, 0)):
        path = put(store, asked, b" " * (size - len(first)) + first + b"\n" + second)
        assert len(Answers(store.folder).heads()) == shown
        path.unlink()


@pytest.mark.parametrize(("amount", "said"), [(2**62, "an amount is too large"), (2**62 - 1, "")])
def test_amounts_up_to_a_bound(store: Store, amount: int, said: str) -> None:
    asked = asked_of(store)
    first, second = kept_answer(asked).splitlines()
    body = json.loads(second)
    body["explained"]["work"]["loop"]["iterations"] = amount
    path = put(store, asked, first + b"\n" + json.dumps(body).encode())
    if not said:
        assert Answers(store.folder).newest(asked)
        return
    with pytest.raises(InputError) as refused:
        Answers(store.folder).newest(asked)
    assert str(refused.value) == f"{path}: is not an answer of `assay why`: {said}"


@pytest.mark.parametrize(
    ("value", "bounded"),
    [
        (2**62 - 1, True),
        (-(2**62), False),
        (float("nan"), False),
        (1e300, False),
        (Fraction(1, 2**62 - 1), True),
        (Fraction(1, 2**62), False),
        (Fraction(-(2**62), 3), False),
        (Fraction(2**62 - 1), True),
    ],
)
def test_what_pages_can_compute_with(value: float | Fraction, *, bounded: bool) -> None:
    assert module._is_bounded(value) is bounded


def test_a_stack_of_no_name_is_told(store: Store) -> None:
    asked = asked_of(store)
    first, second = kept_answer(asked).splitlines()
    body = json.loads(second)
    body["work_stacks"]["base"] = [[[99], 1]]
    path = put(store, asked, first + b"\n" + json.dumps(body).encode())
    with pytest.raises(InputError) as refused:
        Answers(store.folder).newest(asked)
    assert (
        str(refused.value) == f"{path}: is not an answer of `assay why`: a stack has no such name"
    )
