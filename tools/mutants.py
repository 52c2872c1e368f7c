"""Would the tests notice? Changes one place of the code at a time and runs its mirrored tests.

    ./dev mutants                      # 100 places, drawn anew
    ./dev mutants --count 40 --seed 7 src/assay/judge/history

What is changed: a comparison, an operator, a constant, `and`, `or`, `not`, a word of a sentence. A
change that all tests of its module pass is a survivor: it is printed with its file, line and both
texts, and more than one in twenty ends with exit code 1. A survivor is a missing test, or a change
that means the same, which a reader has to tell. Each takes as long as the tests of one module. The
work tree is not touched: what is changed is a copy.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("src/assay/judge", "src/assay/record", "src/assay/show/words", "src/assay/units.py")
MOST_SURVIVORS = 0.05
LONGEST_TESTS_S = 300
# A program that imports `assay` gets the installed one by a finder, which comes before any path.
WITHOUT_FINDER = """\
import sys
sys.meta_path[:] = [one for one in sys.meta_path if "ditable" not in repr(one)]
"""

_NOT_RUN = ("annotation", "returns", "decorator_list")
_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip


class UnchangedFailsError(Exception):
    """Tests fail where nothing is changed, so that they would notice every change."""


class Mutant(NamedTuple):
    """One place of one file, as it is and as it is changed."""

    path: Path  # below the repository
    line: int
    begin: int  # offsets into the file's bytes
    end: int
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.was!r} became {self.now!r}"


def main() -> int:
    """Try so many; the exit code."""
    asked = _arguments()
    files = [path for part in asked.parts for path in _sources(Path(part))]
    places = [mutant for path in files for mutant in mutants(path)]
    if not places:
        print(f"mutants: nothing to change in {' '.join(asked.parts)}")
        return 2
    chosen = random.Random(asked.seed).sample(places, min(asked.count, len(places)))
    try:
        survivors = list(survived(chosen))
    except UnchangedFailsError as error:
        print(f"mutants: {error}")
        return 2
    share = len(survivors) / len(chosen)
    print(f"mutants: {len(survivors)} of {len(chosen)} survived ({share:.0%}), seed {asked.seed}")
    return 1 if share > MOST_SURVIVORS else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("parts", nargs="*", default=ROOMS, metavar="PATH")
    parser.add_argument("--count", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    return parser.parse_args()


def _sources(part: Path) -> list[Path]:
    inside = ROOT / part
    found = sorted(inside.rglob("*.py")) if inside.is_dir() else [inside]
    return [path.relative_to(ROOT) for path in found if path.name != "__init__.py"]


def mutants(path: Path) -> Iterator[Mutant]:
    """Every change of one file that has tests to notice it."""
    if not tests_of(path):
        return
    text = (ROOT / path).read_text()
    starts = [0]
    for line in text.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    for node, now in _changed(ast.parse(text)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        was = text.encode()[begin:end].decode()
        yield Mutant(path, node.lineno, begin, end, was, now)


def _changed(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Expressions that are evaluated when the program runs, each with another text."""
    for node in _run(tree):
        for other in _others(node):
            text = ast.unparse(other)
            yield node, text if isinstance(other, ast.Constant) else f"({text})"


def _run(node: ast.AST) -> Iterator[ast.expr]:
    """All but annotations, decorators, what a class is made of, docstrings and f-strings."""
    for name, value in ast.iter_fields(node):
        if name in _NOT_RUN or (isinstance(node, ast.ClassDef) and name in ("bases", "keywords")):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _says_nothing(child):
                if isinstance(child, ast.expr):
                    yield child
                yield from _run(child)


def _says_nothing(node: ast.AST) -> bool:
    """A docstring, what only a type checker runs, or a text in which places are not known."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return True
    return isinstance(node, ast.JoinedStr)


def _others(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in _COMPARED:
            yield ast.Compare(left, [_COMPARED[type(op)]()], [right])
        case ast.BinOp(left, op, right) if type(op) in _COUNTED and not _is_text(node):
            yield ast.BinOp(left, _COUNTED[type(op)](), right)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(float() as value):
            yield ast.Constant(value * 2.0 if value else 1.0)
        case ast.Constant(str() as value) if " " in value:
            yield ast.Constant(value + "x")


def _is_text(node: ast.BinOp) -> bool:
    """Texts are added and formatted by the same operators; changed, the program would not run."""
    sides = (node.left, node.right)
    texts = (one.value for one in sides if isinstance(one, ast.Constant))
    return any(isinstance(one, ast.JoinedStr) for one in sides) or any(
        isinstance(one, str) for one in texts
    )


def tests_of(path: Path) -> list[Path]:
    """The mirrored tests: those of its name, with those that hold numbers of its whole folder
    (`test_fixed_*.py`, which are fast); else of its folder."""
    room = Path("tests/python") / path.parent.relative_to("src/assay")
    named = room / f"test_{path.stem}.py"
    if (ROOT / named).is_file():
        fixed = sorted((ROOT / room).glob("test_fixed_*.py"))
        return [*(one.relative_to(ROOT) for one in fixed), named]
    return [room] if any((ROOT / room).glob("test_*.py")) else []


def survived(chosen: list[Mutant]) -> Iterator[Mutant]:
    """Those that no test noticed, as they are found; a line is printed for each.

    Raises `UnchangedFailsError`.
    """
    with tempfile.TemporaryDirectory(prefix="assay-mutants-") as folder:
        copy = Path(folder)
        shutil.copytree(ROOT / "src", copy / "src")
        (copy / "sitecustomize.py").write_text(WITHOUT_FINDER)
        _check_that_all_pass({tuple(tests_of(one.path)) for one in chosen}, copy)
        for number, one in enumerate(chosen, 1):
            if not _is_noticed(one, copy):
                print(f"survived {one}", flush=True)
                yield one
            if sys.stderr.isatty():
                print(f"{number} of {len(chosen)}", end="\r", file=sys.stderr, flush=True)


def _check_that_all_pass(all_tests: set[tuple[Path, ...]], copy: Path) -> None:
    for tests in sorted(all_tests):
        if not _pass(tests, copy):
            names = " ".join(map(str, tests))
            raise UnchangedFailsError(f"tests fail where nothing is changed: {names}")


def _is_noticed(one: Mutant, copy: Path) -> bool:
    file, content = copy / one.path, (ROOT / one.path).read_bytes()
    file.write_bytes(content[: one.begin] + one.now.encode() + content[one.end :])
    try:
        return not _pass(tests_of(one.path), copy)
    finally:
        file.write_bytes(content)


def _pass(tests: Iterable[Path], copy: Path) -> bool:
    paths = f"{copy}:{copy / 'src'}"
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [*command, *map(str, tests)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            check=False,
            timeout=LONGEST_TESTS_S,
        )
    except subprocess.TimeoutExpired:  # it made the tests hang, which is noticed, too
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
