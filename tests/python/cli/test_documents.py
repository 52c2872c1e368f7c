"""Every command that a document shows is run as shown, with less to measure, or told why not.

A command that is in no table of `tests/support/shown.py` fails, and so does an entry for a command
that no document has. So does a block that is neither commands nor known to be something else.
"""

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
import readme_commands
from conftest import DATA, ROOT
from documents import Block, blocks, commands, documents, spans
from patience import PATIENCE_S
from shown import ELSEWHERE, NOT_RUN, RUNS, Run

from assay.project.project import read_project
from assay.project.toml_file import parse_toml
from assay.workflows.index_lab import plan as sweep
from assay.workflows.overhead import plan as overhead

SCRIPTS = Path(sysconfig.get_path("scripts"))
OUTPUT, CODE, PROJECT, PLAN, SWEEP = "output", "code", "assay.toml", "plan", "sweep"
# Blocks that are no commands: how the first line begins, and what they are.
OTHERS: dict[str, dict[str, str]] = {
    "README.md": {"Of 16 benchmarks": OUTPUT, "#include <assay/assay.hpp>": CODE},
    "docs/architecture.md": {"   native/": OUTPUT},
    "docs/decisions/0033-change-points.md": {"after runs:": OUTPUT},
    "docs/decisions/0034-bisection.md": {
        "histories   ": OUTPUT,
        "nothing more   ": OUTPUT,
        "assay                        right": OUTPUT,
    },
    "docs/field.md": {"slower:  -(100": OUTPUT},
    "docs/guides/counters-on-a-vm.md": {"cycles is not available": OUTPUT},
    "docs/guides/counting-allocations.md": {"library_set_malloc": CODE},
    "docs/guides/ctest-and-ci.md": {
        "assay_add_benchmark(NAME": CODE,
        "assay_add_comparison(release": CODE,
    },
    "docs/guides/first-benchmark.md": {"-----": OUTPUT},
    "docs/guides/history.md": {"[build]": PROJECT},
    "docs/guides/import.md": {"error: new.json": OUTPUT},
    "docs/guides/index-lab.md": {"plugins = ": SWEEP},
    "docs/guides/revisions.md": {
        "[build]": PROJECT,
        "building git:v1.8.0": OUTPUT,
        "Of 1 benchmark": OUTPUT,
        "[suites.parser]": PROJECT,
        "the build of git:main": OUTPUT,
    },
    "docs/guides/shared-history.md": {"[store]": PROJECT},
    "docs/placement.md": {"benchmark   ": OUTPUT},
    "docs/guides/trust.md": {"None of 40 verdicts": OUTPUT},
    "docs/guides/what-does-my-tracer-cost.md": {"target = ": PLAN},
    "docs/guides/why.md": {"#   code:": OUTPUT, "  memory:": OUTPUT, "BM_log: 2.6 times": OUTPUT},
    "docs/tutorial/first-comparison.md": {"Of 2 benchmarks 2 are": OUTPUT},
    "docs/reference/overhead-plan.md": {"target = ": PLAN},
}
# What is done before the first command of a document: the folder, and the line.
ONE_RUN = "assay run git:v1.1 --rounds 2 --budget 2 -q"
BEFORE = {
    "docs/guides/history.md": [
        ("words", ONE_RUN),
        ("words", ONE_RUN.replace("v1.1", "v1.0")),
        ("words", ONE_RUN),
    ],
    "docs/guides/index-lab.md": [(".", "assay index --sweep two.toml -o sweep.json --quiet")],
    "docs/guides/reports.md": [
        (".", "assay compare old/bench new/bench --filter hash_std --rounds 9 -q -o record.json")
    ],
    "docs/guides/pages.md": [("words", ONE_RUN)],
    "docs/guides/revisions.md": [("words", ONE_RUN)],
    "docs/guides/shared-history.md": [("words", f"rm -rf .assay && {ONE_RUN}")],
}
TUTORIAL = "docs/tutorial/first-comparison.md"
RUN_BY_TEST_TUTORIAL = re.compile(r"^    (\.venv/bin/assay \w+ .*)$", re.MULTILINE)
CALL = re.compile(r"(?:[A-Z_]+=\S+ )?(?:\.venv/bin/)?assay (\w+)(?: |$)")
PROGRAMS = ("index", "os", "suite")  # verbs that hand their options to a program
WRITTEN = re.compile(r"(?: -o| --\w+|>) ([\w-]+\.(?:html|json|md|out|png|so|svg|xml))\b")
BENCH = re.compile(r"\./dev bench ((?:\w+ ?)+)")
MODULE = re.compile(r"python -m benchmarks\.(\w+)((?: --\w+)?)")


