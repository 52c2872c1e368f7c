"""How tests run each command of the README, and the folder in which they do."""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

from shown import FEW, Run
from stores import Step, filled

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
SCRIPTS = Path(sysconfig.get_path("scripts"))
RUNS = {
    ".venv/bin/assay compare old/bench new/bench": Run(FEW, says="undecided"),
    "assay list build/bench": Run(says="hash_std"),
    "assay run build/bench -o today.json": Run(FEW, says="record: today.json"),
    "assay compare build-old/bench build-new/bench": Run(FEW, says="undecided"),
    "assay compare old.json new.json": Run(says="one after the other"),
    "assay compare old.json new.json --format gbench": Run(says="Time Old"),
    'assay compare "cmd:./server --once" "cmd:../new/server --once"': Run(FEW, says="undecided"),
    'assay compare "cmd:gzip -k -f data" "cmd:zstd -q -f data" '
    # max_rss has a row only if it changed, which 14 rounds may not settle on a busy machine.
    "--metric real_time --metric max_rss": Run(" --rounds 14 -q", says="(real_time)"),
    "assay compare old/bench new/bench --gate --markdown summary.md --junit results.xml": Run(
        FEW, codes=(4,), says="This gate would have caught no slowdown"
    ),
    "assay index stlmap -t 2 -r 0.8 -u 0.2": Run(" -n 1000 -p 1000", says="stlmap"),
    "assay index --sweep examples/index/sweep.toml": Run(
        " --quiet", instead=(("examples/index/sweep.toml", "sweep.toml"),), says="stlmap"
    ),
    "assay index --crash 50 rocksdb": Run(" -n 200", instead=(("50", "1"),), says="rocksdb"),
    "assay os exec": Run(" -C 20 -D 5 -S", says="exec"),
    "assay multiview base.out new*.out -o mv.html": Run(says="mv.html"),
    "assay overhead examples/overhead/exec.toml": Run(
        FEW, instead=(("exec.toml", "seccomp.toml"),), says="overhead"
    ),
    "assay suite primitives --quick": Run(" --only ref --filter ref_copy -q", says="ref_copy"),
    "assay suite restore": Run(
        " --quick -q --filter populatetree<CompactTree>/nested/numeric", says="CompactTree"
    ),
    "assay compare git:v1.0 git:v1.1": Run(FEW, says="BM_format", within="words"),
    "assay compare git:main . --placements 8": Run(
        FEW, (("--placements 8", "--placements 2"),), says="BM_format", within="words"
    ),
    "assay gate": Run(FEW, says="both sides are the same program", within="words"),
    "assay history": Run(says="BM_format", within="words"),
    "assay runs push git:origin": Run(
        instead=(("assay", "git init -q --bare o.git && assay"), ("git:origin", "git:o.git")),
        says="to git:o.git#assay-runs",
        within="words",
    ),
    "assay serve": Run(" --export pages", says="pages/index.html", within="words"),
    # The commit it names on a busy machine is tested in tests/python/cli/test_bisect.py.
    "assay bisect v1.0 v1.1 --filter BM_format": Run(
        codes=(0, 4), says="against GOOD", within="words"
    ),
    "assay why git:v1.0 git:v1.1": Run(
        " -q --stages work", says="more instructions an iteration", within="words"
    ),
    "assay gate --instrument instructions --why": Run(
        " -q", says="both sides are the same program", within="words"
    ),
    "assay doctor": Run(codes=(0, 1), says="governor"),
    "assay trust build/bench": Run(" --filter hash_std --budget 2s -q", says="a copy"),
    "assay floor build/bench": Run(" --rounds 20 --filter hash_std -q", says="hash_std"),
}


def made_place(top: Path, native: Callable[[str], Path]) -> Path:
    """A folder with everything that the commands name."""
    here = top / "here"
    for folder in ("build", "build-old", "build-new", "old", "new", ".venv"):
        (here / folder).mkdir(parents=True)
    for folder in ("build", "build-old", "build-new", "old", "new"):
        (here / folder / "bench").symlink_to(native("plain_benchmark"))
    (here / ".venv" / "bin").symlink_to(SCRIPTS)
    (here / "examples").symlink_to(ROOT / "examples")
    (top / "new").mkdir()
    for server in (here / "server", top / "new" / "server"):
        server.write_text("#!/bin/sh\nexit 0\n")
        server.chmod(0o755)
    (here / "data").write_bytes(os.urandom(20_000))
    for name, data in (("old", "test3_run0"), ("new", "test3_run1")):
        shutil.copy(DATA / "gbench" / f"{data}.json", here / f"{name}.json")
    for name, data in (("base", "base0"), ("new1", "bpf0"), ("new2", "audit0")):
        shutil.copy(DATA / "libmicro" / f"{data}.out", here / f"{name}.out")
    _plans(here)
    script = ROOT / "examples" / "08_history" / "make_repository.sh"
    subprocess.run([str(script), "words"], cwd=here, check=True)
    # Commands are tested separately: the one that measures may run in another process, or later.
    filled(here / "words" / ".assay", {"BM_format": Step()}, runs=2)
    return here


def _plans(here: Path) -> None:
    """Copy the plans of the examples, changed to measure less."""
    sweep = (ROOT / "examples" / "index" / "sweep.toml").read_text()
    for written, less in (
        ('["stlmap", "absl_btree"]', '["stlmap"]'),
        ("[1, 2]", "[1]"),
        ("200_000", "1_000"),
        ("seconds = 1", "seconds = 0.1"),
        ("rounds = 3", "rounds = 1"),
    ):
        assert written in sweep
        sweep = sweep.replace(written, less)
    (here / "sweep.toml").write_text(sweep)
