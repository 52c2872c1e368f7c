"""Every place that opens a file to read it goes through `assay.small_files`, or says here why not.

A file below a store, a cache or a project may be a pipe or hold gigabytes. Each reader used to
open files by itself, and each such place was found by somebody who waited.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "src" / "assay"

KERNEL = "a file of the kernel, of some lines"
PROGRAM = "a program or library that is built or measured here: it is run, whatever it holds"
TOOL = "what a tool that we started wrote into a scratch folder of ours, for this measurement"
OURS = "a file that this process is writing"
ALLOWED: dict[str, dict[str, str]] = {
    "the door itself": {"small_files.py": "read_results open_regular"},
    KERNEL: {
        "cli/outermost.py": "_peak_of_address_space",
        "measure/conditions/background.py": "_descendants",
        "measure/conditions/proof.py": "_text_to_count_in",
        "measure/conditions/undo.py": "read_setting processes_with_mark",
        "measure/conditions/undo_journal.py": "boot_id",
        "measure/machine_lock.py": "_holder_in_words _processes_holding_lock _parent_process",
        "measure/host/facts.py": "stripped_text_of_file",
        "measure/host/load.py": "read_cpu_times",
        "measure/profile/sampled/perf.py": "_reason_event_is_unusable",
        "revisions/commands.py": "_marked_processes",
        "revisions/recipe.py": "_processor",
    },
    PROGRAM: {
        "measure/profile/program/binary.py": "__init__",
        "measure/profile/program/built_with.py": "_flags",
        "measure/profile/program/own_code.py": "names_in_file",
        "measure/profile/program/segments.py": "of_file",
        "revisions/elf.py": "functions",
        "revisions/identity.py": "_content",
        "revisions/placements.py": "_digest",
        "revisions/relink.py": "_loaded_libraries",
        "revisions/relink_go.py": "is_go",
        "workflows/common/placement.py": "_functions_of_archive",
        "workflows/why/targets.py": "_is_elf",
    },
    TOOL: {
        "measure/conditions/background.py": "output",
        "measure/delay.py": "_read_delay_report",
        "measure/profile/exact/callgrind.py": "_read",
        "measure/profile/exact/instructions.py": "_total _check",
        "measure/profile/exact/loop_files.py": "_beginning_of_file",
        "measure/profile/exact/whole_process.py": "_counted",
        "measure/profile/identity/trace.py": "_end_of_log _part _opened",
        "measure/profile/sampled/stretches.py": "read",
        "measure/profile/traced/loops.py": "run",
        "measure/profile/traced/strace.py": "run",
        "measure/targets/gbench.py": "_parsed_record",
        "measure/targets/preload.py": "run",
        "revisions/commands.py": "_last_lines",
    },
    OURS: {"record/journal.py": "content journal_holds_record"},
    "a standard stream, or /dev/null": {"cli/common/streams.py": "open_streams"},
    "the first kilobytes of what the user named, who may name a pipe": {
        "record/reader.py": "is_known"
    },
    "a response file, in a compiler's place: it reads what the compiler would": {
        "revisions/link_recorder.py": "_expanded_words"
    },
    "a file of this package": {
        "show/page/frame.py": "_read",
        "web/judged_page.py": "version_of_pages",
    },
    "locked alone, and looked at before it is believed": {
        "measure/conditions/undo_journal.py": "_lock_abandoned_file"
    },
    "a lock, of which nothing is read": {"record/store/packs.py": "locked"},
    "to hold a folder, not to read it": {
        "files.py": "sync_folder",
        "measure/machine_lock.py": "_descriptor_of_lock",
        "measure/launch_server.py": "_folder_descriptor",
        "scratch.py": "_locked_descriptor",
    },
}


def _functions(tree: ast.AST, name: str = "") -> Iterator[tuple[str, ast.Call]]:
    """Every call, with the function that it stands in."""
    for node in ast.iter_child_nodes(tree):
        inside = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else name
        if isinstance(node, ast.Call):
            yield inside, node
        yield from _functions(node, inside)


def _reads(call: ast.Call) -> bool:
    """Whether a call reads a file, or opens one other than for writing."""
    called = ast.unparse(call.func)
    written = ast.unparse(call)
    if called.endswith((".read_bytes", ".read_text")) or called == "json.load":
        return True
    if called == "os.open":
        return "O_WRONLY" not in written and "O_CREAT" not in written
    if called == "open" or called.endswith(".open"):
        modes = [one.value for one in call.args if isinstance(one, ast.Constant)]
        return not any(set(mode) & set("wax+") for mode in modes if isinstance(mode, str))
    return False


def _of_revisions(call: ast.Call) -> bool:
    """`Repository.open` and `looks.open(benchmark)` open no file."""
    return ast.unparse(call.func) in ("Repository.open", "self.open")


def _found() -> set[tuple[str, str]]:
    return {
        (path.relative_to(ROOT).as_posix(), function)
        for path in ROOT.rglob("*.py")
        for function, call in _functions(ast.parse(path.read_text()))
        if _reads(call) and not _of_revisions(call)
    }


def _allowed() -> set[tuple[str, str]]:
    return {
        (path, function)
        for places in ALLOWED.values()
        for path, functions in places.items()
        for function in functions.split()
    }


def test_nobody_reads_a_file_beside_the_door() -> None:
    hint = "read it with assay.small_files, which says how large it may be and waits for no pipe"
    assert sorted(_found() - _allowed()) == [], hint


def test_the_list_of_those_who_may_is_as_short_as_it_can_be() -> None:
    assert sorted(_allowed() - _found()) == []


def test_the_search_sees_what_it_is_for() -> None:
    lines = {
        "path.read_bytes()": True,
        "Path('x').read_text()": True,
        "json.load(file)": True,
        "path.open()": True,
        "path.open('rb')": True,
        "open(path)": True,
        "os.open(path, os.O_RDONLY)": True,
        "path.open('r+b')": False,
        "path.open('wb')": False,
        "read_small(path, 1)": False,
    }
    for line, is_one in lines.items():
        ((_, call), *_) = _functions(ast.parse(line))
        assert _reads(call) == is_one, line
