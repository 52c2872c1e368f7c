"""Turns a verb that takes its options as one dataclass into a function that Typer can call.

    @dataclass(frozen=True, kw_only=True)
    class ListOptions:
        target: opt.Target
        filter: opt.Filter = ""

    @command(ListOptions)
    def list_(options: ListOptions) -> int: ...

Typer reads the signature of a function, so this function has a parameter for each field.
"""

import dataclasses
from collections.abc import Callable
from inspect import Parameter, Signature, get_annotations
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

Options = TypeVar("Options")


class After(NamedTuple):
    """Marks an option of a verb's own that help shows below another: `Annotated[..., After("x")]`.

    The other is a shared one, or one of its own that is declared before it.
    """

    field: str


def command(options: type[Options]) -> Callable[[Callable[[Options], int]], Callable[..., int]]:
    """A decorator of verbs; `options` is the dataclass that the verb takes."""

    def decorate(verb: Callable[[Options], int]) -> Callable[..., int]:
        def callback(**given: Any) -> int:
            return verb(options(**given))

        callback.__dict__["__signature__"] = _signature(options)
        callback.__name__, callback.__doc__ = verb.__name__, verb.__doc__
        return callback

    return decorate


def _signature(options: type) -> Signature:
    """A signature with a parameter for each field of a dataclass, its own before inherited ones."""
    hints = get_type_hints(options, include_extras=True)
    fields = {field.name: field for field in dataclasses.fields(options)}
    order = _option_order(options, hints)
    return Signature([_parameter(fields[name], hints[name]) for name in order])


def _option_order(options: type, hints: dict[str, Any]) -> list[str]:
    # Python 3.14 has no __annotations__ among the attributes of a class: they are made when asked.
    own_first = dict.fromkeys(name for kind in options.__mro__ for name in get_annotations(kind))
    marks = [(name, mark) for name in own_first for mark in get_args(hints[name])]
    marked = {name: mark.field for name, mark in marks if isinstance(mark, After)}
    order = [name for name in own_first if name not in marked]
    for name, above in marked.items():
        order.insert(order.index(above) + 1, name)
    return order


def _parameter(field: dataclasses.Field[Any], hint: Any) -> Parameter:
    default = Parameter.empty if field.default is dataclasses.MISSING else field.default
    return Parameter(field.name, Parameter.KEYWORD_ONLY, annotation=hint, default=default)
