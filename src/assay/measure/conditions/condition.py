"""A condition to measure under: a tracer attached, a kernel feature on, a filter installed.

    with in_force(condition, workspace, undo_journal) as here:
        launch(words=here.wrap, environment=here.environment)
        here.count()

Everything is put back when the block is left, however it is left; and by the next
start of `assay` after a run was killed (`undo_journal`).
"""

import contextlib
import os
import re
import shlex
import shutil
import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from assay.errors import MeasurementError
from assay.measure.conditions.background import Readiness, Running, running_program
from assay.measure.conditions.proof import EventCount, EventCounting, Proof, ProofReaders
from assay.measure.conditions.undo import (
    MARK,
    Command,
    EndProcesses,
    RemoveFile,
    RestoreSetting,
    read_setting,
    run_line,
    write_setting,
)
from assay.measure.conditions.undo_journal import UndoJournal


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One condition of a plan (docs/reference/overhead-plan.md). Its lines are run by /bin/sh.

    Lines have the variables SCRATCH (a folder that goes away), RUN (a word no other run
    has), PLAN (the plan's folder) and FOUND_<name> for each command in `found`.
    """

    name: str
    root: bool = False  # whether it needs root
    needs: tuple[str, ...] = ()  # programs that must be installed
    # Commands that run before the condition changes anything; other commands get their output as
    # FOUND_<name>.
    found: dict[str, str] = {}
    # Kernel files, and what to write to each; the old content is put back afterwards.
    settings: dict[str, str] = {}
    setup: tuple[str, ...] = ()  # commands that put the condition into force
    background: str = ""  # command of a program that runs as long as the condition is in force
    ready: str = ""  # a regular expression: `background` is ready once its output matches
    ready_within_s: float = 20.0  # seconds in which `background` must be ready
    ready_settle_s: float = 0.0  # seconds to wait once it is ready
    stop: str = "TERM"  # the signal that asks `background` to end
    # Commands that undo `setup`, harmless even if that was cut short.
    teardown: tuple[str, ...] = ()
    environment: dict[str, str] = {}  # variables added for the target
    wrap: str = ""  # command that goes before the target's command line
    proof: Proof | None = None  # how to see that the condition was in force; None: it is not proven


class Workspace(msgspec.Struct, frozen=True):
    """The folders in which the conditions of one run of `assay overhead` work."""

    run: str  # a word unique to this run
    plan: Path  # folder of the plan's file
    scratch: Path  # folder in which each condition gets a folder of its own


class ConditionInForce(msgspec.Struct, frozen=True):
    """A condition that is in force now: how to launch under it, and how to prove it."""

    name: str
    wrap: tuple[str, ...]  # words that go before the target's command line
    environment: Mapping[str, str]
    background: Running | None
    counting: EventCounting | None

    def begin(self) -> None:
        """Start counting the events of the proof."""
        with naming_condition(self.name):
            if self.counting:
                self.counting.begin()

    def count(self) -> EventCount | None:
        """Events of the proof since `begin`; None for a condition without a proof."""
        with naming_condition(self.name):
            if self.background:
                self.background.raise_if_ended()
            if self.counting is None:
                return None
            counted = self.counting.end()
            return EventCount(counted.events + self.counting.printed_state(), counted.lost)


def missing_requirement(condition: Condition) -> str:
    """Why this machine cannot put the condition into force (no root, a program missing); empty: it
    can."""
    if condition.root and os.geteuid() != 0:
        return "needs root"
    programs = (*condition.needs, *shlex.split(condition.wrap)[:1])
    gone = [one for one in programs if "$" not in one and shutil.which(one) is None]
    return f"needs {', '.join(gone)}, which is not installed" if gone else ""


@contextmanager
def in_force(
    condition: Condition, workspace: Workspace, undo_journal: UndoJournal
) -> Iterator[ConditionInForce]:
    """Put the condition into force, and undo it when the block is left. A `MeasurementError` names
    the condition."""
    mark = undo_journal.number_of_steps()
    try:
        with naming_condition(condition.name):
            variables = _register_undo_steps(condition, workspace, undo_journal)
            for path, value in condition.settings.items():
                write_setting(Path(path), value)
            for line in condition.setup:
                run_line(line, variables, what="setup")
        with _running_background(condition, variables) as background:
            with naming_condition(condition.name):
                here = _launch_settings(condition, variables, background)
            yield here
    finally:
        undo_journal.roll_back(mark)


def _register_undo_steps(
    condition: Condition, workspace: Workspace, undo_journal: UndoJournal
) -> dict[str, str]:
    """Note every step that undoes the condition, then return the variables for its command
    lines."""
    scratch = workspace.scratch / re.sub(r"\W", "_", condition.name)
    # The token has the same length in every condition: the size of the environment moves the
    # stack, and so changes timings.
    token = f"{workspace.run}-{undo_journal.number_of_steps():08d}"
    undo_journal.register(RemoveFile(str(scratch)))
    scratch.mkdir(parents=True)
    variables = {
        "SCRATCH": str(scratch),
        "RUN": workspace.run,
        "PLAN": str(workspace.plan),
        MARK: token,
    }
    found = {
        f"FOUND_{name}": run_line(line, variables, what="looking").strip()
        for name, line in condition.found.items()
    }
    variables |= found
    for path in condition.settings:
        undo_journal.register(RestoreSetting(path, read_setting(Path(path))))
    for line in reversed(condition.teardown):
        undo_journal.register(Command(line, variables))
    undo_journal.register(EndProcesses(token))
    return variables


@contextmanager
def _running_background(
    condition: Condition, variables: Mapping[str, str]
) -> Iterator[Running | None]:
    if not condition.background:
        yield None
        return
    ready = Readiness(
        condition.ready, condition.ready_within_s, condition.ready_settle_s, condition.stop
    )
    log = Path(variables["SCRATCH"]) / "background.log"
    with contextlib.ExitStack() as stack:
        with naming_condition(condition.name):
            here = stack.enter_context(running_program(condition.background, ready, variables, log))
        yield here


def _launch_settings(
    condition: Condition, variables: Mapping[str, str], background: Running | None
) -> ConditionInForce:
    """The condition as launches need it: its wrapper and variables filled in, and its proof."""
    wrap = tuple(with_variables_filled_in(word, variables) for word in shlex.split(condition.wrap))
    own = {
        name: with_variables_filled_in(value, variables)
        for name, value in condition.environment.items()
    }
    inside = {**variables, **own}
    readers = ProofReaders(
        output=background.output if background else lambda: "",
        path=lambda name: Path(with_variables_filled_in(name, variables)),
        number=lambda line: _last_printed_number(run_line(line, variables, what="proof"), line),
        number_inside=lambda line: _last_printed_number(
            _output_under_condition(line, wrap, inside), line
        ),
    )
    counting = EventCounting(condition.proof, readers) if condition.proof else None
    environment = {MARK: variables[MARK], **own}
    return ConditionInForce(condition.name, wrap, environment, background, counting)


def with_variables_filled_in(text: str, variables: Mapping[str, str]) -> str:
    """`text` with its variables (as `$SCRATCH`) filled in; unknown variables stay in the text."""
    return string.Template(text).safe_substitute(variables)


def _output_under_condition(
    line: str, wrap: tuple[str, ...], environment: Mapping[str, str]
) -> str:
    """What the command `line` prints behind the target's wrapper and in its environment."""
    return run_line(shlex.join((*wrap, "/bin/sh", "-c", line)), dict(environment), what="proof")


def _last_printed_number(text: str, line: str) -> int:
    """The number that the command `line` printed last. Raises `MeasurementError` if that is
    none."""
    try:
        return int(text.split()[-1])
    except (ValueError, IndexError):
        raise MeasurementError(
            f"proof: `{line}` printed {text.strip()[:80]!r}, no number"
        ) from None


@contextmanager
def naming_condition(name: str) -> Iterator[None]:
    """Add the condition's name to a `MeasurementError` that is raised inside the block."""
    try:
        yield
    except MeasurementError as error:
        raise MeasurementError(
            error.what, where=error.where or f"condition {name!r}", hint=error.hint
        ) from None
