"""What the C++ headers and the CMake package promise: declarations, layouts, symbols, calls.

clang says what the public headers declare, g++ how large each class is and what its virtual table
holds, nm what the libraries define. Users see public and protected members; who was compiled
against them depends on the order of private ones, too.
"""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from conftest import NATIVE, ROOT

Promise = tuple[str, str]
Node = dict[str, Any]
_NAMED = ("CXXMethodDecl", "CXXConstructorDecl", "CXXConversionDecl", "CXXDestructorDecl")
_FUNCTIONS = ("FunctionDecl", *_NAMED)
_RECORDS = ("CXXRecordDecl", "ClassTemplateSpecializationDecl")
_TEMPLATES = ("FunctionTemplateDecl", "ClassTemplateDecl")
_OURS, _TOP = ("assay", "tree_api", "tree_options_t"), ("NamespaceDecl", "CXXRecordDecl")
_PACKAGE = ("AssayBenchmark", "AssayComparison")


def names() -> list[str]:
    """The headers that are installed."""
    text = (ROOT / "cmake" / "AssayInstall.cmake").read_text()
    return re.findall(r"[\w/]+\.hpp", text)


class Compiled(NamedTuple):
    """What compilers say of all public headers."""

    tree: list[Node]  # clang's, of what they declare
    classes: str  # g++'s dump
    wanted: frozenset[str]  # symbols that their inline functions ask for


@cache
def _compiled() -> Compiled:
    with tempfile.TemporaryDirectory(prefix="assay-headers-") as folder:
        place = Path(folder)
        for name in names():
            link = place / "assay" / name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(ROOT / ("labs" if name.startswith("index/") else "native") / name)
        (place / "all.cpp").write_text("".join(f"#include <assay/{one}>\n" for one in names()))
        usual = ["-std=c++20", "-I.", "all.cpp"]
        tree = []
        for named in _OURS:
            dump = ["-Xclang", "-ast-dump=json", "-Xclang", f"-ast-dump-filter={named}"]
            found = _documents(_said(place, "clang++-14", *usual, "-fsyntax-only", *dump))
            tree += [one for one in found if one.get("name") == named and one["kind"] in _TOP]
        kept = ["-fkeep-inline-functions", "-fdump-lang-class=classes", "-c", "-o", "all.o"]
        _said(place, "g++", *usual, *kept)
        wanted = _said(place, "nm", "-u", "all.o").split()
        return Compiled(tree, (place / "classes").read_text(), frozenset(wanted))


