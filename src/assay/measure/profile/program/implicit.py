"""Recognises members that nobody wrote: a copy, destructor or assignment made by the compiler.

    implicit = ImplicitMembers(binary)
    implicit.is_made_by_compiler("Frame::Frame(Frame const&)", "src/vm.hpp", 12)     True

Debug information places them at the line of the class, or at that of `= default`. Their cost
belongs to the caller: whoever changed `const Frame& f` to `Frame f` wrote the line that copies.
"""

import re
from functools import cache

from assay.measure.profile.program.own_code import bare_name
from assay.measure.profile.program.sources import read_source

_DEFAULTED = re.compile(r"=\s*default\b")  # a member that the source leaves to the compiler
_ASSIGNMENT = "operator="
_ASSIGNS = re.compile(r"\boperator\s*=")  # a line that names an assignment operator
_ANY_CLASS = re.compile(r"\b(?:struct|class|union)\b")  # a line that begins a class


class ImplicitMembers:
    """Which functions of an executable the compiler made, judged by its source files.

    Without the source no function counts as made by the compiler.
    """

    def __init__(self, binary: str) -> None:
        self._binary = binary
        self._line = cache(self._text_of)

    def is_made_by_compiler(self, function: str, file: str, line: int) -> bool:
        """Whether the compiler made a function, judged by the source text at its line."""
        name = bare_name(function)
        if not _may_be_implicit(name):
            return False
        text = self._line(file, line)
        return bool(text) and is_compiler_made(name, text)

    def _text_of(self, file: str, line: int) -> str:
        source = self._source(file)
        return source[line - 1] if 0 < line <= len(source) else ""

    def _source(self, file: str) -> tuple[str, ...]:
        return _read(file, self._binary)


@cache
def _read(file: str, binary: str) -> tuple[str, ...]:
    found = read_source(file, binary)
    return () if found.why else found.lines


def _may_be_implicit(name: str) -> bool:
    """Whether a name is one of a member that a compiler can make: a constructor, destructor or
    assignment."""
    return name == _ASSIGNMENT or name.removeprefix("~").isidentifier()


def is_compiler_made(name: str, text: str) -> bool:
    """Whether the compiler made the function `name`, judged by `text`, the line of its definition.

    >>> is_compiler_made("~Frame", "struct Frame {")
    True
    >>> is_compiler_made("Frame", "  Frame(const Frame& other) : size(other.size) {}")
    False
    """
    if name == _ASSIGNMENT:
        writes, head = _ASSIGNS, _ANY_CLASS
    else:
        kind = re.escape(name.removeprefix("~"))
        before = "~" if name.startswith("~") else r"(?<![\w~])"
        writes = re.compile(rf"{before}\s*{kind}\s*\(")
        head = re.compile(rf"\b(?:struct|class|union)\b[^;(]*\b{kind}\b")
    if writes.search(text):
        return bool(_DEFAULTED.search(text))
    return bool(head.search(text))
