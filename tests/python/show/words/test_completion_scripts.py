"""Each script ends with telling its shell which command it completes; cli/ runs them in shells."""

import pytest

from assay.show.words.completion_scripts import SCRIPTS

LAST = {
    "bash": "complete -o default -o bashdefault -F _assay assay",
    "zsh": "compdef _assay assay",
    "fish": "complete -c assay -f -a '(__assay_words)'",
}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_command_is_told_to_the_shell(shell: str) -> None:
    lines = SCRIPTS[shell].splitlines()
    assert lines[-1] == LAST[shell]
    assert sum("assay completion words -- " in line for line in lines) == 1


def test_zsh_finds_its_script_by_the_first_line() -> None:
    assert SCRIPTS["zsh"].startswith("#compdef assay\n")
