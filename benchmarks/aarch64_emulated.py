"""The wheel for aarch64, tried where no such machine is: every program in it runs under qemu.

    ASSAY_AARCH64_AT=FOLDER ...     keeps the root of Debian 12 there, and goes on with it

Compares and gates two benchmarks of which one does four times the
work, counts allocations that are known, and judges the journal of a comparison that was killed.
Promised: each verdict, exit code and count is the one known before. What emulation cannot show
(docs/guides/install.md) is not asked. It needs root, for a root of Debian and for binfmt_misc.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from benchmarks.tools import ROOT, promised

PACKAGES = "python3,git,libbenchmark-dev,libpfm4-dev,zlib1g-dev"
NEEDED = {
    "debootstrap": "debootstrap",
    "qemu-aarch64-static": "qemu-user-static",
    "aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu",
}
BINFMT = Path("/proc/sys/fs/binfmt_misc")
RULE = Path("/usr/lib/binfmt.d/qemu-aarch64.conf")
KINDS = ("2_17", "2_24", "2_26", "2_27", "2_28")  # of wheels that run with glibc 2.28
# A benchmark, with the allocations that Assay is to count: 3 a loop.
SOURCE = """
#include <assay/assay.hpp>

static void work(benchmark::State& state) {
  const assay::AllocationScope scope;
  for (auto _ : state) {
    for (int i = 0; i < 3; ++i) {
      void* block = std::malloc(40);
      benchmark::DoNotOptimize(block);
      std::free(block);
    }
    for (int i = 0; i < 20'000 * TIMES; ++i) benchmark::DoNotOptimize(i);
  }
  assay::report_allocations(state, scope);
}
BENCHMARK(work);

static void alike(benchmark::State& state) {
  int times = TIMES;
  benchmark::DoNotOptimize(times);
  for (auto _ : state) {
    for (int i = 0; i < 20'000; ++i) benchmark::DoNotOptimize(i);
  }
}
BENCHMARK(alike);
ASSAY_MAIN();
"""
# A program that knows nothing of Assay: 1,000 blocks beside the few of its start.
PLAIN = """
#include <stdlib.h>
int main(int count, char** words) {
  for (int i = 0; i < (count > 1 ? atoi(words[1]) : 0); ++i) {
    void* volatile block = malloc(40);
    free(block);
  }
}
"""
TWELVE = "--filter work --metric cpu_time --rounds 12 --quiet"
ASSAY_TOML = """
[build]
commands = ["cp bench built"]
[suites.main]
run = "built"
"""


def main() -> bool:
    lacking = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if lacking or os.geteuid() != 0:
        print(f"  left out: it needs root, and apt-get install {' '.join(NEEDED.values())}")
        return True
    with tempfile.TemporaryDirectory() as folder:
        at = Path(os.environ.get("ASSAY_AARCH64_AT", folder))
        was_registered = _registered()
        try:
            return _tried(at)
        finally:
            if not was_registered:
                (BINFMT / "qemu-aarch64").write_text("-1")


def _tried(at: Path) -> bool:
    root = _root_of_debian(at)
    _install(at)
    for times, name in ((1, "once"), (4, "often")):
        _compiled(root, SOURCE, name, f"-DTIMES={times}")
    _compiled(root, PLAIN, "plain")
    parts = (_compares, _gates, _counts, _counts_of_others, _recovers)
    kept = [part(root) for part in parts]
    return all(kept)


# ---- the machine ------------------------------------------------------------------------------


def _registered() -> bool:
    """Lets the kernel run programs for aarch64 by qemu; whether it did already."""
    if not (BINFMT / "register").exists():
        _run("mount", "-t", "binfmt_misc", "binfmt_misc", str(BINFMT))
    if (BINFMT / "qemu-aarch64").exists():
        return True
    (BINFMT / "register").write_bytes(RULE.read_bytes())
    return False


def _root_of_debian(at: Path) -> Path:
    """Debian's packages unpacked, none set up: that needs hours of emulation, and is needed by
    none of the programs that run here."""
    root = at / "root"
    if not (root / "unpacked").exists():
        began_s = time.monotonic()
        first = ["--arch=arm64", "--foreign", "--variant=minbase", f"--include={PACKAGES}"]
        _run("debootstrap", *first, "bookworm", str(root))
        for package in sorted((root / "var/cache/apt/archives").glob("*.deb")):
            _run("dpkg-deb", "-x", str(package), str(root))
        (root / "unpacked").touch()
        print(f"  root of Debian 12 for arm64: {time.monotonic() - began_s:.0f} s")
    return root


def _install(at: Path) -> None:
    """Our wheel and those that it needs, as pinned, by the pip of this machine, which takes only
    what fits that one: its own one would take minutes under emulation."""
    sys.path.append(str(ROOT / "tools"))
    import release

    wheel = release.built(ROOT, at / "dist", machine="aarch64")
    print(f"  {wheel.name}: {wheel.stat().st_size:,} bytes")
    text = (ROOT / "requirements" / "runtime.txt").read_text()
    pins = [one for one in re.findall(r"(?m)^\S+==\S+", text) if "scikit" not in one]
    options = [f"--platform=manylinux_{kind}_aarch64" for kind in KINDS]
    options += ["--python-version=3.11", "--only-binary=:all:", "--no-deps", "--upgrade"]
    target = f"--target={at / 'root' / 'assay'}"
    _run(sys.executable, "-m", "pip", "-q", "install", *options, target, *pins, str(wheel))
    with zipfile.ZipFile(wheel) as file:  # --target leaves out the static libraries
        for name in file.namelist():
            if name.endswith(".a"):
                (at / "root" / "opt" / Path(name).name).write_bytes(file.read(name))
    script = at / "root" / "usr" / "local" / "bin" / "assay"
    script.parent.mkdir(parents=True, exist_ok=True)
    places = "PYTHONPATH=/assay ASSAY_LIBEXEC=/assay/libexec/assay"
    script.write_text(f'#!/bin/sh\n{places} exec python3 -m assay "$@"\n')
    script.chmod(0o755)


def _compiled(root: Path, source: str, name: str, *words: str) -> None:
    """A program linked with the static libraries of the wheel and Debian's for arm64."""
    is_plain = source == PLAIN
    libraries = ["assay", "assay_record", "assay_measure", "assay_system"]
    file = root / "opt" / (f"{name}.c" if is_plain else f"{name}.cpp")
    file.write_text(source)
    theirs = root / "usr/lib/aarch64-linux-gnu"
    command = ["aarch64-linux-gnu-gcc" if is_plain else "aarch64-linux-gnu-g++", "-O2", str(file)]
    if not is_plain:
        command += ["-std=c++20", "-DNDEBUG", *words, f"-I{root}/assay/include", f"-L{root}/opt"]
        command += [f"-l{one}" for one in libraries]
        # By their files: beside them lies another libc.so, which names files of the root.
        command += [f"{theirs}/lib{one}.so" for one in ("benchmark", "pfm")]
        command += [f"{root}/lib/aarch64-linux-gnu/libz.so.1"]
    _run(*command, "-o", str(file.with_suffix("")))


def _inside(root: Path, line: str, *, may_fail: bool = False) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(_command(root, line), capture_output=True, text=True, check=False)
    if done.returncode and not may_fail:
        raise SystemExit(f"{line}\n{done.stdout}{done.stderr}")
    return done


def _command(root: Path, line: str) -> list[str]:
    """A line of shell in the root; what is mounted for it goes with it."""
    mounts = f"mount -t proc proc {root}/proc && mount --rbind /dev {root}/dev"
    clean = "env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root LANG=C.UTF-8"
    inside = 'mkdir -p /run/trial && cd /run/trial && eval "$0"'
    enter = f"{mounts} && exec {clean} chroot {root} sh -c '{inside}' \"$0\""
    return ["unshare", "--mount", "--fork", "--kill-child", "sh", "-c", enter, line]


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


# ---- what is tried ----------------------------------------------------------------------------


def _is(what: str, found: object, known: object) -> bool:
    return promised(f"{what}: {found}, known {known}", float(found != known), 0, "wrong")


def _verdicts(root: Path, file: str) -> list[str]:
    told = json.loads((root / "run/trial" / file).read_text())
    return [one["verdict"] for one in told["comparisons"] if one["benchmark"] == "work"]


def _compares(root: Path) -> bool:
    line = f"assay compare /opt/once /opt/often {TWELVE} --json two.json"
    began_s = time.monotonic()
    done = _inside(root, line, may_fail=True)
    print(done.stdout)
    print(f"  compare: {time.monotonic() - began_s:.0f} s")
    return _is("compare", (done.returncode, _verdicts(root, "two.json")), (0, ["slower"]))


def _gates(root: Path) -> bool:
    repository = root / "run/trial/repository"
    shutil.rmtree(repository, ignore_errors=True)
    repository.mkdir(parents=True)
    (repository / "assay.toml").write_text(ASSAY_TOML)
    git = "git -c user.name=a -c user.email=a@b -c safe.directory=*"
    add = f"{git} add -A && {git} commit -qm"
    _inside(root, f"cd repository && {git} init -qb main && cp /opt/once bench && {add} once")
    _inside(root, f"cd repository && {git} checkout -qb slower && cp /opt/often bench && {add} it")
    gate = f"cd repository && assay gate main {TWELVE}"
    slower = _inside(root, gate, may_fail=True)
    _inside(root, f"cd repository && {git} checkout -qb same main")
    _inside(root, f"cd repository && touch more && {git} add more && {git} commit -qm more")
    same = _inside(root, gate, may_fail=True)
    print(slower.stdout, slower.stderr, same.stdout, same.stderr)
    kept = _is("gate of a slowdown", slower.returncode, 1)
    return _is("gate of the same work", same.returncode, 0) and kept


def _counts(root: Path) -> bool:
    options = "--benchmark_out=counted.json --benchmark_out_format=json"
    _inside(root, f"/opt/once --benchmark_filter=work {options}")
    told = json.loads((root / "run/trial/counted.json").read_text())
    (row,) = told["benchmarks"]
    return _is("allocations of a loop", row.get("CallsToAlloc"), 3.0)


def _counts_of_others(root: Path) -> bool:
    found = []
    for count in (0, 1000):
        line = f"assay run --allocations --rounds 1 --quiet 'cmd:/opt/plain {count}' -o plain.json"
        _inside(root, line)
        text = (root / "run/trial/plain.json").read_text()
        (allocs,) = re.findall(r'"allocs": *\[? *([\d.]+)', text)
        found.append(float(allocs))
    return _is("allocations of another's program", found[1] - found[0], 1000.0)


def _recovers(root: Path) -> bool:
    """Killed after some rounds, as by a power cut; the journal is judged afterwards.

    Of two loops that differ in a number which is used once, before them, it is not decided at a
    margin of 0 which is slower, so that the comparison does not end before. The same code on both
    sides would end it; three steps more in 20,000 were found after 102 rounds.
    """
    journal = root / "run/trial/killed.json.journal"
    for file in (journal, journal.with_suffix("")):
        file.unlink(missing_ok=True)
    # exec: what is killed is Assay itself, not a shell that waits for it.
    limits = "--metric cpu_time --margin 0 --budget 600s"
    line = f"exec assay compare /opt/once /opt/often {limits} -o killed.json"
    with subprocess.Popen(
        _command(root, line), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as program:
        while program.poll() is None and _lines(journal) < 160:
            time.sleep(0.2)
        program.send_signal(signal.SIGKILL)
    kept = _is("killed before its end", not (root / "run/trial/killed.json").exists(), True)
    _inside(
        root,
        "assay compare killed.json.journal --metric cpu_time --quiet --json killed.verdict.json",
    )
    return kept and _is(
        "verdict of its journal", _verdicts(root, "killed.verdict.json"), ["slower"]
    )


def _lines(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0
