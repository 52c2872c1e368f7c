"""No logic reads a sentence: where code compares, searches or cuts a text that has words in it.

    list(read_sentences([Path("src/assay/judge/x.py")]))
    ["src/assay/judge/x.py:3: reads the words 'not judged'"]

What has a title, such as a column of a table, is told apart by a key, never by that title.

Whoever words a sentence better must not change a verdict. So what code has to tell apart is an enum
or a value, worded in `src/assay/show/words`. What other programs print can only be read as it is:
`EXCEPTIONS` says where, and why.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_CUTS = {
    *("startswith", "endswith", "removeprefix", "removesuffix", "index", "find", "rfind", "get"),
    *("partition", "rpartition", "split", "rsplit"),
}
_PATTERNS = {"compile", "match", "search", "fullmatch", "findall", "finditer", "split", "sub"}
_COMPARED = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
# What holds the words at the head of a table: code that compares or looks up these reads words.
_TITLES = {"title", "titles", "heading", "headings"}
_COLON = ": "  # cutting a text there takes a sentence apart, too

Constants = Mapping[str, tuple[str, ...]]  # the texts in constants, by their names


class Permitted(NamedTuple):
    """Texts that may be read in a file, or in the files of a folder, and why."""

    where: str
    why: str
    texts: tuple[str, ...] = ("",)  # how those texts begin


class Reading(NamedTuple):
    """A text with words in it that code reads."""

    line: int
    text: str


_IN = "src/assay/"
_CODE = "machine code, as it is disassembled"
_NAMES = "C++ names, as they are demangled"
_ERROR = "the mark before what a program complains of on standard error"
_GIT = "what git prints"
_SYNTAX = "the syntax of a language, no words"
EXCEPTIONS: tuple[Permitted, ...] = (
    Permitted(f"{_IN}record/formats/", "files of other tools"),
    Permitted(f"{_IN}measure/targets/engine_log.py", "what Google Benchmark logs"),
    Permitted(f"{_IN}measure/targets/libraries.py", "what glibc's loader prints"),
    Permitted(f"{_IN}measure/profile/exact/callgrind_file.py", "callgrind's files"),
    Permitted(f"{_IN}measure/profile/exact/loop_files.py", "what valgrind logs"),
    Permitted(f"{_IN}measure/profile/exact/under_valgrind.py", "what valgrind logs"),
    Permitted(
        f"{_IN}measure/profile/identity/trace.py", "what valgrind logs", ("debuginfo reader:",)
    ),
    Permitted(f"{_IN}measure/profile/identity/effects.py", _CODE, ("(?:bnd |notrack )?",)),
    Permitted(f"{_IN}measure/profile/identity/effects.py", _NAMES, ("(?:malloc|calloc|",)),
    Permitted(f"{_IN}measure/profile/identity/normal_form.py", _CODE),
    Permitted(f"{_IN}measure/profile/identity/relative_tables.py", _CODE),
    Permitted(f"{_IN}measure/profile/identity/footprint.py", _CODE, ("(?:bnd |notrack |rep ",)),
    Permitted(
        f"{_IN}measure/profile/identity/footprint.py",
        "a mark in what is digested: whoever writes and reads it has it from one constant",
        ("not executed",),
    ),
    Permitted(f"{_IN}measure/profile/program/disassembly.py", _CODE),
    Permitted(f"{_IN}measure/profile/program/frames.py", "what addr2line prints"),
    Permitted(f"{_IN}measure/profile/program/own_code.py", _NAMES),
    Permitted(f"{_IN}measure/profile/sampled/perf_text.py", "what perf prints"),
    Permitted(f"{_IN}measure/profile/traced/strace_file.py", "what strace prints"),
    Permitted(f"{_IN}judge/attribution/code_matching.py", _CODE, ("(?<=[+-] )",)),
    Permitted(
        f"{_IN}judge/attribution/dear_instructions.py",
        _CODE,
        ("lock |xchg", "i?div |", r"v?mov\w* ", r"[a-z]\w* .*?"),
    ),
    Permitted(f"{_IN}judge/attribution/matching.py", _NAMES, ("(anonymous namespace)",)),
    Permitted(f"{_IN}project/guess.py", _SYNTAX, ("^func Benchmark", "def test_")),
    Permitted(f"{_IN}project/toml_file.py", "msgspec's and tomllib's messages", (" ",)),
    Permitted(f"{_IN}project/toml_positions.py", _SYNTAX),
    Permitted(f"{_IN}record/store/remotes/git_mirror.py", _GIT, ("cannot lock ref", "stale info")),
    Permitted(f"{_IN}record/store/remotes/git_process.py", _GIT, (r":\s+\d+% ", "fatal: ")),
    Permitted(f"{_IN}revisions/git.py", _GIT, ("fatal: ",)),
    Permitted(f"{_IN}revisions/repository.py", _GIT, ("not a git repository",)),
    Permitted(f"{_IN}revisions/drivers.py", "what compilers print", ("Free Software",)),
    Permitted(f"{_IN}revisions/recipe.py", "a key of /proc/cpuinfo", ("model name",)),
    Permitted(
        f"{_IN}cli/outermost.py",
        "Python's messages, of errors that have no type of their own",
        ("timestamp too large", "can't start new thread"),
    ),
    Permitted(f"{_IN}cli/os_lab.py", _ERROR, ("error: ",)),
    Permitted(f"{_IN}web/work.py", _ERROR, ("error: ",)),
    Permitted(f"{_IN}workflows/index_lab/sweep.py", _ERROR, ("error: ",)),
    Permitted(f"{_IN}workflows/os_lab/lab.py", _ERROR, ("error: ",)),
    Permitted(
        f"{_IN}os_lab.py", "the mark before what a host lacks, in files of assay-os", ("skip",)
    ),
    Permitted(f"{_IN}workflows/store.py", "the target of a record of all cases", ("assay os all",)),
    Permitted(f"{_IN}web/guard.py", "a word of HTTP", ("Bearer ",)),
    Permitted(f"{_IN}show/charts/picture.py", "what draws charts writes into SVG, and a font"),
    Permitted(f"{_IN}show/page/flame.py", _NAMES, ("operator(",)),
    Permitted(f"{_IN}show/page/history.py", "an attribute of SVG", (" style=",)),
    Permitted(f"{_IN}show/page/overhead_parts.py", "where a line shall not break", (" (?=%)",)),
    Permitted(f"{_IN}show/words/symbol.py", _NAMES),
    Permitted(f"{_IN}show/words/why_code.py", "how GCC names itself", ("^GCC: ",)),
    Permitted(f"{_IN}show/words/why_first.py", _NAMES, ("(?:.*::)?",)),
    Permitted(f"{_IN}findings.py", _NAMES, ("(operator new|",)),
    Permitted(
        f"{_IN}judge/attribution/resource_findings.py",
        "the names of gauges, in answers that are kept",
        ("ns in ",),
    ),
    Permitted(
        f"{_IN}show/words/failed_launches.py",
        "records have how a launch failed as text, which begins with its subject",
        ("it ",),
    ),
)


def read_sentences(
    paths: Iterable[Path], exceptions: Sequence[Permitted] = EXCEPTIONS
) -> Iterator[str]:
    """One message for each text that is read and that no exception permits, and for each exception
    that nothing needs."""
    modules = {path: ast.parse(path.read_text()) for path in paths}
    constants = {_name(path): _constants(tree) for path, tree in modules.items()}
    needed: set[tuple[str, str]] = set()
    for path, tree in modules.items():
        known = {**constants[_name(path)], **_imported(tree, constants)}
        for found in sorted(set(_readings(tree, known))):
            permits = set(_permitting(path, found.text, exceptions))
            needed |= permits
            if not permits:
                yield f"{path}:{found.line}: reads the words {found.text!r}"
    for one in exceptions:
        for begin in one.texts:
            if (one.where, begin) not in needed:
                yield f"{one.where}: nothing reads {begin!r} there: remove the exception"


def _permitting(
    path: Path, text: str, exceptions: Sequence[Permitted]
) -> Iterator[tuple[str, str]]:
    for one in exceptions:
        if path.as_posix().startswith(one.where):
            yield from ((one.where, begin) for begin in one.texts if text.startswith(begin))


def _name(path: Path) -> str:
    """The module's name, as imports have it."""
    parts = path.with_suffix("").parts
    return ".".join(parts[1:] if parts[0] == "src" else parts)


