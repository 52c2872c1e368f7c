"""assay completion SHELL: the script by which a shell completes `assay`; and, for it, words."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.common.command import command
from assay.cli.common.exit_codes import DONE
from assay.outside_text import without_commands

if TYPE_CHECKING:
    from assay.workflows.completion import KnownWords


class Shell(StrEnum):
    """What `assay completion` can print: the script for a shell, or the
    words that scripts ask for.
    """

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    WORDS = "words"


_Shell = Annotated[Shell, typer.Argument(help="Whose script; words: what the scripts ask.")]
_Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="WORD", help="words: those after `assay`; the last is completed."),
]


@dataclass(frozen=True, kw_only=True)
class CompletionOptions:
    """The arguments of `assay completion`."""

    shell: _Shell
    words: _Words = None


@command(CompletionOptions)
def completion(options: CompletionOptions) -> int:
    """Print what makes a shell complete verbs, options, labels, revisions and benchmarks.

    bash, in ~/.bashrc:  eval "$(assay completion bash)"
    zsh, in ~/.zshrc:    eval "$(assay completion zsh)"
    fish:                assay completion fish > ~/.config/fish/completions/assay.fish
    """
    if options.shell is not Shell.WORDS:
        from assay.show.words.completion_scripts import SCRIPTS

        typer.echo(SCRIPTS[options.shell])
        return DONE
    for word in completion_candidates(options.words or [""], Path.cwd()):
        typer.echo(word)
    return DONE


def completion_candidates(words: list[str], folder: Path) -> list[str]:
    """What the last of `words` may be completed to; if nothing, shells complete names of files."""
    from assay.cli.app import VERBS

    *before, begun = words
    if not before:
        return _words_with_prefix(begun, [*VERBS, "--help", "--version"])
    if before[0] not in VERBS:
        return []
    parameters = _parameters(before[0])
    if begun.startswith("-"):
        options = [name for one in parameters for name in one.opts if name.startswith("-")]
        return _words_with_prefix(begun, options)
    with_value = [one for one in parameters if not getattr(one, "is_flag", False)]
    asked = next((one for one in with_value if before[-1] in one.opts), None)
    found = _argument_values(before, folder) if asked is None else _option_values(asked, folder)
    return _words_with_prefix(begun, [one for one in found if _can_be_offered(one)])


def _can_be_offered(name: str) -> bool:
    """Whether a shell can be offered the name: it has no control character, and is no option.

    A name that holds a command of a CI system is printed escaped, so it would be another name.
    """
    return name.isprintable() and not name.startswith("-") and without_commands(name) == name


def _words_with_prefix(begun: str, words: list[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(begun)]


def _parameters(verb: str) -> list[Any]:
    """The options and arguments of a verb that are shown in its help."""
    from assay.cli.app import app

    verbs: Any = typer.main.get_command(app)
    return [one for one in verbs.commands[verb].params if not getattr(one, "hidden", False)]


def _option_values(option: Any, folder: Path) -> list[str]:
    """The known values of an option: benchmarks or suites; empty for other options."""
    from assay.workflows.completion import KnownWords

    for name in option.opts:
        if name in _OPTIONS:
            return _OPTIONS[name](KnownWords(folder))
    return []


def _argument_values(before: list[str], folder: Path) -> list[str]:
    """The known values of the next argument that is no option: targets, revisions, labels."""
    from assay.workflows.completion import KnownWords

    verb, *rest = before
    known = KnownWords(folder)
    if verb == "runs":
        from assay.cli.runs import Action

        return known.labels() if rest else list(Action)
    if verb == "completion":
        return [one for one in Shell if one is not Shell.WORDS]
    return _ARGUMENTS[verb](known) if verb in _ARGUMENTS else []


_OPTIONS: "dict[str, Callable[[KnownWords], list[str]]]" = {
    **dict.fromkeys(
        ("--filter", "--base-filter", "--candidate-filter", "--bench"),
        lambda known: known.patterns(),
    ),
    "--benchmark": lambda known: known.benchmarks(),
    "--suite": lambda known: known.suites(),
}
_ARGUMENTS: "dict[str, Callable[[KnownWords], list[str]]]" = {
    **dict.fromkeys(
        ("run", "compare", "why", "list", "floor", "report", "multiview"),
        lambda known: known.targets(),
    ),
    **dict.fromkeys(("gate", "bisect"), lambda known: known.revisions()),
    "history": lambda known: known.patterns(),
}
