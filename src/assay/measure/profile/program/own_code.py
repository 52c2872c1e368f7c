"""Tells the user's own code from the libraries below it.

A benchmark becomes slower in one of its functions, not in the `memmove` that the function calls:
the cost of a library is given to whoever called it. Standard containers count as libraries too,
although their code is compiled into the user's executable.
"""

import re
from collections.abc import Iterable
from pathlib import Path

# Folders of libraries that count as the system's, not as the user's own code.
_SYSTEM_OBJECTS = ("/usr/lib", "/lib", "/usr/libexec/valgrind", "/usr/local/lib")
# Folders of source files that count as the system's, not as the user's own code.
_SYSTEM_SOURCES = ("/usr/include/", "/usr/lib/", "/usr/local/include/", "/build/")
_NAMESPACES = (
    "std::",
    "__gnu_cxx::",
    "__cxxabiv1::",
    "benchmark::",
    "operator new",
    "operator del",
)
_CLONE = re.compile(r"(?: \[clone [^\]]*\])+$")  # how c++filt marks a copy of a function
# What compilers append to the names of copies and parts of a function.
_SUFFIX = re.compile(r"(?:\.(?:constprop|isra|part|cold|lto_priv|localalias)(?:\.\d+)?)+$")
_RECURSION = re.compile(r"'\d+$")  # how callgrind names a recursive call: "f'2"
_VERSION = re.compile(r"@+[A-Z][A-Z_]*[A-Z]_[\d.]+$")  # as in memcpy@GLIBC_2.2.5
_VARIANT = re.compile(r"__(\w+?)_(?:sse|avx|evex|erms|ssse)\w*")  # as in __memset_sse2_unaligned


def system_object(path: str) -> bool:
    """Whether an executable or library belongs to the system, not to the user."""
    return not path or path == "???" or path.startswith(_SYSTEM_OBJECTS)


def own_function(name: str, file: str) -> bool:
    """Whether a function is the user's, by its source file and its name."""
    return not file.startswith(_SYSTEM_SOURCES) and not qualified_name(name).startswith(_NAMESPACES)


def plain_name(name: str) -> str:
    """The name without what compilers and linkers add: copies, parts, versions, CPU variants.

    >>> plain_name("Wal::append(char const*) [clone .constprop.0]")
    'Wal::append(char const*)'
    >>> plain_name("__memset_avx2_unaligned_erms")
    'memset'
    """
    for pattern in (_RECURSION, _CLONE, _SUFFIX, _VERSION):
        name = pattern.sub("", name)
    variant = _VARIANT.fullmatch(name)
    return variant[1] if variant else name


def qualified_name(name: str) -> str:
    """The qualified name with its arguments, without the return type that templates show.

    >>> qualified_name("void std::sort<int*>(int*, int*)")
    'std::sort<int*>(int*, int*)'
    """
    depth, start = 0, 0
    for index, char in enumerate(name):
        if char in "<{[":
            depth += 1
        elif char in ">}]" and depth:
            depth -= 1
        elif char == "(" and depth == 0 and not name.startswith("(anonymous namespace)", index):
            break
        elif char == " " and depth == 0 and name[start:index] not in ("operator", "(anonymous"):
            start = index + 1
    return name[start:]


def names_in_file(binary: str, functions: Iterable[str]) -> set[str]:
    """Those of `functions` whose names the file contains, even if none of their code is left.

    An inlined `c - '0'` may become part of another instruction, so that its function has no cost.
    The names in the debug information tell that it was there all the same.
    """
    try:
        content = Path(binary).read_bytes()
    except OSError:
        return set()
    return {one for one in functions if bare_name(one).encode() + b"\0" in content}


def bare_name(name: str) -> str:
    """The bare name as in debug information: without scope, template arguments and arguments.

    >>> bare_name("(anonymous namespace)::Digits<3>::digit<int>(char) const")
    'digit'
    """
    text = (
        qualified_name(name)
        .replace("(anonymous namespace)::", "")
        .replace("operator()", "operator@")
    )
    depth, letters = 0, list[str]()
    for char in text:
        if char == "<" and not "".join(letters[-8:]).endswith("operator"):
            depth += 1
        elif char == ">" and depth:
            depth -= 1
        elif char == "(" and depth == 0:
            break
        elif depth == 0:
            letters.append(char)
    return "".join(letters).rpartition("::")[2].replace("operator@", "operator()")