def _said(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _documents(text: str) -> Iterator[Node]:
    decoder, place = json.JSONDecoder(), 0
    while place < len(text.rstrip()):
        found, place = decoder.raw_decode(text, place)
        yield found
        place += len(text[place:]) - len(text[place:].lstrip())


# ---- what can be written in a program --------------------------------------------------------


def declarations() -> Iterator[Promise]:
    """Each header, macro for users, class, function, field and constant."""
    for name in names():
        yield f"#include <assay/{name}>", "a header"
        text = (ROOT / ("labs" if name.startswith("index/") else "native") / name).read_text()
        for macro in re.findall(r"(?m)^#define (ASSAY_MAIN\([^)]*\))", text):
            yield macro, "a macro"
    for node in _compiled().tree:
        yield from _declared(node, "")


def _declared(node: Node, scope: str) -> Iterator[Promise]:
    kind, name = node["kind"], f"{scope}{node.get('name', '')}"
    if node.get("isImplicit") or not node.get("name"):
        return
    if kind == "NamespaceDecl":
        for one in node.get("inner", ()):
            yield from _declared(one, f"{name}::")
    elif kind in _TEMPLATES:
        for one in node["inner"]:
            if one["kind"] in (*_FUNCTIONS, *_RECORDS[:1]):
                yield from _declared(one, scope)
                break
    elif kind in _RECORDS and node.get("completeDefinition"):
        yield name, f"a {node['tagUsed']}"
        yield from _members(node, f"{name}::")
    elif kind == "EnumDecl":
        yield name, "an enum"
        for number, one in enumerate(part for part in node["inner"] if "name" in part):
            yield f"{name}::{one['name']}", f"constant {number}"
    elif kind in _FUNCTIONS:
        yield _function(node, name)
    elif kind in ("FieldDecl", "VarDecl", "TypeAliasDecl"):
        yield name, node["type"]["qualType"]


def _members(record: Node, scope: str) -> Iterator[Promise]:
    hidden = record["tagUsed"] == "class"
    for one in record.get("inner", ()):
        if one["kind"] == "AccessSpecDecl":
            hidden = one["access"] == "private"
        elif not hidden:
            yield from _declared(one, scope)


def _function(node: Node, name: str) -> Promise:
    """A call of it, with the types of what it takes, and what comes of it."""
    whole = node["type"]["qualType"]
    result, rest = whole.split("(", 1) if "(*" not in whole else ("", whole)
    taken, _, more = rest.rpartition(")")
    qualified = " ".join(word for word in more.split() if word in ("const", "&", "&&"))
    words = [result.strip(), "noexcept" if "noexcept" in more else ""]
    words += ["static"] if node.get("storageClass") == "static" else []
    words += ["virtual"] if node.get("virtual") else []
    words += ["deleted"] if node.get("explicitlyDeleted") else []
    needed = "required: every plug-in has it, " if node.get("pure") else ""
    optional = sum("init" in one for one in node.get("inner", ()) if one["kind"] == "ParmVarDecl")
    words += [f"{optional} may be left out"] if optional else []
    called = f"{name}({taken}) {qualified}".rstrip()
    return called, f"{needed}gives {' '.join(word for word in words if word)}"


# ---- what a compiled program relies on -------------------------------------------------------


def layouts() -> Iterator[Promise]:
    """Size of each class, types of its fields in their order, and its virtual table."""
    for name, size in re.findall(r"(?m)^Class ([\w:]+)\n   (size=.*)$", _compiled().classes):
        if name.startswith(("assay::", "tree_")):
            yield f"size of {name}", size
    for name, table in re.findall(r"(?ms)^Vtable for ([\w:]+)\n(.*?)\n\n", _compiled().classes):
        if name.startswith(("assay::", "tree_")):
            yield f"virtual table of {name}", table.partition(": ")[2].split("\n")[0]
    for node in _compiled().tree:
        yield from _fields(node, "")


def _fields(node: Node, scope: str) -> Iterator[Promise]:
    name = f"{scope}{node.get('name', '')}"
    if node["kind"] == "NamespaceDecl" or (
        node["kind"] == "CXXRecordDecl" and node.get("completeDefinition")
    ):
        place = 0
        for one in node.get("inner", ()):
            if one["kind"] == "FieldDecl":
                place += 1
                kind = one["type"].get("desugaredQualType", one["type"]["qualType"])
                yield f"field {place} of {name}", kind
            elif one.get("virtual") and not one.get("isImplicit"):
                place += 1
                yield f"virtual {place} of {name}", f"{one['name']} {one['type']['qualType']}"
            else:
                yield from _fields(one, f"{name}::")


def symbols() -> Iterator[Promise]:
    """What a compiled program may ask the libraries for: what headers declare and they define."""
    defined = set()
    for archive in ("gbench/libassay.a", "measure/libassay_measure.a", "system/libassay_system.a"):
        told = _said(ROOT, "nm", "--defined-only", "-g", str(NATIVE / "native" / archive))
        defined |= {line.split()[-1] for line in told.splitlines() if line[17:19] in ("T ", "B ")}
    for node in _compiled().tree:
        for mangled, is_hidden in _mangled(node, False):
            if mangled in defined and (not is_hidden or mangled in _compiled().wanted):
                yield mangled, "defined"


def _mangled(node: Node, is_hidden: bool) -> Iterator[tuple[str, bool]]:
    """Symbols of functions, and whether only members of their class may call them."""
    if "mangledName" in node and node["kind"] in _FUNCTIONS and not node.get("isImplicit"):
        yield node["mangledName"], is_hidden
    inner_hidden = is_hidden or node.get("tagUsed") == "class"
    for one in node.get("inner", ()):
        if one.get("kind") == "AccessSpecDecl":
            inner_hidden = is_hidden or one["access"] == "private"
        elif one.get("kind") in ("NamespaceDecl", *_RECORDS, *_FUNCTIONS, *_TEMPLATES):
            yield from _mangled(one, inner_hidden)


# ---- CMake -----------------------------------------------------------------------------------


def package() -> Iterator[Promise]:
    """Targets of `find_package(assay)`, its functions with their words, its variables."""
    text = (ROOT / "native" / "CMakeLists.txt").read_text()
    for target in re.findall(r"ASSAY_EXPORTED_TARGETS[\w ]*? ((?:assay\w*[ )]+)+)", text):
        for one in target.replace(")", "").split():
            yield f"assay::{one.removeprefix('assay_')}", "a target"
    for name in _PACKAGE:
        text = (ROOT / "cmake" / f"{name}.cmake").read_text()
        for function, words in re.findall(
            r"function\((assay_\w+) name\)\n  cmake_parse_arguments\(PARSE_ARGV 1 arg (.*)\)", text
        ):
            yield function, "a function"
            for kind, group in zip(
                ("a word", "a value", "values"), words.split('" "'), strict=True
            ):
                for word in group.strip('"').split(";"):
                    yield f"{function} {word}", kind
        for kind, variable in re.findall(r"(?m)^(set|option)\((ASSAY_\w+)", text):
            yield variable, {"set": "a variable", "option": "ON or OFF"}[kind]
