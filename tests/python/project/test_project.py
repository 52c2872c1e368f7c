"""`assay.toml` is found, read whole, or refused with the place of what is wrong."""

from pathlib import Path

import pytest

from assay.errors import AssayError, InputError, UsageError
from assay.project.project import SMALLEST, find_project, needed_project, parse_project

WHOLE = """\
[build]
commands = ["make"]
environment = { CXXFLAGS = "-O2" }
timeout_s = 60
cache_gb = 0.5
[suites.main]
run = "build/bench --quick"
filter = "^parse"
margin = 0.01
metrics = ["real_time", "allocs"]
environment.THREADS = "2"
[suites."whole command"]
run = "cmd:./server --once"
[compare]
margin = 0.05
alpha = 0.01
budget_s = 60
rounds = 40
[history]
metrics = ["bytes"]
[host]
class = "ci-large"
[store]
path = "runs"
"""


def parsed(text: str, path: str = "assay.toml"):  # type: ignore[no-untyped-def]
    return parse_project(text, Path("/there") / path, path)


def test_everything_that_can_be_written() -> None:
    project = parsed(WHOLE)
    read = project.configuration
    assert read.build.commands == ("make",)
    assert (read.build.timeout_s, read.build.cache_gb) == (60.0, 0.5)
    assert read.suites["main"].environment == {"THREADS": "2"}
    assert read.suites["main"].metrics == ("real_time", "allocs")
    assert (read.compare.alpha, read.compare.rounds, read.history.metrics) == (0.01, 40, ("bytes",))
    assert read.host.class_ == "ci-large"
    assert project.store == Path("/there/runs")


def test_the_smallest_file_is_enough() -> None:
    project = parsed(SMALLEST)
    assert project.suite(None)[1].run == "build/bench"
    assert project.build.commands == ("cmake -S . -B build", "cmake --build build")
    assert project.store == Path("/there/.assay")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[build]\ncomands = ["a"]', "t:2:1: unknown key `comands`; did you mean `commands`?"),
        ("[biuld]\n", "t:1:2: unknown key `biuld`; did you mean `build`?"),
        ("zzz = 1", "t:1:1: unknown key `zzz`; known here: build, suites, compare, history, "),
        ('[build]\ncommands = "a"', "t:2:1: `build.commands`: expected a list, got text"),
        (
            '[build]\ncommands = [\n "a",\n 3]',
            "t:4:2: `build.commands[1]`: expected text, got a whole number",
        ),
        ("[build]\ncommands = []", "t:2:1: `build.commands`: expected a list of length >= 1"),
        ("[build]\ntimeout_s = 1", "t:1:2: [build] lacks the key `commands`"),
        ('[suites."a b"]\nrum = 1', "t:2:1: unknown key `rum`; did you mean `run`?"),
        ('[suites."a b"]\n', 't:1:9: [suites."a b"] lacks the key `run`'),
        ("suites.a = { run = 3 }", "t:1:14: `suites.a.run`: expected text, got a whole number"),
        ("[compare]\nmargin = 2", "t:2:1: `compare.margin`: expected a number < 1.0"),
        ("[compare]\nalpha = true", "t:2:1: `compare.alpha`: expected a number, got true or"),
        ("a = \n", "t:1:5: is not TOML: Invalid value"),
        ('a = """', "t:1:"),
        ('suites.a.run = "../b"', "t:1:10: `run` leads out of the checkout"),
        ('suites.a.run = "/bin/b"', "t:1:10: `run` leads out of the checkout"),
        ('suites.a.run = "b \'"', "t:1:10: `run` cannot be split into words"),
        ('suites.a.run = "cmd: "', "t:1:10: `run` is empty"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as failed:
        parsed(text, "t")
    assert failed.value.message.startswith(message)


def test_a_file_is_looked_for_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    repository = tmp_path / "a folder" / "repository"
    deep = repository / "src" / "deep"
    deep.mkdir(parents=True)
    (repository.parent / "assay.toml").write_text(SMALLEST)
    assert needed_project(deep).folder == repository.parent
    (repository / ".git").mkdir()
    assert find_project(deep) is None
    (repository / "assay.toml").write_text(SMALLEST)
    assert needed_project(deep).folder == repository
    (repository / "src" / "assay.toml").write_text(SMALLEST)
    assert needed_project(deep).folder == repository / "src"


def test_without_a_file_the_message_says_what_to_write(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with pytest.raises(InputError) as failed:
        needed_project(tmp_path)
    for line in SMALLEST.splitlines():
        assert line in failed.value.message


def test_the_suite_that_is_meant() -> None:
    project = parsed(WHOLE)
    with pytest.raises(UsageError, match=r"several suites: main, whole command; .*--suite"):
        project.suite(None)
    assert project.suite("main")[1].filter == "^parse"
    with pytest.raises(UsageError, match=r"--suite mian: no such suite; did you mean `main`\?"):
        project.suite("mian")
    with pytest.raises(InputError, match="names no suite"):
        parsed("").suite(None)
    with pytest.raises(InputError, match="does not say how to build"):
        _ = parsed("").build


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "assay.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(AssayError, match="cannot be read"):
        find_project(tmp_path)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("[" * 5_000, "is nested too deeply"),
        ("9" * 5_000, "holds a number of more than 4,300 digits"),
    ],
    ids=["deep", "long"],
)
def test_what_the_reader_of_toml_cannot_take_is_told(value: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        parsed(f"[build]\ncommands = {value}\n")


def test_a_file_is_utf8_whatever_the_locale_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "assay.toml").write_bytes('[host]\nclass = "Bär"\n'.encode())
    monkeypatch.setattr("io.text_encoding", lambda encoding, *_: encoding or "latin-1")
    project = find_project(tmp_path)
    assert project is not None
    assert project.configuration.host.class_ == "Bär"