def test_every_block_is_known() -> None:
    assert len(documents()) > 60
    unknown = [
        f"{document}:{block.line}: {block.first}"
        for document in documents()
        for block in blocks(document)
        if not block.quoted and not is_commands(block) and not kind_of(block)
    ]
    assert unknown == []


def is_commands(block: Block) -> bool:
    """Whether its first line is a command that is in a table."""
    return next(commands(block), "") in known(block.document)


def known(document: str) -> set[str]:
    """What is done with is known, of this document."""
    tables = (RUNS, ELSEWHERE, NOT_RUN)
    found = {command for table in tables for command in table.get(document, {})}
    if document == "README.md":
        found |= set(readme_commands.RUNS)
    if document == TUTORIAL:
        found |= set(RUN_BY_TEST_TUTORIAL.findall((ROOT / document).read_text()))
    return found


def kind_of(block: Block) -> str:
    """What a block is that is no commands; nothing: nobody said."""
    kinds = OTHERS.get(block.document, {})
    return next((kind for first, kind in kinds.items() if block.first.startswith(first)), "")


def test_every_command_is_in_a_table_and_every_entry_is_shown() -> None:
    for document in documents():
        shown = {
            command
            for block in blocks(document)
            if not block.quoted and not kind_of(block)
            for command in commands(block)
        }
        assert shown == known(document), document


def test_no_table_names_a_document_that_is_gone() -> None:
    for table in (RUNS, ELSEWHERE, NOT_RUN, OTHERS):
        assert set(table) <= set(documents())


def test_what_is_run_elsewhere_is_there() -> None:
    for found in ELSEWHERE.values():
        for command, elsewhere in found.items():
            assert elsewhere.text in (ROOT / elsewhere.file).read_text(), command


def test_every_reason_is_one() -> None:
    reasons = [reason for found in NOT_RUN.values() for reason in found.values()]
    assert len(reasons) > 10
    assert all(len(reason.split()) > 3 for reason in reasons)


def test_benches_that_documents_name_exist() -> None:
    for document in documents():
        typed = [command for block in blocks(document) for command in commands(block)]
        assert wrong_benches([*spans(document), *typed]) == [], document


def options_of_verbs() -> dict[str, str]:
    """Verb -> the section of the reference that has its options."""
    folder = ROOT / "docs" / "reference"
    parts = re.split(r"^## `?assay (\w+).*$", (folder / "commands.md").read_text(), flags=re.M)
    found = dict(zip(parts[1::2], parts[2::2], strict=True))
    programs = (folder / "programs.md").read_text() + (folder / "os-cases.md").read_text()
    return {verb: text + (programs if verb in PROGRAMS else "") for verb, text in found.items()}


def wrong_calls(texts: list[str]) -> list[str]:
    """Those that call a verb, or give it an option, that the reference does not have."""
    options = options_of_verbs()
    wrong = []
    for text in texts:
        if not (call := CALL.match(text)):
            continue
        given = re.findall(r"(?<= )--[a-z][\w-]*", re.sub(r'"[^"]*"', "", text))
        known_here = options.get(call[1])
        if known_here is None or any(one not in known_here and one != "--help" for one in given):
            wrong.append(text)
    return wrong


def test_verbs_and_options_that_the_text_names_exist() -> None:
    called = 0
    for document in documents():
        found = spans(document)
        called += sum(bool(CALL.match(text)) for text in found)
        assert wrong_calls(found) == [], document
    assert called > 50


@pytest.mark.parametrize("text", ["assay compair a b", "assay compare a b --marign 2%"])
def test_a_call_that_cannot_be_made_is_seen(text: str) -> None:
    assert wrong_calls([text]) == [text]


def wrong_benches(texts: list[str]) -> list[str]:
    """Those that call a bench that is not there, or with an option it has not."""
    listed = re.findall(r'^    "(\w+)": "', (ROOT / "benchmarks" / "__main__.py").read_text(), re.M)
    assert len(listed) > 20
    wrong = []
    for text in texts:
        if found := BENCH.match(text):
            if not set(found[1].split()) <= set(listed) or found.end() != len(text):
                wrong.append(text)
        elif found := MODULE.match(text):
            module = ROOT / "benchmarks" / f"{found[1]}.py"
            if not module.exists() or found[2].strip() not in module.read_text():
                wrong.append(text)
    return wrong


@pytest.mark.parametrize(
    "text",
    [
        "./dev bench why_nothing",
        "./dev bench why_resources --same 3",
        "python -m benchmarks.why_nothing",
        "python -m benchmarks.why_resources --nosuch 3",
    ],
)
def test_a_bench_that_is_not_there_is_seen(text: str) -> None:
    assert wrong_benches([text]) == [text]


