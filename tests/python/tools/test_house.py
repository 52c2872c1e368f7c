"""The house rules see what they are there to see."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    spec = importlib.util.spec_from_file_location("house", ROOT / "tools" / "house.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    return module


def file(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("src/assay/judge/x.py", "open('x')\n", "judge is pure: no files"),
        ("src/assay/measure/x.py", "print('x')\n", "measure may not print"),
        ("src/assay/record/x.py", "exit(1)\n", "record may not print or exit"),
    ],
)
def test_calls_that_a_room_may_not_make(
    house: ModuleType, name: str, text: str, words: str
) -> None:
    (line,) = house.silence(file(name, text))
    assert words in line


def test_a_comment_behind_a_lone_bracket_is_seen(house: ModuleType) -> None:
    for end in (")  # why", "]  # why", "    }):  # why", "),  # why"):
        (line,) = house.behind_brackets(file("src/x.py", f"f(\n{end}\n"))
        assert line.startswith("src/x.py:2: a comment stands above")
    kept = "f(x)  # why\n[\n]  # fmt: skip\n"
    assert list(house.behind_brackets(file("src/x.py", kept))) == []


def test_json_comes_in_by_one_door(house: ModuleType) -> None:
    for call in ("json.loads(x)", "msgspec.json.decode(x, type=A)", "msgspec.json.Decoder(A)"):
        (line,) = house.doors(file("src/assay/show/x.py", f"found = {call}\n"))
        assert "typed_json" in line
        assert list(house.doors(file("src/assay/record/formats/x.py", f"{call}\n"))) == []
    assert list(house.doors(file("src/assay/show/y.py", "msgspec.json.encode(x)\n"))) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("from assay.work import ExactWork, Place\n", "word findings, not ExactWork"),
        ("from assay.timed import FS, TimeChange\n", "word findings, not TimeChange"),
        ("x = found.evidence.work\n", "not evidence"),
        ("x = one.causes[:3]\n", "how many are told is judged"),
        ("x = one.causes[_MOST:]\n", "how many are told is judged"),
    ],
)
def test_sentences_of_why_judge_nothing(house: ModuleType, text: str, words: str) -> None:
    (line,) = house.wording(file("src/assay/show/words/why_x.py", text))
    assert words in line
    assert list(house.wording(file("src/assay/show/page/why_x.py", text))) == []
    fine = "from assay.work import Place\nx = told[:most]\n"
    assert list(house.wording(file("src/assay/show/words/why_y.py", fine))) == []


def test_others_may_print(house: ModuleType) -> None:
    assert list(house.silence(file("src/assay/cli/x.py", "print('x')\n"))) == []


def test_lengths(house: ModuleType) -> None:
    long = "def f() -> None:\n" + "    x = 1\n" * 60
    assert "f has 61 lines" in next(iter(house.function_lengths([file("src/a.py", long)])))
    assert list(house.too_long(file("src/b.py", "x = 1\n" * 401)))
    assert not list(house.too_long(file("src/b.py", "x = 1\n" * 400)))


def test_paths_of_one_machine(house: ModuleType) -> None:
    assert list(house.machine_paths(file("docs/a.md", "see /" + "work/x\n")))
    assert not list(house.machine_paths(file("docs/a.md", "see home/" + "work/x\n")))
