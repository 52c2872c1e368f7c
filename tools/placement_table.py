"""How many functions change their place when one in the middle grows, in each scheme of flags.

.venv/bin/python tools/placement_table.py              # the table of decision 42
.venv/bin/python tools/placement_table.py --changed 4  # quicker: four functions grow in turn

A small library is made: 24 files of 12 functions whose sizes are drawn from a seed. One function
after the other is made larger by some bytes and everything is linked anew. Counted are the other
functions: whose address is another modulo 64 (the line of the cache it begins in, and what the
decoder sees of it), and whose is another modulo 4096 (the page, and which addresses alias).
"""

import argparse
import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FILES, EACH, SEED = 24, 12, 1
GROWN_BYTES = (10, 100)
_ORDER = ("-ffunction-sections", "-Wl,--sort-section=name")


@dataclass(frozen=True)
class Scheme:
    name: str
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Built:
    """The functions' addresses, and the size of the code."""

    addresses: dict[str, int]
    text_bytes: int


SCHEMES = (
    Scheme("as it is (`-O2`)", ()),
    Scheme("order by name alone", _ORDER),
    *(Scheme(f"`-falign-functions={n}`", (f"-falign-functions={n}",)) for n in (32, 64)),
    *(
        Scheme(f"`-falign-functions={n}`, by name", (f"-falign-functions={n}", *_ORDER))
        for n in (64, 256, 1024, 4096)
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changed", type=int, default=24, help="functions that grow, in turn")
    changed = parser.parse_args().changed
    with tempfile.TemporaryDirectory() as folder:
        sources = write_library(Path(folder))
        print(HEAD)
        for scheme in SCHEMES:
            print(row(scheme, Path(folder), sources, changed), flush=True)


HEAD = """\
| flags | code, bytes | +10 bytes: modulo 64 | 4096 | +100 bytes: 64 | 4096 | other order: 64 | 4096 |
| --- | --- | --- | --- | --- | --- | --- | --- |"""  # noqa: E501


def write_library(folder: Path) -> list[Path]:
    """Write functions of 20 to 600 bytes; their names do not depend on the file they are in."""
    chance = random.Random(SEED)
    names = [f"work_{number:03d}" for number in range(FILES * EACH)]
    chance.shuffle(names)
    return [_write_file(folder, number, names, chance) for number in range(FILES)]


def _write_file(folder: Path, number: int, names: list[str], chance: random.Random) -> Path:
    lines: list[str] = []
    for name in names[number * EACH : (number + 1) * EACH]:
        steps = range(chance.randint(1, 40))
        body = " ".join(f"x = x * {chance.randint(3, 9999)}u ^ (x >> {1 + i % 30});" for i in steps)
        lines += [
            f"#ifndef GROW_{name}",
            f"#define GROW_{name}",
            "#endif",
            f"unsigned {name}(unsigned x) {{ GROW_{name} {body} return x; }}",
        ]
    path = folder / f"part{number:02d}.c"
    path.write_text("\n".join(lines) + "\n")
    return path


def row(scheme: Scheme, folder: Path, sources: Sequence[Path], changed: int) -> str:
    before = built(scheme, folder, sources, "", 0)
    cells = []
    for grown_bytes in GROWN_BYTES:
        counts = list(_moved(scheme, folder, sources, before, changed, grown_bytes))
        for place in (0, 1):
            cells.append(f"{sum(one[place] for one in counts) / len(counts):.0f}")
    reordered = built(scheme, folder, sources[::-1], "", 0)
    cells += [str(one) for one in _others(before, reordered, "")]
    return f"| {scheme.name} | {before.text_bytes:,} | {' | '.join(cells)} |"


def _moved(
    scheme: Scheme,
    folder: Path,
    sources: Sequence[Path],
    before: Built,
    changed: int,
    grown_bytes: int,
) -> Iterator[tuple[int, int]]:
    """For each grown function how many others moved, modulo 64 and modulo 4096."""
    # With the library's own seed, functions at its end would be drawn.
    chance = random.Random(SEED + 1)
    for name in chance.sample(sorted(before.addresses), changed):
        after = built(scheme, folder, sources, name, grown_bytes)
        yield _others(before, after, name)


def _others(before: Built, after: Built, name: str) -> tuple[int, int]:
    """How many functions other than this one moved, modulo 64 and modulo 4096."""
    pairs = [(at, after.addresses[one]) for one, at in before.addresses.items() if one != name]
    lines, pages = (sum(a % size != b % size for a, b in pairs) for size in (64, 4096))
    return lines, pages


def built(
    scheme: Scheme, folder: Path, sources: Sequence[Path], grown: str, grown_bytes: int
) -> Built:
    """Build with one function grown by some bytes; only its file is compiled again."""
    for source in sources:
        target = source.with_suffix(".o")
        has_it = f" {grown}(" in source.read_text()
        if grown and not has_it:
            continue
        more = [f'-DGROW_{grown}=__asm__(".skip {grown_bytes}, 0x90");'] if has_it and grown else []
        _run("gcc", "-O2", *scheme.flags, *more, "-c", str(source), "-o", str(target))
    program = folder / "library.so"
    objects = [str(source.with_suffix(".o")) for source in sources]
    _run("gcc", "-shared", "-nostdlib", *scheme.flags, *objects, "-o", str(program))
    result = Built(_addresses(program), _text_bytes(program))
    if grown:  # undone, for the next function
        changed = next(one for one in sources if f" {grown}(" in one.read_text())
        _run("gcc", "-O2", *scheme.flags, "-c", str(changed), "-o", str(changed.with_suffix(".o")))
    return result


def _addresses(program: Path) -> dict[str, int]:
    rows = (line.split() for line in _run("nm", str(program)).splitlines())
    return {one[2]: int(one[0], 16) for one in rows if one[-1].startswith("work_")}


def _text_bytes(program: Path) -> int:
    lines = (line.split() for line in _run("size", "-A", str(program)).splitlines())
    return next(int(one[1]) for one in lines if one and one[0] == ".text")


def _run(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
