"""The command line as a whole: its list of verbs, and what it costs to look at it."""

import subprocess
import sys
from importlib import import_module

import pytest

from assay.cli import invoke
from assay.cli.app import VERBS, app
from assay.cli.common.exit_codes import DONE

HELP_WIDTH = 80


def test_help_lists_every_verb_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["--help"]) == DONE
    shown = capsys.readouterr().out
    listed = shown.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in listed] == list(VERBS)
    assert all(len(line) <= HELP_WIDTH for line in listed)


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_there_and_explains_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    verb = VERBS[name]
    assert callable(getattr(import_module(f"assay.cli.{verb.module}"), verb.function))
    if name not in ("index", "os"):  # theirs are of the native programs, which may not be built
        assert invoke([name, "--help"]) == DONE
        assert f"Usage: assay {name}" in capsys.readouterr().out


def test_nothing_at_all_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke([]) == DONE
    assert "Commands:" in capsys.readouterr().out


def test_a_verb_mistyped_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["compar"]) == 2
    assert "Did you mean 'compare'?" in capsys.readouterr().err


def test_help_imports_no_verb_and_nothing_heavy() -> None:
    """It was 143 ms when it did: each verb's options brought the model and its checks along."""
    program = (
        "import sys\nfrom assay.cli import invoke\ninvoke(['--help'])\n"
        "print([m for m in sys.modules if m.startswith('assay.cli.') or m in "
        "('msgspec', 'numpy', 'rich', 'assay.model')], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == (
        "['assay.cli.common', 'assay.cli.common.exit_codes', 'assay.cli.common.library_exit', "
        "'assay.cli.common.streams', 'assay.cli.common.typed', 'assay.cli.outermost', "
        "'assay.cli.app']"
    )


def test_the_name_of_the_program_is_told() -> None:
    assert app.info.name == "assay"
