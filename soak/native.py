"""Mutated files for the native readers: libFuzzer with AddressSanitizer, each for so long.

    ./dev soak --minutes 30 native

The targets are `x_fuzz.cpp` beside `x.cpp`, built by clang with the preset "fuzz".
"""

import re
import subprocess
from pathlib import Path

from soak.fuzz import FOUND, LIMITS
from soak.readers import ROOT

_TARGETS = ("hdr_decode_fuzz", "records_fuzz", "elf_symbols_fuzz")
_BUILT = ROOT / "build" / "fuzz"
_ROW = b"/home/a/,b.txt,1,1,gB HRsb IGk B Po Po A A BAA I BWDNbq BWDNbq BWDNbq A A C,0,0,0\n"
_SEEDS = {
    "records_fuzz": (
        b"Path,Name,FileIndex,JobId,LStat,DeltaSeq,Fhinfo,Fhnode\n" + _ROW,
        b"2049 12 755 2 0 0 4096 1600000000.1234567890 d /home\x00"
        b"2049 13 644 2 0 0 7 -5.5 l /home/a\x00",
    ),
    "hdr_decode_fuzz": (b"HISTFAAAAB542pNpmSzMwMDAxAABzFCaEUoz2X+AsAA=",),
}


def soak(minutes: float) -> list[str]:
    """Build them, and run each for so long; what was found, in words."""
    _run("cmake", "--preset", "fuzz")
    _run("cmake", "--build", str(_BUILT), "--target", *_TARGETS)
    wrong = []
    for name in _TARGETS:
        command = [
            str(_BUILT / "tests" / name),
            *LIMITS,
            f"-max_total_time={round(60 * minutes)}",
            f"-artifact_prefix={FOUND}/{name}-",
            str(_corpus(name)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            wrong.append(f"{name}: {done.stderr[-2000:]}")
        else:
            print(f"native: {name} holds, {executions(done.stderr)}", flush=True)
    return wrong


def executions(log: str) -> str:
    """What libFuzzer says of its work, in words."""
    runs = re.findall(r"Done (\d+) runs in (\d+) second", log)
    edges = re.findall(r"cov: (\d+)", log)
    if not runs or len(edges) < 2:
        return "but it does not say how often it was tried"
    (count, seconds), reached = runs[-1], f"{edges[0]} -> {edges[-1]} places reached"
    return f"{count} files in {seconds} s, {reached}"


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True)


def _corpus(name: str) -> Path:
    folder = FOUND / "corpus" / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(_SEEDS.get(name, (_small_object(),))):
        (folder / f"seed-{number}").write_bytes(data)
    return folder


def _small_object() -> bytes:
    """An ELF file with symbols: the smallest of those that were just compiled."""
    return min((path.read_bytes() for path in _BUILT.rglob("*.cpp.o")), key=len)
