"""What is code of the user, and what a library below it.

A benchmark becomes slower in somebody's function, not in the `memmove` that it calls: cost
of libraries is told of whoever called them. Standard containers are libraries too, although
their code is in the user's executable.
"""

import re
from collections.abc import Iterable
from pathlib import Path

_SYSTEM_OBJECTS = ("/usr/lib", "/lib", "/usr/libexec/valgrind", "/usr/local/lib")
_SYSTEM_SOURCES = ("/usr/include/", "/usr/lib/", "/usr/local/include/", "/build/")
_NAMESPACES = (
    "std::",
    "__gnu_cxx::",
    "__cxxabiv1::",
    "benchmark::",
    "operator new",
    "operator del",
)
_CLONE = re.compile(r"(?: \[clone [^\]]*\])+$")
_SUFFIX = re.compile(r"(?:\.(?:constprop|isra|part|cold|lto_priv|localalias)(?:\.\d+)?)+$")
_RECURSION = re.compile(r"'\d+$")
_VERSION = re.compile(r"@+[A-Z][A-Z_]*[A-Z]_[\d.]+$")  # memcpy@GLIBC_2.2.5
_VARIANT = re.compile(r"__(\w+?)_(?:sse|avx|evex|erms|ssse)\w*")  # __memset_sse2_unaligned


def system_object(path: str) -> bool:
    """A library of the system."""
    return not path or path == "???" or path.startswith(_SYSTEM_OBJECTS)


def own_function(name: str, file: str) -> bool:
    """Whether a function of the user's executable is of the user: by its source and its name."""
    return not file.startswith(_SYSTEM_SOURCES) and not scope(name).startswith(_NAMESPACES)


def plain(name: str) -> str:
    """The name without what compilers add to copies and parts of a function.

    >>> plain("Wal::append(char const*) [clone .constprop.0]")
    'Wal::append(char const*)'
    >>> plain("__memset_avx2_unaligned_erms")
    'memset'
    """
    for pattern in (_RECURSION, _CLONE, _SUFFIX, _VERSION):
        name = pattern.sub("", name)
    variant = _VARIANT.fullmatch(name)
    return variant[1] if variant else name


def scope(name: str) -> str:
    """The name without the type that a template's instance returns.

    >>> scope("void std::sort<int*>(int*, int*)")
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


def written_in(binary: str, functions: Iterable[str]) -> set[str]:
    """Those whose names the file contains: also what the compiler put elsewhere altogether.

    An inlined `c - '0'` may be part of another instruction, so that its function costs nothing.
    Whether it was there nevertheless, its name among the debug information tells.
    """
    try:
        content = Path(binary).read_bytes()
    except OSError:
        return set()
    return {one for one in functions if short(one).encode() + b"\0" in content}


def short(name: str) -> str:
    """What debug information calls it, without scope, template's and other arguments.

    >>> short("(anonymous namespace)::Digits<3>::digit<int>(char) const")
    'digit'
    """
    text = scope(name).replace("(anonymous namespace)::", "").replace("operator()", "operator@")
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