def _constants(tree: ast.Module) -> Constants:
    """The texts in a module's own constants."""
    found: dict[str, tuple[str, ...]] = {}
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], value):
                found[name] = tuple(_texts(value, found))
            case ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                found[name] = tuple(_texts(value, found))
    return found


def _imported(tree: ast.Module, constants: Mapping[str, Constants]) -> Constants:
    """Constants of other modules, by the name that this one uses: `NAME` or `module.NAME`."""
    found: dict[str, tuple[str, ...]] = {}
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    for node in imports:
        for alias in node.names:
            used, whole = alias.asname or alias.name, f"{node.module}.{alias.name}"
            found |= {f"{used}.{name}": texts for name, texts in constants.get(whole, {}).items()}
            if texts := constants.get(node.module or "", {}).get(alias.name):
                found[used] = texts
    return found


def _readings(tree: ast.Module, known: Constants) -> Iterator[Reading]:
    for node in ast.walk(tree):
        for part in _read(node):
            if _is_title(part):
                yield Reading(part.lineno, ast.unparse(part))
            yield from (Reading(part.lineno, text) for text in _texts(part, known) if _words(text))


def _read(node: ast.AST) -> Iterator[ast.expr]:
    """What a node compares something with, searches for, or cuts at."""
    match node:
        case ast.Compare(left, ops, others) if any(isinstance(op, _COMPARED) for op in ops):
            yield from (left, *others)
        case ast.Call(ast.Attribute(ast.Name("re"), name), args) if name in _PATTERNS:
            yield from args[:1]
        case ast.Call(ast.Attribute(_, name), args) if name in _CUTS:
            yield from args[:1]
        case ast.MatchValue(value):
            yield value
        case ast.Subscript(_, ast.Constant() | ast.Name() | ast.Attribute() as key):
            yield key


def _is_title(part: ast.expr) -> bool:
    """Whether a value is the title of something, by its name."""
    match part:
        case ast.Attribute(_, name) | ast.Name(name):
            return name in _TITLES
    return False


def _texts(part: ast.expr, known: Constants) -> Iterator[str]:
    """The literal texts in a value: its own, its parts', those of a constant that it names."""
    match part:
        case ast.Constant(str(text)):
            yield text
        case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts) | ast.JoinedStr(parts):
            yield from (text for one in parts for text in _texts(one, known))
        case ast.Dict(keys):
            yield from (text for one in keys if one for text in _texts(one, known))
        case ast.Call(ast.Name("frozenset" | "set" | "tuple"), [one]):
            yield from _texts(one, known)
        case ast.Name() | ast.Attribute():
            yield from known.get(ast.unparse(part), ())


def _words(text: str) -> bool:
    return text == _COLON or (" " in text and bool(re.search("[A-Za-z]", text)))
