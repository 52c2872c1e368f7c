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
from inspect import Parameter, Signature
from typing import Any, TypeVar, get_type_hints

Options = TypeVar("Options")


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
    own_first = dict.fromkeys(
        name for kind in options.__mro__ for name in vars(kind).get("__annotations__", ())
    )
    return Signature([_parameter(fields[name], hints[name]) for name in own_first])


def _parameter(field: dataclasses.Field[Any], hint: Any) -> Parameter:
    default = Parameter.empty if field.default is dataclasses.MISSING else field.default
    return Parameter(field.name, Parameter.KEYWORD_ONLY, annotation=hint, default=default)
