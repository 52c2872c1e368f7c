"""A wheel in bare Debians: how soon it measures, what each verb says there, and what it leaves.

    python -m benchmarks wheel_roots                            # as root; the newest of dist
    ASSAY_WHEEL=w.whl ASSAY_SUITES="bookworm trixie" ASSAY_ROOTS_AT=/var/tmp/roots \\
        python -m benchmarks wheel_roots

Each root has Python with venv, and no compiler, git or tracer. `pip` has no cache and asks its
registry as this host does. The executables are two of this build, with the libraries that they
need, and of 16 benchmarks one is compared, with the usual budget. Where a verb names what to
install, Debian's package of it is installed, and the verb is asked again: what still names
something then is printed.
"""

import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.bare_roots import SUITES, NoRootError, Root, made_root
from benchmarks.tools import NATIVE, ROOT, promised

sys.path.append(str(ROOT / "tests" / "support"))
from verbs_tried import TRIES, Answer, Kind, Try, prepare

_ENV = "/opt/assay"
_ASSAY = f"{_ENV}/bin/assay"
_TRIED = "/root/tried"
_LIBRARIES = ("libbenchmark.so*", "libpfm.so*")  # what a bare root lacks of what the two need
_TOGETHER_S, _HELP_MS, _WHEEL_MB = 30.0, 100.0, 25.0
_OLDEST = (3, 11)
# What a sentence names, and Debian's package of it.
_PACKAGES = {
    "git": "git",
    "valgrind": "valgrind",
    "perf": "linux-perf",
    "strace": "strace",
    "libbenchmark": "libbenchmark-dev",
}
# Of what lies there after all is uninstalled: whose it is. The rest is of the wheel.
_OF_OTHERS = {
    r"/root/\.cache/pip/": "~/.cache/pip (pip's own)",
    r"/root/\.cache/assay/": "~/.cache/assay (yours: builds of revisions, floors)",
    r"/root/\.local/state/assay/": "~/.local/state/assay (yours: what was measured)",
    rf"{_TRIED}/": "the folder worked in (yours: .assay, and files that were asked for)",
}
# Prints, of both commands in turns: the least and the median time, and the least of the processor.
_HELP = """
import os, statistics, subprocess, sys, time
def processor():
    used = os.times()
    return used.children_user + used.children_system
def once(*command):
    began, used = time.perf_counter(), processor()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (time.perf_counter() - began), 1000 * (processor() - used)
turns = [(once(sys.argv[1], "--help"), once(sys.argv[2], "-c", "pass")) for _ in range(21)][1:]
for each in zip(*turns):
    wall, used = zip(*each)
    print(min(wall), statistics.median(wall), min(used))
"""


def main() -> bool:
    wheel = _wheel()
    size = wheel.stat().st_size / 1e6
    print(f"{wheel.name}, on {os.cpu_count()} processors, {_load()}")
    kept = [promised("the wheel", size, _WHEEL_MB, "MB")]
    answers: dict[str, list[Answer]] = {}
    try:
        kept += [_is_kept(suite, wheel, answers) for suite in _suites()]
    finally:  # also of the roots that were tried when Ctrl-C ends it
        _print_table(answers)
    return bool(answers) and all(kept)


def _suites() -> list[str]:
    return os.environ.get("ASSAY_SUITES", " ".join(SUITES)).split()


def _is_kept(suite: str, wheel: Path, answers: dict[str, list[Answer]]) -> bool:
    """Whether what is promised is kept in one root; one that cannot be had breaks no promise."""
    with tempfile.TemporaryDirectory(prefix="wheel-roots-", dir="/var/tmp") as name:
        try:
            return _tried(made_root(suite, Path(name)), wheel, answers)
        except NoRootError as error:
            print(f"{suite}: left out: {error}")
            return True
        except RuntimeError as error:  # the other roots are tried all the same
            print(f"  BROKEN {error}")
            return False


