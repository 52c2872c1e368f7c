"""Completion as somebody types: names that mean something to a shell arrive as names.

bash and zsh run at a terminal of their own. A key that is bound here writes the line as it then is.
"""

import os
import pty
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from patience import wait_until
from remotes import folder_with_assay, git
from stores import Step, filled

from assay.cli import invoke
from assay.cli.completion import completion_candidates

BRANCH = "x;touch${IFS}pwned"
NAMES = ("BM_Sort<int>/8", "as*", "two words", "it's $HOME", 'say "x"', "back\\slash", "1>pwned")
CONTROL = "a\nb"
DUMP = "\x18"  # Ctrl-X

BASH = """PS1=; eval "$(assay completion bash)"
dump() { printf %s "$READLINE_LINE" > line.new; mv line.new line; }
bind -x '"\\C-x": dump'; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'
"""
ZSH = """PS1=; autoload -Uz compinit; compinit -u -D; eval "$(assay completion zsh)"
dump() { print -rn -- "$BUFFER" > line.new; mv line.new line }; zle -N dump
bindkey '^X' dump; bindkey '^I' complete-word
"""
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], BASH),
    "zsh": (["zsh", "-f", "-i"], ZSH),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with odd benchmarks, a branch that is a command, and `assay` on PATH."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
    git(tmp_path, "branch", BRANCH)
    (tmp_path / "assay.toml").write_text('[suites.parser]\nrun = "b"\n')
    filled(tmp_path / ".assay", dict.fromkeys((*NAMES, CONTROL, "-x"), Step()), runs=2)
    assert invoke(["runs"]) == 0  # which makes the catalogue
    monkeypatch.setenv("PATH", f"{folder_with_assay(tmp_path)}:{os.environ['PATH']}")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@contextmanager
def _terminal(name: str) -> Iterator[int]:
    if shutil.which(name) is None:
        pytest.skip(f"no {name}")
    ours, theirs = pty.openpty()
    command, _ = SHELLS[name]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    try:
        yield ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _until_there(terminal: int, path: Path) -> str:
    """What the shell writes to its terminal is read away meanwhile."""

    def _is_there() -> bool:
        if select.select([terminal], [], [], 0)[0]:
            with suppress(OSError):  # the shell has ended
                os.read(terminal, 65_536)
        return path.exists()

    wait_until(_is_there, path.name)
    return path.read_text()


def typed(shell: str, line: str) -> str:
    """The line after somebody has typed it and pressed TAB."""
    setting, there = Path("setting"), Path("line")
    setting.write_text(f"{SHELLS[shell][1]}\ntouch ready\n")
    for path in (there, Path("ready")):
        path.unlink(missing_ok=True)
    with _terminal(shell) as terminal:
        os.write(terminal, b"source ./setting\n")
        _until_there(terminal, Path("ready"))
        os.write(terminal, f"{line}\t{DUMP}".encode())
        return _until_there(terminal, there).rstrip("\n")


def _means(shell: str, line: str) -> str:
    """The last word that `assay` is given where somebody presses Enter, as the shell says."""
    told = "assay() { printf '%s\\n' \"$@\"; }"
    command = [*SHELLS[shell][0][:-1], "-c", f"{told}\n{line}"]
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[-1]


TYPED = {
    "assay report --benchmark BM": "BM_Sort<int>/8",
    'assay report --benchmark "BM': "BM_Sort<int>/8",
    "assay report --benchmark 'BM": "BM_Sort<int>/8",
    "assay report --benchmark BM_Sort\\<in": "BM_Sort<int>/8",
    "assay report --benchmark as": "as*",
    "assay report --benchmark tw": "two words",
    "assay report --benchmark two\\ w": "two words",
    'assay report --benchmark "two w': "two words",
    "assay report --benchmark it": "it's $HOME",
    'assay report --benchmark "it': "it's $HOME",
    "assay report --benchmark sa": 'say "x"',
    "assay report --benchmark 1": "1>pwned",
    "assay gate x": BRANCH,
    "assay compare git:x": f"git:{BRANCH}",
    "assay history as": "as\\*",
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("line", TYPED)
def test_a_name_arrives_as_a_name(project: Path, shell: str, line: str) -> None:
    found = typed(shell, line)
    assert _means(shell, found) == TYPED[line], found
    assert not (project / "pwned").exists()


@pytest.mark.parametrize("line", TYPED)
def test_fish_is_given_the_name_which_it_quotes_itself(project: Path, line: str) -> None:
    if shutil.which("fish") is None:
        pytest.skip("no fish")
    Path("typed").write_text(line)
    script = "assay completion fish | source; complete -C (cat typed)"
    command = ["fish", "--no-config", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.splitlines() == [TYPED[line]], done.stderr


def test_a_name_that_no_line_can_hold_is_not_offered(project: Path) -> None:
    found = completion_candidates(["report", "--benchmark", ""], project)
    assert sorted(found) == sorted(NAMES)
