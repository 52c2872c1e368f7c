"""What the command line promises: verbs, their arguments and options, exit codes, assay.toml.

A promise is a name and what is said of it. What begins with `required` asks a user for more than
before, so that even adding it breaks a promise.
"""

import json
import re
import sys
from collections.abc import Iterator
from enum import Enum
from typing import Any

from conftest import ROOT

sys.path[:0] = [str(ROOT / "tools")]
import reference  # noqa: E402

Promise = tuple[str, str]
_OPTION = re.compile(r"^  {1,8}((?:-{1,2}\w[\w-]*(?:\[=\w+\])?(?:, ?)?)+)", re.MULTILINE)


def verbs() -> Iterator[Promise]:
    """Each verb, argument and option, with how many values it takes, its choices and default."""
    from assay.cli.app import VERBS, _command

    for verb, about in VERBS.items():
        yield f"assay {verb}", "a verb"
        place = 0
        for one in _command(verb, about).params:
            if one.param_type_name == "argument":
                place += 1
                yield from _parameter(f"assay {verb}, argument {place}", one)
            else:
                for spelling in (*one.opts, *one.secondary_opts):
                    yield from _parameter(f"assay {verb} {spelling}", one)


def _parameter(name: str, one: Any) -> Iterator[Promise]:
    """Of one spelling."""
    needed = "required" if one.required else "may be left out"
    taken = "no value" if getattr(one, "is_flag", False) else "a value"
    taken += " or none" if (one.metavar or "").startswith("[=") else ""
    many = one.multiple or one.nargs != 1
    yield name, f"{needed}, {taken}{', as often as you like' if many else ''}"
    if one.default is not None:
        yield f"{name}, left out", _plain(one.default)
    for choice in _choices(one):
        yield f"{name} {choice}", "may be chosen"


def _choices(one: Any) -> list[str]:
    kind = one.type_descriptor.annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(choice.value) for choice in kind]
    return re.findall(r"\b[a-z][a-z-]+\b", one.metavar or "")


def _plain(default: Any) -> str:
    return str(default.value if isinstance(default, Enum) else default)


def programs() -> Iterator[Promise]:
    """Options of the programs behind verbs, of the page that test_reference.py holds to be true."""
    _, *parts = (ROOT / "docs" / "reference" / "programs.md").read_text().split("\n## ")
    for part in parts:
        title, _, text = part.partition("\n")
        for spellings in _OPTION.findall(text):
            for one in re.findall(r"-{1,2}\w[\w-]*", spellings):
                yield f"{title.removesuffix(' --help')} {one}", "an option"


def exit_codes() -> Iterator[Promise]:
    """Each number, and what it says."""
    for name, code, _ in reference.known_exit_codes():
        yield f"exit code {code}", name


def project_keys() -> Iterator[Promise]:
    """Keys of `assay.toml`: what each may hold, and what is taken where it is not there."""
    schema = json.loads(reference.project_schema())
    for name, value in schema["properties"].items():
        own = name == "suites"
        table = schema["$defs"][(value["additionalProperties"] if own else value)["$ref"][8:]]
        for key, kind in table["properties"].items():
            path = f"[{name}{'.NAME' if own else ''}] {key}"
            needed = "required" if key in table.get("required", ()) else "may be left out"
            yield path, f"{needed}, {kind.get('type', 'one of its choices')}"
            for choice in kind.get("enum", ()):
                yield f"{path} {choice}", "may be chosen"
            if kind.get("default") is not None:
                yield f"{path}, left out", json.dumps(kind["default"])