def test_what_is_shown_of_configurations_can_be_read(tmp_path: Path) -> None:
    kinds = []
    for document in documents():
        for block in blocks(document):
            kinds.append(kind_of(block))
            read_configuration("\n".join(block.lines), kinds[-1], tmp_path / "assay.toml")
    assert kinds.count(PROJECT) >= 3
    assert kinds.count(PLAN) >= 2
    assert kinds.count(SWEEP) >= 1


def read_configuration(text: str, kind: str, file: Path) -> None:
    """As the program reads it. Raises `InputError`."""
    if kind == PROJECT:
        file.write_text(text)
        read_project(file)
    elif kind == PLAN:
        parse_toml(text, "here", overhead._File, hint="")
    elif kind == SWEEP:
        parse_toml(text, "here", sweep._PlanFile, hint="")


@pytest.fixture
def place(tmp_path: Path, native: Callable[[str], Path]) -> Path:
    """A folder in which everything lies that the commands of a guide name."""
    here = readme_commands.made_place(tmp_path, native)
    for folder in ("base", "candidate"):
        (here / folder).mkdir()
        (here / folder / "bench").symlink_to(native("plain_benchmark"))
    for folder in ("base", "new"):
        (here / folder / "assay-os-bench").symlink_to(native("assay-os-bench"))
    libexec = native("copy_element_naive").parent
    for name in ("copy_element_naive", "copy_element_reserved"):
        (here / f"{name}.link").symlink_to(libexec / name)
    (here / "someone_elses_bench").symlink_to(native("plain_benchmark"))
    (here / "libexec").symlink_to(libexec.parent)
    (here / "big.txt").write_text("b\na\n" * 1000)
    for name, data in (("base", "test3_run0"), ("candidate", "test3_run1")):
        shutil.copy(DATA / "gbench" / f"{data}.json", here / f"{name}.json")
    for path in (DATA / "libmicro").iterdir():
        shutil.copy(path, here)
    shutil.rmtree(here / ".venv", ignore_errors=True)
    (here / ".venv").symlink_to(SCRIPTS.parent)
    (here / "build" / "release").symlink_to(libexec.parent.parent)
    plan = (here / "sweep.toml").read_text()
    (here / "two.toml").write_text(plan.replace('["stlmap"]', '["stlmap", "absl_btree"]'))
    project(here)
    words(here / "words", here / "old.json")
    return here


def project(here: Path) -> None:
    """The example of a CMake project, to be built here, and judged in seconds."""
    folder = here / "project"
    shutil.copytree(ROOT / "examples" / "03_cmake_project", folder)
    (folder / ".venv").symlink_to(here / ".venv")
    (folder / "assay.toml").write_text("[compare]\nbudget_s = 2\n")


def words(folder: Path, results: Path) -> None:
    """The repository of the history guide: built, a run kept, and results of another tool."""
    (folder / "ci" / "results").mkdir(parents=True)
    shutil.copy(results, folder / "ci" / "results" / "1.json")
    for line in ("cmake -S . -B build", "cmake --build build"):
        subprocess.run(line.split(), cwd=folder, check=True, capture_output=True)


@pytest.mark.slow
@pytest.mark.parametrize("document", sorted(RUNS))
def test_its_commands_run_as_shown(document: str, place: Path) -> None:
    typed = [command for block in blocks(document) for command in commands(block)]
    before = [(line, Run(within=folder)) for folder, line in BEFORE.get(document, [])]
    for command, run in (*before, *wanted(document, typed)):
        line = run.line(command)
        done = typed_in(place, line, run.within)
        told = f"{line}\n{done.stdout}{done.stderr}"
        assert done.returncode in run.codes, told
        assert run.says in told.removeprefix(line), told
        assert "Traceback" not in told
        for name in WRITTEN.findall(line):
            assert (place / run.within / name).stat().st_size > 0, told


def wanted(document: str, typed: list[str]) -> list[tuple[str, Run]]:
    """Those to be run, in the order in which the document has them, each once."""
    runs = RUNS[document]
    return [(command, runs[command]) for command in dict.fromkeys(typed) if command in runs]


def typed_in(place: Path, line: str, within: str) -> "subprocess.CompletedProcess[str]":
    libexec = place / "libexec" / "assay"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=place / within,
        env={
            **os.environ,
            "PATH": f"{SCRIPTS}:{libexec}:{libexec / 'suites'}:{os.environ['PATH']}",
            "BENCHMARK_MIN_TIME": "0.01",
            "XDG_CACHE_HOME": str(place / "cache"),
            "XDG_STATE_HOME": str(place / "state"),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