def _wheel() -> Path:
    if asked := os.environ.get("ASSAY_WHEEL"):
        return Path(asked)
    found = sorted((ROOT / "dist").glob("assay-*.whl"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise SystemExit("error: no wheel in dist: ./dev wheel, or set ASSAY_WHEEL")
    return found[-1]


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def _tried(root: Root, wheel: Path, answers: dict[str, list[Answer]]) -> bool:
    """Everything in one root; whether what is promised was kept there."""
    version = root.must("python3 -c 'import sys; print(*sys.version_info[:3], sep=\".\")'")
    libc = root.must("ldd --version").split("\n")[0].rpartition(" ")[2]
    print(f"{root.suite}: Python {version}, glibc {libc}, {_load()}")
    if tuple(int(one) for one in version.split(".")[:2]) < _OLDEST:
        raise NoRootError(f"its Python is {version}, and there is no other in its packages")
    root.must(f"python3 -m venv {_ENV}")
    before = root.files()
    _put(root, wheel)
    kept = [_first_verdict(root, wheel.name), _help(root)]
    _print_sizes(root)
    found = [_ask(root, one) for one in TRIES]
    _refuse_untried(root)
    answers[root.suite] = found
    kept.append(promised("lines that neither work nor name", _neither(found), 0, "of them"))
    kept.append(_uninstalled(root, before))
    again = _asked_again(root, wheel.name, found)
    answers[f"{root.suite}+"] = again
    kept.append(promised("the same, with what was named", _neither(again), 0, "of them"))
    return all(kept)


def _put(root: Root, wheel: Path) -> None:
    """Into the root: the wheel, two executables, their libraries, and a project."""
    shutil.copy(wheel, root.folder / "root")
    programs, place = NATIVE / "libexec" / "assay", root.folder / _TRIED[1:]
    place.mkdir()
    prepare(place, programs / "copy_element_reserved", programs / "copy_element_naive")
    (place / "lib").mkdir()
    for pattern in _LIBRARIES:
        for path in Path("/usr/lib").glob(f"*/{pattern}"):
            shutil.copy(path, place / "lib")


def _first_verdict(root: Root, wheel: str) -> bool:
    began_s = time.perf_counter()
    root.must(f"{_ENV}/bin/pip install --quiet /root/{wheel}")
    installed_s = time.perf_counter() - began_s
    words = "base candidate --filter CopyElement/2$ --quiet"
    answer = _ask(root, Try("compare", words, r"CopyElement/2\b.* \d"))
    both_s = time.perf_counter() - began_s
    if answer.kind is not Kind.WORKS:
        raise RuntimeError(answer.output + answer.errors)
    compared_s = both_s - installed_s
    print(f"  pip install: {installed_s:.1f} s, assay compare: {compared_s:.1f} s, {_load()}")
    return promised("both", both_s, _TOGETHER_S, "s")


def _help(root: Root) -> bool:
    (root.folder / "root" / "help.py").write_text(_HELP)
    said = root.must(f"{_ENV}/bin/python /root/help.py {_ASSAY} {_ENV}/bin/python")
    (root.folder / "root" / "help.py").unlink()
    told, idle = ([float(word) for word in line.split()] for line in said.split("\n"))
    for name, (least, median, used) in (("assay --help", told), ("python -c pass", idle)):
        print(f"  {name}: least {least:.0f} ms, median {median:.0f}; processor {used:.0f} ms")
    return promised("assay --help, median of 20", told[1], _HELP_MS, "ms")


def _print_sizes(root: Root) -> None:
    packages = root.must(f"echo {_ENV}/lib/python3*/site-packages")
    places = f"{_ENV} {packages}/assay {_ENV}/libexec"
    each = root.must(f"for one in {places}; do du -sm $one | cut -f1; done").split()
    print("  installed, MB: {} in all; of it the package {}, programs {}".format(*each))


def _ask(root: Root, asked: Try) -> Answer:
    variables = {"LD_LIBRARY_PATH": f"{_TRIED}/lib"} if asked.within == "project" else {}
    variables["ASSAY_MACHINE_LOCK"] = "/root"  # waits for no measurement of the host
    line = f"cd {_TRIED}/{asked.within} && exec {_ASSAY} {asked.line}"
    done = root.run(line, **variables)
    return Answer(asked, done.returncode, done.stdout, done.stderr)


def _refuse_untried(root: Root) -> None:
    """A verb of the wheel that no line asks is a hole in the table."""
    verbs = "from assay.cli.app import VERBS; print(*VERBS)"
    there = set(root.must(f"{_ENV}/bin/python -c '{verbs}'").split())
    if missing := there ^ {one.verb for one in TRIES}:
        raise RuntimeError(f"tests/support/verbs_tried.py does not fit: {', '.join(missing)}")


def _neither(found: list[Answer]) -> int:
    return sum(one.kind is Kind.NEITHER for one in found)


def _uninstalled(root: Root, before: set[str]) -> bool:
    """Uninstall everything that came with the wheel; whether no file of it is left."""
    root.must(f"{_ENV}/bin/pip freeze | cut -d' ' -f1 | cut -d= -f1 > /root/installed")
    root.must(f"{_ENV}/bin/pip uninstall --quiet --yes -r /root/installed")
    for own in ("installed", *(one.name for one in (root.folder / "root").glob("*.whl"))):
        before.add(f"/root/{own}")
    left = sorted(one for one in root.files() - before if not _is_cached_code(one))
    for owner, files in Counter(map(_owner, left)).items():
        if owner:
            print(f"  stays: {files} files in {owner}")
    ours = [one for one in left if not _owner(one)]
    for one in ours[:10]:
        print(f"  LEFT: {one}")
    return promised("files left by uninstalling", len(ours), 0, "files")


def _owner(path: str) -> str:
    """Whose a file is that stays; empty: of the wheel."""
    return next((owner for where, owner in _OF_OTHERS.items() if re.match(where, path)), "")


def _is_cached_code(path: str) -> bool:
    """Code of Python's own library, which whoever imports it first compiles."""
    return path.endswith(".pyc") and not path.startswith(f"{_ENV}/lib/")


def _asked_again(root: Root, wheel: str, found: list[Answer]) -> list[Answer]:
    """The answers once Debian's packages of what was named are there."""
    said = " ".join(one.sentence for one in found)
    packages = [one for name, one in _PACKAGES.items() if name in said]
    root.must(f"{_ENV}/bin/pip install --quiet --no-compile /root/{wheel}")
    if packages:
        quiet = "DEBIAN_FRONTEND=noninteractive apt-get -qq"
        words = "install --no-install-recommends -y"
        root.must(f"{quiet} update && {quiet} {words} {' '.join(packages)} > /dev/null")
    print(f"  + is with {', '.join(packages) or 'nothing more'}")
    return [_ask(root, one.asked) if one.kind is not Kind.WORKS else one for one in found]


def _print_table(answers: dict[str, list[Answer]]) -> None:
    """Lines of verbs by roots, and the sentences that are numbered in it."""
    sentences: dict[str, int] = {}
    width = max((len(one.line) for one in TRIES), default=0)
    print(f"\n{'assay ...':{width}}  " + "  ".join(f"{name:9}" for name in answers))
    for row, asked in enumerate(TRIES):
        cells = [_cell(found[row], sentences) for found in answers.values()]
        print(f"{asked.line:{width}}  " + "  ".join(f"{one:9}" for one in cells))
    for sentence, number in sentences.items():
        print(f"({number}) {sentence}")
    for name, found in answers.items():
        for one in found:
            if one.kind is Kind.NEITHER:
                print(f"{name}: assay {one.asked.line}\n  {one.code}: {one.output}{one.errors}")


def _cell(answer: Answer, sentences: dict[str, int]) -> str:
    if answer.kind is not Kind.NAMES:
        return answer.kind
    return f"names ({sentences.setdefault(answer.sentence, len(sentences) + 1)})"
