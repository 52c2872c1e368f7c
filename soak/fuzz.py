"""Mutated files for every reader, guided by what code they reach (atheris, libFuzzer).

    ./dev soak --minutes 30 fuzz                        30 minutes for each reader of our own files
    .venv/bin/python -m soak.fuzz callgrind 60          one, for 60 seconds, in this process

Minutes are of the processor, so that a busy machine tries as much as an idle one. A format of
another tool gets a sixth of them. As many readers are tried at once as there are processors.

A reader may give a value or an error of Assay's; anything else ends the run, and the file that
did it is kept in build/fuzz. So does a file that takes over 10 s of CPU or 1 GB.
`soak/readers.py` lists the readers.
"""

import os
import pkgutil
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import NamedTuple, TypeGuard

from soak.documents import any_bytes
from soak.readers import ROOT, Change, Target, targets

FOUND = Path(os.environ.get("ASSAY_FUZZ_FOLDER", ROOT / "build" / "fuzz"))
LIMITS = ("-timeout=300", "-rss_limit_mb=1024", "-max_len=100000")
_LONGEST_S = 10.0  # of the CPU, for one file; on a busy machine that can be minutes
_WHOLE = 0.7  # of the mutations of a document keep it one
_LEAST_FUNCTIONS = 500  # that must be instrumented: fewer, and nothing guides the mutation
_STARTED = "started after {} s of the processor"
_OF_OTHERS = 1 / 6  # of the time that a reader of our own files gets
_SHORTEST_S = 20  # of one process, which needs some seconds to begin


class Tried(NamedTuple):
    """What one reader was given: files, and seconds of the processor without the start."""

    files: int = 0
    cpu_s: float = 0.0
    places: tuple[int, int] = (0, 0)  # of the code reached, at first and at the end
    error: str = ""


def soak(minutes: float) -> list[str]:
    """Every reader for so long, each in processes of its own; what was found, in words."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(filter(None, pool.map(partial(_told, minutes), targets())))


def _told(minutes: float, name: str) -> str:
    share = _OF_OTHERS if targets()[name].of_others else 1.0
    tried = of_processes(lambda left_s: _process(name, left_s), 60 * minutes * share)
    print(f"fuzz: {name}: {in_words(tried)}", flush=True)
    return f"{name}: {tried.error}" if tried.error else ""


def of_processes(process: Callable[[int], Tried], cpu_s: float) -> Tried:
    """One process after the other until they had so much of the processor, or one found something.

    `process(wall_s)` runs one for so long. The first is the longest: how much of the processor it
    will get is known afterwards.
    """
    whole = Tried()
    while whole.cpu_s < cpu_s and not whole.error:
        one = process(max(_SHORTEST_S, round(cpu_s - whole.cpu_s)))
        first = whole.places[0] or one.places[0]
        whole = Tried(
            whole.files + one.files,
            whole.cpu_s + one.cpu_s,
            (first, max(whole.places[1], one.places[1])),
            one.error,
        )
    return whole


def in_words(tried: Tried) -> str:
    """How much was tried."""
    found = "found something" if tried.error else "holds"
    minutes, (before, after) = tried.cpu_s / 60, tried.places
    return f"{found}, {tried.files} files in {minutes:.1f} min, {before} -> {after} places reached"


def _process(name: str, wall_s: int) -> Tried:
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", "soak.fuzz", name, str(wall_s)]
        child = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read().decode(errors="replace")
    return read_log(text, used.ru_utime + used.ru_stime, child.returncode)


def read_log(text: str, cpu_s: float, code: int) -> Tried:
    """What a process printed. One that does not say how often it tried has not tried."""
    runs, places = re.findall(r"Done (\d+) runs", text), re.findall(r"cov: (\d+)", text)
    start = re.findall(_STARTED.format(r"([\d.]+)"), text)
    if code or not runs or not places or not start:
        return Tried(error=f"ended with {code}: {text[-2000:]}")
    reached = int(places[0]), int(places[-1])
    return Tried(int(runs[-1]), cpu_s - float(start[0]), reached)


def fuzz(name: str, seconds: int) -> None:
    """One reader, in this process, which libFuzzer ends."""
    import atheris

    target = targets()[name]
    functions = list(_functions())
    for function in functions:
        atheris.instrument_func(function)
    if len(functions) < _LEAST_FUNCTIONS:
        raise AssertionError("so few that nothing would guide the mutation")
    more = {"custom_mutator": _mutator(target.change)} if target.change else {}
    options = (*LIMITS, f"-max_total_time={seconds}", *_files(name, target))
    print(_STARTED.format(f"{time.process_time():.3f}"), flush=True)
    atheris.Setup([sys.argv[0], *options], _within_limits(target), **more)
    atheris.Fuzz()


def _within_limits(target: Target) -> Callable[[bytes], None]:
    from assay.errors import AssayError

    def tried(data: bytes) -> None:
        began_s = time.process_time()
        with suppress(AssayError):
            target.read(data)
        took_s = time.process_time() - began_s
        if took_s > _LONGEST_S:
            raise AssertionError(f"one file took {took_s:.0f} s")

    return tried


def _mutator(change: Change) -> Callable[[bytes, int, int], bytes]:
    def mutated(data: bytes, longest: int, seed: int) -> bytes:
        chance = random.Random(seed)
        changed = (change if chance.random() < _WHOLE else any_bytes)(data, chance)
        return changed[:longest]

    return mutated


def _files(name: str, target: Target) -> Iterator[str]:
    """libFuzzer's words for the corpus, its own findings and the dictionary."""
    plain = re.sub(r"[^\w.-]", "-", name)
    corpus = FOUND / "corpus" / plain
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(data)
    if target.words:
        escaped = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in target.words)
        (FOUND / f"{plain}.dict").write_text("".join(f'"{word}"\n' for word in escaped))
        yield f"-dict={FOUND / plain}.dict"
    yield f"-artifact_prefix={FOUND}/{plain}-"
    yield str(corpus)


def _functions() -> Iterator[FunctionType]:
    """Assay's. An editable installation passes by atheris' hook for imports, so all modules are
    imported first. (Those of `tomllib` end in "SystemError" when atheris 2.3 instruments them.)"""
    import assay

    names = [one.name for one in pkgutil.walk_packages(assay.__path__, "assay.")]
    for name in names:
        module = import_module(name)
        for value in vars(module).values():
            inner = list(vars(value).values()) if isinstance(value, type) else [value]
            yield from (one for one in map(_plain, inner) if _is_of(one, name))


def _plain(value: object) -> object:
    """The function in a class method, a static one or a property."""
    if isinstance(value, property):
        return value.fget
    return getattr(value, "__func__", value)


def _is_of(value: object, module: str) -> TypeGuard[FunctionType]:
    return isinstance(value, FunctionType) and value.__module__ == module


if __name__ == "__main__":
    fuzz(sys.argv[1], int(sys.argv[2]))
