"""Code that reads sentences is seen, and what it may read is listed with a reason."""

from pathlib import Path

import pytest
from sentences import EXCEPTIONS, Permitted, read_sentences


def written(name: str, text: str) -> Path:
    path = Path("src/assay") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "code",
    [
        "method == 'not judged'",
        "method != 'not judged'",
        "'not judged' in note",
        "method in ('same', 'not judged')",
        "note.startswith('not judged')",
        "note.startswith(('same', 'not judged'))",
        "note.removeprefix('not judged')",
        "note.partition('not judged')",
        "note.startswith(f'not judged {why}')",
        "words['not judged']",
        "words.get('not judged')",
        "re.match(r'(\\d+) not judged', note)",
        "re.compile('not judged')",
        "method == PROSE",
        "method in WORDS",
        "method in TABLE",
        "method in frozenset({'not judged'})",
    ],
)
def test_a_sentence_that_is_read_is_seen(code: str) -> None:
    known = "PROSE = 'not judged'\nWORDS: tuple[str, ...] = (PROSE, 'same')\nTABLE = {PROSE: 1}\n"
    (line,) = read_sentences([written("judge/x.py", f"{known}found = {code}\n")], ())
    assert line.startswith("src/assay/judge/x.py:4: reads the words ")
    assert "not judged" in line


@pytest.mark.parametrize(
    "code",
    [
        "cells[column.title]",
        "cells.get(column.title, one)",
        "column.title == 'metric'",
        "column.title in _LESS",
        "[one for title in titles if title != 'metric']",
        "cells[heading]",
    ],
)
def test_what_is_chosen_by_its_title_is_seen(code: str) -> None:
    (line,) = read_sentences([written("show/x.py", f"found = {code}\n")], ())
    assert line.startswith("src/assay/show/x.py:1: reads the words ")
    known = "found = cells[column.key], one.title, {key: column.title}, say(column.title)\n"
    assert list(read_sentences([written("show/x.py", known)], ())) == []


def test_a_case_of_a_match_is_seen() -> None:
    text = "match note:\n    case 'not judged':\n        pass\n"
    (line,) = read_sentences([written("judge/x.py", text)], ())
    assert line == "src/assay/judge/x.py:2: reads the words 'not judged'"


def test_a_sentence_cut_at_its_colon_is_seen() -> None:
    (line,) = read_sentences([written("show/x.py", "head = line.partition(': ')[2]\n")], ())
    assert line.endswith("reads the words ': '")


@pytest.mark.parametrize(
    "text",
    [
        "from assay.judge.counts import SO_FAR\nfound = one.method == SO_FAR\n",
        "from assay.judge.counts import SO_FAR as X\nfound = one.method == X\n",
        "from assay.judge import counts\nfound = one.method == counts.SO_FAR\n",
        "from assay.judge import counts\nfound = one.method in counts.METHODS\n",
    ],
)
def test_a_constant_of_another_module_is_seen(text: str) -> None:
    counts = "SO_FAR = 'so far: it did not vary'\nMETHODS = (SO_FAR, 'exact')\n"
    both = [written("judge/counts.py", counts), written("judge/x.py", text)]
    (line,) = read_sentences(both, ())
    assert line == "src/assay/judge/x.py:2: reads the words 'so far: it did not vary'"


def test_what_is_no_sentence_may_be_read() -> None:
    text = (
        "found = kind == 'time', words.split(' '), value in ('a', 'b'), method is Method.EXACT\n"
        "said = {'not judged': 1}, f'not judged: {found}', say('not judged')\n"
    )
    assert list(read_sentences([written("judge/x.py", text)], ())) == []


def test_an_exception_permits_what_it_names_and_is_seen_when_nothing_needs_it() -> None:
    path = written("revisions/x.py", "said.startswith('fatal: ')\nsaid.startswith('not judged')\n")
    git = Permitted("src/assay/revisions/x.py", "what git prints", ("fatal: ",))
    (line,) = read_sentences([path], (git,))
    assert "not judged" in line
    path.write_text("said = ''\n")
    (line,) = read_sentences([path], (git,))
    assert line == "src/assay/revisions/x.py: nothing reads 'fatal: ' there: remove the exception"


def test_every_exception_has_a_reason() -> None:
    assert all(one.why and one.where.startswith("src/assay/") for one in EXCEPTIONS)
