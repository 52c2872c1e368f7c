"""A journal that is read while it grows: whole lines, what is said in it, and its end."""

from pathlib import Path

import pytest
from running import Written

from assay.errors import InputError
from assay.record.journal import note_kept_run, parse_journal
from assay.record.journal_tail import JournalTail

MOST = 1 << 20


def test_what_was_measured_and_planned_arrives(tmp_path: Path) -> None:
    with Written(tmp_path / ".assay", ["BM_a"]) as session, JournalTail(session.path, MOST) as tail:
        assert not tail.read()
        assert tail.planned.benchmarks == ("BM_a",)
        session.round(times=3)
        assert tail.read()
        assert tail.rows == 6
        assert not tail.read()
        assert len(parse_journal(bytes(tail.data), "j").samples) == 6


def test_half_a_line_is_left_for_later(tmp_path: Path) -> None:
    with Written(tmp_path / ".assay", ["BM_a"]) as session:
        session.round()
    whole, path = session.path.read_bytes(), tmp_path / "cut"
    path.write_bytes(whole[: whole.index(b'{"row"') + 20])
    with JournalTail(path, MOST) as tail:
        assert not tail.read()
        path.write_bytes(whole)
        assert tail.read()
        assert (tail.rows, tail.is_over) == (2, True)


def test_a_session_lives_while_it_holds_its_journal(tmp_path: Path) -> None:
    with Written(tmp_path / ".assay", ["BM_a"]) as session:
        tail = JournalTail(session.path, MOST)
        tail.read()
        assert tail.is_held()
        assert not tail.is_over
    with tail:
        assert not tail.is_held()
        tail.read()
        assert tail.is_over


def test_the_run_is_told_when_the_journal_has_no_name_any_more(tmp_path: Path) -> None:
    with Written(tmp_path / ".assay", ["BM_a"]) as session:
        session.round()
    with JournalTail(session.path, MOST) as tail:
        run = session.stored()
        tail.read()
        assert (tail.run, tail.is_named()) == (run, False)
    note_kept_run(session.path, run)
    assert not session.path.exists(), "what is gone is not made again"


def test_a_journal_that_is_too_large_is_told(tmp_path: Path) -> None:
    with Written(tmp_path / ".assay", ["BM_a"]) as session:
        session.round(times=50)
    with JournalTail(session.path, 2_000) as tail, pytest.raises(InputError, match="larger than"):
        tail.read()


HEAD = b'{"assay_journal":1,"context":{},"facts":{}}\n'
ROW = b'{"row":{"name":"a"}}\n'


def test_a_line_about_the_session_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(HEAD + ROW + b'{"planned":{"fewest":-1}}\n')
    with JournalTail(path, MOST) as tail, pytest.raises(InputError) as refused:
        tail.read()
    assert str(refused.value).startswith(f"{path}: line 3: is not an entry of a journal: Expected")


def test_lines_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b"")
    with JournalTail(path, MOST) as tail:
        assert tail.is_held(), "no lock is tried before the first line"
        path.write_bytes(HEAD)
        assert not tail.read()
        assert (bytes(tail.data), tail.rows, tail.is_over, tail.run) == (HEAD, 0, False, "")
        assert not tail.is_held()
        failure = b'{"failure":{"benchmark":"a","what":"x"}}\n'
        path.write_bytes(HEAD + ROW + b'{"planned":{"fewest":3}}\n' + failure)
        assert tail.read()
        assert (bytes(tail.data), tail.rows) == (HEAD + ROW + failure, 2)
        assert tail.planned.fewest == 3
        with path.open("ab") as file:
            file.write(b'{"ended":true}\n{"kept":"r1"}\n')
        assert not tail.read()
        assert (tail.is_over, tail.run, tail.planned.fewest) == (True, "r1", 3)
        assert tail.is_named()
        path.unlink()
        assert not tail.is_named()


def test_a_journal_as_large_as_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(HEAD + ROW)
    with JournalTail(path, len(HEAD + ROW)) as tail:
        assert tail.read()
    with JournalTail(path, len(HEAD + ROW) - 1) as tail, pytest.raises(InputError) as refused:
        tail.read()
    assert str(refused.value) == (
        f"{path}: is larger than {len(HEAD + ROW) - 1} bytes, the most that is followed"
    )
