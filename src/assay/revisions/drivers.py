"""Scripts named like compilers, found before them, that add the flags which fix placement.

variables = write_drivers(place.drivers, recipe.variables(), Additions(holds=True))
variables["PATH"]                                              # and other variables changed
drivers_used(place.drivers)                                    # whether the build called one

Each script has the name of a compiler, and lies in a folder that comes first in PATH, as those of
ccache and distcc do. CFLAGS in the environment would not do: `configure`, and `CFLAGS ?= -O2` in a
Makefile, would take it for all of the flags, so that a build would silently lose its `-O2`; and a
command that uses no such variable would not see it. The project's own flags come after those added
here, and win.
"""

import hashlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from assay.errors import LaunchError
from assay.measure.tied import WaitLimits, run_program

ALIGNMENT = 64  # bytes of a cache line, and of the widest decoding window of today's CPUs
_ALIGNED = (f"-falign-functions={ALIGNMENT}",)  # every function begins at a cache line
# Flags that give each function and variable a section, so that a linker can order them.
_SECTIONS = ("-ffunction-sections", "-fdata-sections")
# Orders sections by name. lld and mold accept the flag and keep their own order.
ORDERED = ("-Wl,--sort-section=name",)
_RUST_FLAGS = (f"-Cllvm-args=-align-all-functions={ALIGNMENT.bit_length() - 1}",)
GO_ALIGNED = (f"-funcalign={ALIGNMENT}",)  # flag for Go's linker: functions begin at a cache line
_GO_ALIGNS = (1, 25)  # the first version of Go whose linker knows -funcalign
# All flags that fix where functions lie in memory: part of a build's key.
HOLDING = (*_ALIGNED, *_SECTIONS, *ORDERED, *_RUST_FLAGS, *GO_ALIGNED)

# Names of C and C++ compilers.
_NAME = re.compile(r"(?:.+-)?(?:gcc|g\+\+|cc|c\+\+|c89|c99|clang|clang\+\+)(?:-[\d.]+)?")
_COMPILER_VARIABLES = ("CC", "CXX")  # variables that name a compiler
_USED = "used"  # a file that a driver makes when it is called
_ASK_S = 30.0  # seconds that a compiler may take to say its version

_COMPILER = """\
#!/bin/sh
# Written by Assay: {name} with the flags that hold placement (docs/guides/revisions.md).
{{ true >> {used}; }} 2> /dev/null
case ":$PATH:" in
    *:{here}:*) # without this folder: ccache looks for the compiler itself
        path=":$PATH:"
        path=${{path%%:{here}:*}}:${{path#*:{here}:}}
        path=${{path#:}}
        PATH=${{path%:}}
        export PATH ;;
esac
links= compiles=
for word do
    case $word in
        -c | -S | -E | -M | -MM | -r | -fsyntax-only | c-header | c++-header) compiles=1 ;;
        -Wl,-r | -Wl,--relocatable) compiles=1 ;;
        -*) ;;
        *) links=1 ;;
    esac
done
if [ -n "$links" ] && [ -z "$compiles" ]; then
    set -- {link_flags} "$@"
    {recorder}
fi
exec {compiler} {flags} "$@"
"""
_RUSTC = """\
#!/bin/sh
# Written by Assay: what cargo calls in place of rustc, whose name comes first.
{{ true >> {used}; }} 2> /dev/null
rustc=$1
shift
case " $* " in
    *" --crate-name "*) set -- "$@" {flags} ;;
esac
exec {wrapper} "$rustc" "$@"
"""


class Additions(msgspec.Struct, frozen=True):
    """What the scripts named like compilers do besides calling the compiler."""

    holds: bool = True  # whether they add the flags that fix placement
    # A folder in which each link of a program is recorded, to be repeated; None: not recorded.
    links: Path | None = None

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """Flags to compile with. Sections by themselves move nothing, but functions can only be
        moved with them."""
        return (*(_ALIGNED if self.holds else ()), *_SECTIONS)

    @property
    def link_flags(self) -> tuple[str, ...]:
        return ORDERED if self.holds else ()

    def recorder(self, compiler: Path, flags: Sequence[str]) -> str:
        """The line of a compiler script that records a link; "$@" are the words of the link."""
        if self.links is None:
            return ":"
        script = Path(__file__).with_name("link_recorder.py")
        words = (sys.executable, "-I", "-S", str(script), str(self.links), str(compiler), *flags)
        return f'{shlex.join(words)} "$@" 2> /dev/null || :'


def write_drivers(
    folder: Path, variables: Mapping[str, str], additions: Additions
) -> dict[str, str]:
    """Fill `folder` with compiler scripts, and return the variables by which a build finds them."""
    folder.mkdir(parents=True)
    path = variables.get("PATH", os.defpath)
    for name, compiler in _compilers_in_path(path).items():
        _write_compiler(folder / name, folder, compiler, variables, additions)
    changed = {"PATH": f"{folder}:{path}"}
    for variable in _COMPILER_VARIABLES:
        asked = variables.get(variable, "")
        # A build splits CC at blanks, so the folder's path must not contain any.
        if asked and " " not in str(folder):
            changed[variable] = " ".join(_words_with_drivers(asked, folder, variables, additions))
    if additions.holds:
        changed |= {
            "RUSTC_WRAPPER": _write_rustc_wrapper(folder, variables),
            **go_flags(variables, GO_ALIGNED, _GO_ALIGNS),
        }
    return changed


