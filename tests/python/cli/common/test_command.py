"""A dataclass of options becomes a command line: names, defaults, order, what is required."""

from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

import assay
from assay.cli.common.command import After, command


@dataclass(frozen=True, kw_only=True)
class Shared:
    """A group of options of several verbs."""

    budget: Annotated[str, typer.Option("--budget", help="Time to spend.")] = "5s"
    quiet: Annotated[bool, typer.Option("-q")] = False


@dataclass(frozen=True, kw_only=True)
class Options(Shared):
    """Those of one verb, with a default of its own for one it shares."""

    target: Annotated[str, typer.Argument()]
    metric: Annotated[list[str] | None, typer.Option("--metric")] = None
    budget: Annotated[str, typer.Option("--budget", help="Time to spend.")] = "40s"


@command(Options)
def verb(options: Options) -> int:
    """Shows what it was given."""
    print(options)
    return 0


def said(*words: str) -> tuple[int, str]:
    app = typer.Typer(rich_markup_mode=None)
    app.command("verb")(verb)
    done = CliRunner().invoke(app, words)
    return done.exit_code, done.output


def test_the_verb_gets_one_value_with_what_was_written_and_the_defaults() -> None:
    expected = Options(target="bench", metric=["a", "b"], budget="40s", quiet=True)
    assert said("bench", "--metric", "a", "-q", "--metric", "b") == (0, f"{expected}\n")


def test_a_field_without_default_is_required() -> None:
    code, text = said("-q")
    assert code == 2
    assert "Missing argument 'target'" in text


def test_own_options_come_before_shared_ones_and_each_once() -> None:
    assert list(signature(verb).parameters) == ["target", "metric", "budget", "quiet"]


@dataclass(frozen=True, kw_only=True)
class Placed(Options):
    """Two more options, which belong below a shared one and below each other."""

    first: Annotated[bool, typer.Option("--first"), After("budget")] = False
    second: Annotated[bool, typer.Option("--second"), After("first")] = False


def test_an_own_option_stands_below_the_one_it_names() -> None:
    @command(Placed)
    def placed(options: Placed) -> int:
        return 0

    order = ["target", "metric", "budget", "first", "second", "quiet"]
    assert list(signature(placed).parameters) == order


def test_help_is_that_of_the_verb_and_of_its_fields() -> None:
    code, text = said("--help")
    assert code == 0
    assert "Shows what it was given." in text
    assert "Time to spend.  [default: 40s]" in text


def test_annotations_are_asked_for_and_not_looked_up() -> None:
    """Python 3.14 makes them when asked: looked up among a class's attributes there are none, and
    every verb had lost its options. No such Python is in Debian 12: `./dev bench wheel_roots` has.
    """
    sources = list(Path(assay.__file__).parent.rglob("*.py"))
    assert len(sources) > 300
    assert [path for path in sources if '"__annotations__"' in path.read_text()] == []
