"""What passed clang-tidy is passed over only while all that decides is what it was."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT

LISTING = """\
a.o: #deps 2, deps mtime 1 (VALID)
    ../../native/a.cpp
    ../../native/a.hpp

b.o: #deps 1, deps mtime 1 (VALID)
    ../../native/b.cpp

"""


@pytest.fixture
def tidy(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))  # where the script's own parts are
    spec = importlib.util.spec_from_file_location("tidy", ROOT / "tools" / "tidy.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def key(tidy: ModuleType, root: Path, *, header: str = "int f();", **other: str) -> str:
    folder = root / "native"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.cpp").write_text("#include <a.hpp>")
    (folder / "a.hpp").write_text(header)
    tidy._content.cache_clear()
    command = other.get("command", f"clang++ -I{root} -c {root}/native/a.cpp")
    source = tidy.Source(folder / "a.cpp", command, (folder / "a.cpp", folder / "a.hpp"))
    return str(tidy.key_of(source, root, other.get("config", "Checks: all")))


def test_the_same_in_another_folder_is_the_same(tidy: ModuleType, tmp_path: Path) -> None:
    assert key(tidy, tmp_path / "one") == key(tidy, tmp_path / "another" / "place")


@pytest.mark.parametrize(
    "change", [{"header": "int g();"}, {"command": "clang++ -O0"}, {"config": "Checks: none"}]
)
def test_what_decides_is_in_the_key(
    tidy: ModuleType, tmp_path: Path, change: dict[str, str]
) -> None:
    assert key(tidy, tmp_path) != key(tidy, tmp_path, **change)


def test_headers_are_those_the_compiler_saw(tidy: ModuleType) -> None:
    build = Path("build/asan")
    made = tidy.dependencies_of(LISTING, build)
    assert made["a.o"] == (build / "../../native/a.cpp", build / "../../native/a.hpp")
    assert made["b.o"] == (build / "../../native/b.cpp",)


@pytest.fixture
def one_file(tidy: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one file, and a clang-tidy that each test writes itself."""
    source = tmp_path / "a.cpp"
    source.write_text("int main() {}")
    (tmp_path / ".clang-tidy").write_text("Checks: all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    known = tidy.Source(source, "clang++ -O1 -o a.o -c a.cpp", (source,))
    monkeypatch.setattr(tidy, "sources_of", lambda *_: iter([known]))
    monkeypatch.setattr(tidy, "_output", lambda *_: "version 14")
    return source


@pytest.mark.parametrize("findings", [0, 1])
def test_only_what_passed_is_remembered(
    tidy: ModuleType,
    one_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    findings: int,
) -> None:
    batches: list[tuple[Path, ...]] = []
    alone: list[Path] = []
    monkeypatch.setattr(
        tidy, "is_clean", lambda batch, *_: batches.append(batch.files) is None and findings == 0
    )
    monkeypatch.setattr(tidy, "tidied", lambda path, _: alone.append(path) is None and False)
    assert [tidy.main([]), tidy.main([])] == [findings, findings]
    assert batches == [(one_file,)] * (2 if findings else 1)
    assert alone == [one_file] * (2 if findings else 0)
    assert f"{findings} with findings" in capsys.readouterr().out


def test_a_finding_of_the_batch_alone_is_none(
    tidy: ModuleType, one_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "is_clean", lambda *_: False)
    monkeypatch.setattr(tidy, "tidied", lambda path, _: path == one_file)
    assert tidy.main([]) == 0


def test_all_reads_each_by_itself_again(
    tidy: ModuleType, one_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone: list[Path] = []
    monkeypatch.setattr(tidy, "tidied", lambda path, _: alone.append(path) is None)
    assert [tidy.main(["--all"]), tidy.main(["--all"])] == [0, 0]
    assert alone == [one_file, one_file]


def test_an_unknown_word_is_refused(tidy: ModuleType, one_file: Path) -> None:
    assert tidy.main(["--everything"]) == 2


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("native/judge/verdict.cpp", True),
        ("labs/index/tree.cpp", True),
        ("labs/index/tree_test.cpp", False),
        ("labs/index/tests/foreign_tree.cpp", False),
        ("tests/native/consumer.cpp", False),
        ("build/release/generated.cpp", False),
    ],
)
def test_tests_are_not_read_wherever_they_lie(
    tidy: ModuleType, tmp_path: Path, path: str, read: bool
) -> None:
    assert tidy.is_read(tmp_path / path, tmp_path) is read


def test_a_file_of_another_project_is_not_read(tidy: ModuleType, tmp_path: Path) -> None:
    assert not tidy.is_read(tmp_path / "theirs/a.cpp", tmp_path / "ours")