def drivers_used(folder: Path) -> bool:
    """Whether the build called a compiler script in `folder`; it does not if it names compilers by
    whole paths."""
    return (folder / _USED).exists()


def _compilers_in_path(path: str) -> dict[str, Path]:
    """Each compiler by its name, the first one in PATH."""
    found: dict[str, Path] = {}
    for folder in filter(None, path.split(":")):
        try:
            files = sorted(one for one in Path(folder).iterdir() if _NAME.fullmatch(one.name))
        except OSError:  # PATH may name folders that do not exist
            continue
        for file in files:
            if os.access(file, os.X_OK):
                found.setdefault(file.name, file)
    return found


def _words_with_drivers(
    asked: str, folder: Path, variables: Mapping[str, str], additions: Additions
) -> Iterator[str]:
    """The words of CC or CXX; a compiler with a whole path is replaced by a script for it."""
    for word in asked.split():
        path = Path(word)
        if path.is_absolute() and _NAME.fullmatch(path.name) and path.is_file():
            # In a folder of its own, because a compiler in PATH may have the same name.
            driver = folder / "named" / hashlib.sha256(word.encode()).hexdigest()[:8] / path.name
            driver.parent.mkdir(parents=True, exist_ok=True)
            _write_compiler(driver, folder, path, variables, additions)
            yield str(driver if driver.exists() else path)
        else:
            yield word


def _write_compiler(
    driver: Path,
    folder: Path,
    compiler: Path,
    variables: Mapping[str, str],
    additions: Additions,
) -> None:
    """Write the script `driver`, which calls `compiler` with added flags; none for a compiler that
    may not know them."""
    kind = _compiler_kind(compiler, variables)
    if not kind:
        return  # a compiler other than gcc and clang may not know the flags
    # clang warns about flags that a step does not use, and -Werror makes that an error.
    quiet = ("-Qunused-arguments",) if kind == "clang" else ()
    flags = (*additions.compile_flags, *quiet)
    text = _COMPILER.format(
        name=driver.name,
        used=shlex.quote(str(folder / _USED)),
        here=shlex.quote(str(folder)),
        link_flags=shlex.join(additions.link_flags),
        recorder=additions.recorder(compiler, flags),
        compiler=shlex.quote(str(compiler)),
        flags=shlex.join(flags),
    )
    _write_script(driver, text)


def _compiler_kind(compiler: Path, variables: Mapping[str, str]) -> str:
    """`gcc`, `clang`, or empty for another compiler. A name such as `cc` does not tell, so the
    compiler is asked."""
    for kind in ("clang", "gcc", "g++"):
        if kind in compiler.name:
            return kind
    said = _output_of((str(compiler), "--version"), variables)
    return "clang" if "clang" in said else "gcc" if "Free Software" in said else ""


def _write_rustc_wrapper(folder: Path, variables: Mapping[str, str]) -> str:
    """A script for cargo to call instead of rustc; it calls the user's wrapper, such as sccache."""
    driver = folder / "rustc-wrapper"
    wrapper = variables.get("RUSTC_WRAPPER", "")
    text = _RUSTC.format(
        used=shlex.quote(str(folder / _USED)),
        flags=shlex.join(_RUST_FLAGS),
        wrapper=shlex.quote(wrapper) if wrapper else "",
    )
    _write_script(driver, text)
    return str(driver)


def go_flags(
    variables: Mapping[str, str], link_flags: Sequence[str], first: tuple[int, int]
) -> dict[str, str]:
    """GOFLAGS with `link_flags` added; empty if it has linker flags already, or Go is older than
    `first`."""
    if not shutil.which("go", path=variables.get("PATH", os.defpath)):
        return {}
    # Ask this Go, not the newer one that a go.mod may want and that Go would download.
    local = {**variables, "GOTOOLCHAIN": "local"}
    version, _, flags = _output_of(("go", "env", "GOVERSION", "GOFLAGS"), local).partition("\n")
    known = re.match(r"go(\d+)\.(\d+)", version)
    if not known or (int(known[1]), int(known[2])) < first or "-ldflags" in flags:
        return {}
    more = f"-ldflags={' '.join(link_flags)}"
    return {"GOFLAGS": f"{flags.strip()} {shlex.quote(more)}".strip()}


def _output_of(words: tuple[str, ...], variables: Mapping[str, str]) -> str:
    """What a program prints; empty where it fails to start or takes too long."""
    try:
        patience = WaitLimits(whole_s=_ASK_S)
        done = run_program(words, environment=variables, folder=Path("/"), patience=patience)
    except (LaunchError, TimeoutError):
        return ""
    return done.output.decode(errors="replace")


def _write_script(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
