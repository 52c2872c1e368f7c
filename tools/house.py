"""The house rules a formatter cannot know: which room may use which, lengths, and words.

    python tools/house.py

Prints one line for each broken rule and exits with 1; else says how many files it read.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import header_examples
import native_arrows
import python_arrows
import sentences
import value_classes
import vocabulary

LONGEST_FUNCTION, USUAL_FUNCTION, USUAL_SHARE, LONGEST_FILE = 60, 25, 0.90, 400

SILENT = ("measure", "record", "judge")  # Python rooms (packages) that may not print or exit

JSON_DOORS = ("src/assay/typed_json.py", "src/assay/record/reader.py", "src/assay/record/formats/")
JSON_DECODING = r"json\.loads?|(msgspec\.)?json\.(decode|Decoder)"

# The sentences of `assay why` word findings. Of what these are made they may know places, marks
# and the unit of time: not amounts, to judge by.
WORDING = "src/assay/show/words/why_"
EVIDENCE = ("explained", "machine_code", "resources", "timed", "work")
NO_EVIDENCE = {"Place", "FS", "OTHERS", "WAITING", "Unanswered"}

BEHIND_BRACKET = re.compile(r"\s*[\])}]+[,:]?\s+#(?! fmt: skip$)")

MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|farm)/")


def main() -> int:
    """Check every tracked file; returns the exit code."""
    paths = [Path(line) for line in _git_files() if Path(line).is_file()]
    python = [path for path in paths if path.suffix == ".py"]
    modules = python_arrows.modules(Path("src"))
    sources = native_arrows.sources(Path("native"), Path("labs"))
    public = native_arrows.public_headers(Path("cmake/AssayInstall.cmake"))
    headers = header_examples.headers(sources, public)
    examples = header_examples.compiled(Path("tests/native/header_examples"))
    retired = vocabulary.retired_words(Path("docs/glossary.md"))
    broken = [
        *python_arrows.broken_arrows(modules),
        *(line for path in python for line in silence(path)),
        *(line for path in python for line in doors(path)),
        *(line for path in python for line in wording(path)),
        *(line for path in python for line in value_classes.other_values(path)),
        *(line for path in python for line in value_classes.undeclared_fields(path)),
        *(line for path in python for line in behind_brackets(path)),
        *native_arrows.broken_includes(sources),
        *native_arrows.system_calls_elsewhere(sources),
        *native_arrows.not_closed(public, sources),
        *header_examples.lost(headers, examples),
        *(line for path in paths for line in too_long(path)),
        *function_lengths([path for path in python if path.parts[0] == "src"]),
        *sentences.read_sentences(path for path in python if path.parts[:2] == ("src", "assay")),
        *(line for path in paths for line in machine_paths(path)),
        *(line for path in paths for line in vocabulary.used_again(path, retired)),
        *vocabulary.shared_class_names(path for path in python if path.parts[0] == "src"),
        *vocabulary.stale_examples(path for path in python if path.parts[0] == "src"),
    ]
    for line in broken:
        print(line)
    if not python or not sources or not public or not headers:
        print("house rules: found no Python or no native sources to check")
        return 1
    print(f"house rules: {len(paths)} files read, {len(broken)} rules broken")
    return 1 if broken else 0


def silence(path: Path) -> Iterator[str]:
    """Calls of functions that the file's room may not call."""
    room = _room(path)
    if room not in SILENT:
        return
    for call in (
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)
    ):
        if _calls(call, {"print", "exit"}):
            yield f"{path}:{call.lineno}: {room} may not print or exit"
        if room == python_arrows.PURE and _calls(call, {"open"}):
            yield f"{path}:{call.lineno}: judge is pure: no files"


def doors(path: Path) -> Iterator[str]:
    """JSON decoded elsewhere than in the places meant for it, which know how to report errors."""
    if path.parts[:2] != ("src", "assay") or path.as_posix().startswith(JSON_DOORS):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and re.fullmatch(JSON_DECODING, ast.unparse(node.func)):
            yield f"{path}:{node.lineno}: JSON is decoded by `assay.typed_json` alone"


def wording(path: Path) -> Iterator[str]:
    """Evidence within sentences of `assay why`, and lists that they cut: that is judged before.

    A comparison with a number may be one of form, as how many digits are written. But without
    evidence and cuts there is nothing left out that `judge/attribution/findings.py` gave.
    """
    if not path.as_posix().startswith(WORDING):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module in {f"assay.{one}" for one in EVIDENCE}:
            for name in sorted({alias.name for alias in node.names} - NO_EVIDENCE):
                yield f"{path}:{node.lineno}: sentences of why word findings, not {name}"
        if isinstance(node, ast.Attribute) and node.attr == "evidence":
            yield f"{path}:{node.lineno}: sentences of why word findings, not evidence"
        if isinstance(node, ast.Slice) and any(map(_is_fixed, (node.lower, node.upper))):
            yield f"{path}:{node.lineno}: how many are told is judged, and not worded"


def behind_brackets(path: Path) -> Iterator[str]:
    """Comments behind a bracket that stands alone: nobody sees what they are about."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if BEHIND_BRACKET.match(line):
            yield f"{path}:{number}: a comment stands above what it is about, not behind its end"


def too_long(path: Path) -> Iterator[str]:
    """Source files that are too long."""
    if path.suffix not in (".py", ".hpp", ".cpp", ".h", ".sh"):
        return
    lines = path.read_text().count("\n")
    if lines > LONGEST_FILE:
        yield f"{path}: {lines} lines, at most {LONGEST_FILE}"


def function_lengths(paths: list[Path]) -> Iterator[str]:
    """Functions over 60 lines; or a message if fewer than nine in ten have at most 25."""
    lengths = []
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                lengths.append(lines)
                if lines > LONGEST_FUNCTION:
                    yield f"{path}:{node.lineno}: {node.name} has {lines} lines"
    usual = sum(lines <= USUAL_FUNCTION for lines in lengths)
    if lengths and usual < USUAL_SHARE * len(lengths):
        yield f"src: only {usual} of {len(lengths)} functions have {USUAL_FUNCTION} lines or fewer"


def machine_paths(path: Path) -> Iterator[str]:
    """Paths that exist on one machine only."""
    if path.suffix in (".png", ".svg", ".gz") or path == Path("tools/house.py"):
        return
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if MACHINE_PATH.search(line):
            yield f"{path}:{number}: a path of one machine"


def _git_files() -> list[str]:
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def _is_fixed(bound: ast.expr | None) -> bool:
    """Whether a bound of a slice is a number or a constant of the module."""
    is_number = isinstance(bound, ast.Constant) and isinstance(bound.value, int)
    return is_number or (isinstance(bound, ast.Name) and bound.id.isupper())


def _room(path: Path) -> str | None:
    parts = path.parts
    if parts[:2] != ("src", "assay") or len(parts) < 4:
        return None
    return parts[2]


def _calls(call: ast.Call, names: set[str]) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in names


if __name__ == "__main__":
    sys.exit(main())
