"""Counts all instructions of a command by function, its start and its end included.

    profile = whole_process(target, valgrind)
    profile.loop.total      instructions of one run; there is no set-up, as there is no loop

Processes that the command starts are not counted, so a shell is refused: only it would be counted.
"""

import os
from pathlib import Path

from assay.errors import InputError, LaunchError
from assay.measure.executor import Launch
from assay.measure.profile.exact.callgrind_file import CallgrindPart, parse
from assay.measure.profile.exact.pinned import Valgrind, pinned_variables
from assay.measure.profile.exact.under_valgrind import LOG_BYTES, failure_message
from assay.measure.profile.exact.work import addresses, executions_by_address, work_of
from assay.measure.profile.program.frames import frames
from assay.measure.targets.command import CommandTarget
from assay.scratch import scratch_folder
from assay.work import Profile, Work

_SHELL = "/bin/sh"  # what runs a command that needs a shell
# Bytes of callgrind's file, at most: reading one takes 10 times as much memory.
_LARGEST_PART = 400_000_000


def whole_process(target: CommandTarget, valgrind: Valgrind) -> Profile:
    """Instructions of one run by function. Raises `LaunchError` saying how the program failed."""
    if target.argv[0] == _SHELL:
        raise LaunchError(
            "it needs a shell, whose instructions would be counted instead: name the program "
            "alone, without pipes, redirections and variables"
        )
    with scratch_folder() as folder:
        part = _counted(target, valgrind, folder / "part")
    wanted = addresses(part)
    known = {binary: frames(binary, some, target.executor) for binary, some in wanted.items()}
    return Profile(work_of(part, known, 1), Work(1, {}, {}), executed=executions_by_address(part))


def _counted(target: CommandTarget, valgrind: Valgrind, out: Path) -> CallgrindPart:
    argv = (
        *valgrind.words,
        "--tool=callgrind",
        "--quiet",
        "--dump-instr=yes",
        "--dump-line=yes",
        f"--callgrind-out-file={out}",
        *target.argv,
    )
    env = pinned_variables(target.argv, os.environ)
    launch = Launch(argv, target.timeout_s, env=env, stderr_bytes=LOG_BYTES)
    done = target.executor.run(launch)
    if not done.ok:
        raise LaunchError(failure_message(done))
    if not out.exists() or out.stat().st_size > _LARGEST_PART:
        raise LaunchError("callgrind wrote nothing of it, or more than 400 MB")
    try:
        return parse(out.read_bytes().decode(errors="replace"))
    except InputError as error:
        raise LaunchError(error.message) from None
