"""Writes an `assay.toml` for a project without one, by guessing how it is built.

write_guessed_project(Path.cwd()).kind      # "CMake"
"""

import json
from pathlib import Path

from assay.errors import InputError
from assay.files import write_all_new
from assay.project.guess import Guess, guess_build
from assay.project.project import NAME, SMALLEST

_HEAD = "# How Assay builds a revision of this project, and what it measures. Look at each line.\n"


def write_guessed_project(folder: Path) -> Guess:
    """Write an `assay.toml` by a guess. `InputError` if there is one, or nothing can be guessed."""
    path = folder / NAME
    if path.exists() or path.is_symlink():
        hint = "change it, or move it away first"
        raise InputError("is there already, and stays as it is", where=str(path), hint=hint)
    found = guess_build(folder)
    if found is None:
        lines = " | ".join(SMALLEST.splitlines())
        what = "nothing of CMake, Meson, Cargo, Go, make or pytest is here"
        raise InputError(what, where=str(folder), hint=f"write an {NAME} by hand: {lines}")
    if not write_all_new({path: _text(found).encode()}):
        raise InputError("was made by somebody else just now", where=str(path))
    return found


def _text(found: Guess) -> str:
    commands = "".join(f"  {_quoted(line)},\n" for line in found.commands)
    return (
        f"{_HEAD}\n[build] # {found.kind}, as there is {found.found}\ncommands = [\n{commands}]\n\n"
        f"[suites.main] # {_printable(found.why)}\nrun = {_quoted(found.run)}\n"
    )


def _quoted(text: str) -> str:
    """The text as a TOML string; JSON's notation is valid in TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _printable(text: str) -> str:
    """The text for a comment, without line breaks, which a file's name may contain."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
