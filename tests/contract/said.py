"""What Assay says of data that stay the same, word for word and figure for figure.

    .venv/bin/python tests/contract/said.py      writes tests/contract/said anew

`test_said.py` asks for the same again. It knows no module of the program, only its verbs, so
that code may move freely while nothing that a user reads does. Rounds of every kind of noise
are made here, seeded; the other data are those of tests/data and schema/golden.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support")]

from judging import NOISES, SCATTER, Floats, real_rounds  # noqa: E402

from assay.model import Record, Sample, Side  # noqa: E402
from assay.record.writer import encode  # noqa: E402

SAID = Path(__file__).parent / "said"
GBENCH = "tests/data/gbench"
ROUNDS, SAMPLES = 60, 5
EFFECTS = {"none": 0.0, "1.5 %": 0.015, "5 %": 0.05, "slow in 1 of 5": 0.3}
WIDTH = 120
TEST1 = f"{GBENCH}/test1_run1.json {GBENCH}/test1_run2.json"
TEST3 = f"{GBENCH}/test3_run0.json {GBENCH}/test3_run1.json"
VERBS = ("run", "compare", "overhead", "multiview", "report", "list", "floor", "suite", "demo")


class Asked(NamedTuple):
    """One command line and the files it writes; `{}` is where they and made data lie."""

    name: str
    arguments: str
    files: tuple[str, ...] = ()


ASKED = (
    *(
        Asked(
            f"files-{name}",
            f"compare {files} --json {{}}/out.json --markdown {{}}/out.md --junit {{}}/out.xml",
            ("out.json", "out.md", "out.xml"),
        )
        for name, files in (("test1", TEST1), ("test3", TEST3))
    ),
    Asked("gbench-test1", f"compare {TEST1} --format gbench"),
    Asked("gbench-test3", f"compare {TEST3} --format gbench"),
    Asked("gbench-test3-aggregates", f"compare {TEST3} --format gbench -a --no-utest"),
    Asked("session", "compare schema/golden/session.json --json {}/out.json", ("out.json",)),
    Asked("made", "compare {}/made.json --json {}/out.json --gate", ("out.json",)),
    Asked(
        "made-margin-0",
        "compare {}/made.json --json {}/out.json --margin 0% --gate=strict",
        ("out.json",),
    ),
    Asked(
        "made-one", "compare {}/made.json --filter ^heavy.*none$ --json {}/out.json", ("out.json",)
    ),
    Asked("real", "compare {}/real.json --json {}/out.json --margin 1% --alpha 0.1", ("out.json",)),
    Asked("real-gate", "compare {}/real.json --gate --gate-strength 3%"),
    Asked("report-markdown", "report {}/real.json -o {}/out.md", ("out.md",)),
    Asked("report-junit", "report {}/real.json -o {}/out.xml", ("out.xml",)),
    Asked("bad-filter", "compare {}/made.json --filter nothing-like-it"),
    Asked("bad-file", "compare schema/golden/session.json schema/golden/session.json"),
    Asked("bad-option", "compare a b --margin x"),
    Asked("help", "--help"),
    *(Asked(f"help-{verb}", f"{verb} --help") for verb in VERBS),
)


def said(asked: Asked, folder: Path) -> Iterator[tuple[str, str]]:
    """What one command line says: file names in `SAID` and their texts."""
    arguments = asked.arguments.replace("{}", str(folder)).split()
    done = subprocess.run(
        [str(Path(sysconfig.get_path("scripts")) / "assay"), *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": str(WIDTH), "XDG_CACHE_HOME": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    text = f"exit {done.returncode}\n{done.stdout}{done.stderr}".replace(str(folder), "{}")
    yield f"{asked.name}.txt", text
    for name in asked.files:
        yield f"{asked.name}{Path(name).suffix}", (folder / name).read_text()


def make_data(folder: Path) -> None:
    """Records of interleaved rounds: of every kind of noise, and those of a real host."""
    (folder / "made.json").write_bytes(encode(record_of(dict(_made()))))
    (folder / "real.json").write_bytes(encode(record_of(real_rounds("five_percent"))))


def _made() -> Iterator[tuple[str, tuple[Floats, Floats]]]:
    rng = np.random.default_rng(17)
    for kind, noise in NOISES.items():
        for effect, size in EFFECTS.items():
            sides = 100.0 * np.exp(0.002 * rng.standard_normal((2, ROUNDS, SAMPLES)))
            moved = SCATTER * noise(rng, (1, ROUNDS))[0]
            share = 0.2 if effect.startswith("slow") else 1.0
            moved += np.log1p(size) * (rng.random(ROUNDS) < share)
            yield f"{kind}/{effect}", (sides[0], sides[1] * np.exp(moved)[:, None])


def record_of(benchmarks: dict[str, tuple[Floats, Floats]]) -> Record:
    """Interleaved rounds of two builds, as a session would have written them."""
    rounds = len(next(iter(benchmarks.values()))[0])
    samples = tuple(
        Sample(
            benchmark=name,
            values={"real_time": tuple(sides[place][number].tolist())},
            side=side,
            round=number,
            launch=2 * number + place + 1,
            position=(place + number) % 2,
        )
        for number in range(rounds)
        for name, sides in benchmarks.items()
        for place, side in enumerate(Side)
    )
    facts = {
        "schema": 1,
        "tool": "assay",
        "seed": 7,
        "design": "interleaved",
        "targets": {"base": "old/bench", "candidate": "new/bench"},
    }
    return Record(context={"num_cpus": 2}, facts=facts, samples=samples, failures=())


def main() -> None:
    """Write everything anew."""
    SAID.mkdir(exist_ok=True)
    for old in SAID.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="assay-said-") as folder:
        make_data(Path(folder))
        for asked in ASKED:
            for name, text in said(asked, Path(folder)):
                (SAID / name).write_text(text)


if __name__ == "__main__":
    main()
