"""Where a margin's figure is typed into Python, whatever the figure is: for the test of defaults.

    takers = margin_takers([text, other])       # {"effect_axis": 1}: its second argument is one
    typed_margins(text, takers)                 # ["margin=0.03", "effect_axis(ends, 0.02)"]

A margin of 0 is none, and is not found.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

_TYPED = re.compile(r"[\d.]+ ?%?")
_SAID = re.compile(r"margin\D{0,20}[\d.]+ ?%", re.IGNORECASE)


def margin_takers(texts: Iterable[str]) -> dict[str, int]:
    """Name of a function that takes a margin -> the place of that among its arguments."""
    functions = (
        node
        for text in texts
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    )
    found = {}
    for one in functions:
        names = [argument.arg for argument in one.args.args if argument.arg not in ("self", "cls")]
        if "margin" in names:
            found[one.name] = names.index("margin")
    return found


def typed_margins(text: str, takers: Mapping[str, int]) -> list[str]:
    """Each piece of the program that gives a margin as a number, or as a text such as "2%"."""
    tree = ast.parse(text)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if any(_is_margin(name) and _is_figure(value) for name, value in _given(node))
        or _is_given_by_place(node, takers)
        # A text that stands alone says something to the reader only, as a docstring does.
        or (id(node) not in alone and _is_said(node))
    ]


def _given(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """What is given a value in this piece of a program, and the value."""
    match node:
        case ast.keyword(arg=str(name), value=value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(name) | ast.Attribute(attr=name), value=value):
            yield name, value
        case ast.Assign(targets=targets, value=value):
            yield from ((ast.unparse(target), value) for target in targets)
        case ast.Dict(keys=keys, values=values):
            yield from zip(map(_text, keys), values, strict=True)
        case ast.arguments():
            positional = [*node.posonlyargs, *node.args]
            optional = positional[len(positional) - len(node.defaults) :]
            named = [one.arg for one in (*optional, *node.kwonlyargs)]
            yield from zip(named, (*node.defaults, *node.kw_defaults), strict=True)


def _is_given_by_place(node: ast.AST, takers: Mapping[str, int]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    place = takers.get(ast.unparse(node.func).rpartition(".")[2])
    return place is not None and len(node.args) > place and _is_figure(node.args[place])


def _is_said(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and bool(_SAID.search(str(node.value)))


def _text(key: ast.expr | None) -> str:
    return str(key.value) if isinstance(key, ast.Constant) else ""


def _is_margin(name: str) -> bool:
    return "margin" in name.lower()


def _is_figure(value: ast.expr | None) -> bool:
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return value.value != 0
        case ast.Constant(value=str(text)):
            return bool(_TYPED.fullmatch(text))
    return False
