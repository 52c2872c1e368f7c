"""One kind of value: a class of values is a `msgspec.Struct`, and a dataclass only holds options.

    list(other_values(Path("src/assay/x.py")))   ["src/assay/x.py:3: a value is a msgspec.Struct"]

Whether a named tuple is used as a tuple is left to who reads the change (decision 49). A struct has
its declared fields only: a method that sets another fails when it is called, which mypy lets pass.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

ROOM_OF_OPTIONS = "src/assay/cli/"  # the command line reads a verb's options out of the fields
STRUCTS = ("msgspec.Struct", "Struct")
OPTIONS = "Options"  # the ending of the names of such classes


def other_values(path: Path) -> Iterator[str]:
    """Dataclasses that are not the options of a verb, and imports to make one elsewhere."""
    if not path.as_posix().startswith("src/assay/"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if path.as_posix().startswith(ROOM_OF_OPTIONS):
            if isinstance(node, ast.ClassDef) and _is_dataclass(node) and not _has_options(node):
                yield f"{path}:{node.lineno}: {node.name} is no {OPTIONS}: make it a msgspec.Struct"
        elif isinstance(node, ast.Import | ast.ImportFrom) and _imports_dataclasses(node):
            yield f"{path}:{node.lineno}: a value is a msgspec.Struct, not a dataclass"


def undeclared_fields(path: Path) -> Iterator[str]:
    """Attributes that a method of a struct sets, and that the struct does not declare."""
    if not path.as_posix().startswith("src/assay/"):
        return
    for kind in ast.walk(ast.parse(path.read_text())):
        if not isinstance(kind, ast.ClassDef) or not _is_struct(kind):
            continue
        declared = {ast.unparse(one.target) for one in kind.body if isinstance(one, ast.AnnAssign)}
        for node in ast.walk(kind):
            if _is_set_on_self(node) and node.attr not in declared:
                yield f"{path}:{node.lineno}: {kind.name} declares no field {node.attr}"


def _is_struct(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base) in STRUCTS for base in node.bases)


def _is_set_on_self(node: ast.AST) -> TypeGuard[ast.Attribute]:
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
        return False
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(one) for one in node.decorator_list)


def _has_options(node: ast.ClassDef) -> bool:
    return node.name.endswith(OPTIONS)


def _imports_dataclasses(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "dataclasses"
    return any(one.name == "dataclasses" for one in node.names)
