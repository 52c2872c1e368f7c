"""Mutated files for every reader, guided by what code they reach (atheris, libFuzzer).

    ./dev soak --minutes 30 fuzz                        all readers, 30 minutes each
    .venv/bin/python -m soak.fuzz callgrind 60          one, for 60 seconds, in this process

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
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import TypeGuard

from soak.documents import any_bytes
from soak.readers import ROOT, Change, Target, targets

FOUND = Path(os.environ.get("ASSAY_FUZZ_FOLDER", ROOT / "build" / "fuzz"))
LIMITS = ("-timeout=300", "-rss_limit_mb=1024", "-max_len=100000")
_LONGEST_S = 10.0  # of the CPU, for one file; on a busy machine that can be minutes
_WHOLE = 0.7  # of the mutations of a document keep it one
_LEAST_FUNCTIONS = 500  # that must be instrumented: fewer, and nothing guides the mutation


def soak(minutes: float) -> list[str]:
    """Every reader for so long, each in a process of its own; what was found, in words."""
    wrong = []
    for name in targets():
        command = [sys.executable, "-m", "soak.fuzz", name, str(round(60 * minutes))]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            wrong.append(f"{name}: {done.stderr[-2000:]}")
        else:
            print(f"fuzz: {name} holds, {executions(done.stderr)}", flush=True)
    return wrong


def executions(log: str) -> str:
    """What libFuzzer says of its work, in words."""
    runs = re.findall(r"Done (\d+) runs in (\d+) second", log)
    edges = re.findall(r"cov: (\d+)", log)
    if not runs or len(edges) < 2:
        return "but it does not say how often it was tried"
    (count, seconds), reached = runs[-1], f"{edges[0]} -> {edges[-1]} places reached"
    return f"{count} files in {seconds} s, {reached}"


def fuzz(name: str, seconds: int) -> None:
    """One reader, in this process, which libFuzzer ends."""
    import atheris

    target = targets()[name]
    functions = list(_functions())
    for function in functions:
        atheris.instrument_func(function)
    print(f"fuzz: {name}: {len(functions)} functions are instrumented", flush=True)
    if len(functions) < _LEAST_FUNCTIONS:
        raise AssertionError("so few that nothing would guide the mutation")
    more = {"custom_mutator": _mutator(target.change)} if target.change else {}
    options = (*LIMITS, f"-max_total_time={seconds}", *_files(name, target))
    atheris.Setup([sys.argv[0], *options], _tried(target), **more)
    atheris.Fuzz()


def _tried(target: Target) -> Callable[[bytes], None]:
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
