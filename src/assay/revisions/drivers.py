"""Compilers under their own names, found first, that add the flags which hold placement.

variables = write_drivers(place.drivers, recipe.variables(), Additions(holds=True))
variables["PATH"]                                              # and what else is changed
drivers_used(place.drivers)                                    # whether the build called one

Each is a script of the name of a compiler, in a folder that comes first in PATH, as the folders
of ccache and distcc do. CFLAGS in the environment would not do: `configure` and `CFLAGS ?= -O2`
in a Makefile take it for the whole of the flags, so that a build would lose its `-O2` without a
word, and a command that names no variable would not see it. What the project says comes after
the flags added here, and wins.
"""

import hashlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import LaunchError
from assay.measure.tied import Patience, told

ALIGNMENT = 64  # bytes: a line of the cache, and the widest window of today's decoders
_ALIGNED = (f"-falign-functions={ALIGNMENT}",)
_SECTIONS = ("-ffunction-sections", "-fdata-sections")
ORDERED = ("-Wl,--sort-section=name",)  # lld and mold accept it and keep the linker's order
_RUST_FLAGS = (f"-Cllvm-args=-align-all-functions={ALIGNMENT.bit_length() - 1}",)
GO_ALIGNED = (f"-funcalign={ALIGNMENT}",)  # of its linker
_GO_ALIGNS = (1, 25)  # the first Go whose linker does
HOLDING = (*_ALIGNED, *_SECTIONS, *ORDERED, *_RUST_FLAGS, *GO_ALIGNED)  # for the key of a build

_NAME = re.compile(r"(?:.+-)?(?:gcc|g\+\+|cc|c\+\+|c89|c99|clang|clang\+\+)(?:-[\d.]+)?")
_COMPILER_VARIABLES = ("CC", "CXX")
_USED = "used"
_ASK_S = 30.0

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


@dataclass(frozen=True)
class Additions:
    """What drivers do beside calling a compiler."""

    holds: bool = True  # flags that hold placement
    links: Path | None = None  # where each link of a program is recorded, so that it can be redone

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """Sections alone move nothing; without them nothing can be put into another order."""
        return (*(_ALIGNED if self.holds else ()), *_SECTIONS)

    @property
    def link_flags(self) -> tuple[str, ...]:
        return ORDERED if self.holds else ()

    def recorder(self, compiler: Path, flags: Sequence[str]) -> str:
        """A line for the script of a driver, whose words are those of the link."""
        if self.links is None:
            return ":"
        script = Path(__file__).with_name("link_recorder.py")
        words = (sys.executable, "-I", "-S", str(script), str(self.links), str(compiler), *flags)
        return f'{shlex.join(words)} "$@" 2> /dev/null || :'


def write_drivers(
    folder: Path, variables: Mapping[str, str], additions: Additions
) -> dict[str, str]:
    """Fill `folder` with drivers; the variables that a build needs to find them."""
    folder.mkdir(parents=True)
    path = variables.get("PATH", os.defpath)
    for name, compiler in _found(path).items():
        _write_compiler(folder / name, folder, compiler, variables, additions)
    changed = {"PATH": f"{folder}:{path}"}
    for variable in _COMPILER_VARIABLES:
        asked = variables.get(variable, "")
        if asked and " " not in str(folder):  # CC is split at blanks
            changed[variable] = " ".join(_by_driver(asked, folder, variables, additions))
    if additions.holds:
        changed |= {
            "RUSTC_WRAPPER": _rustc(folder, variables),
            **go_flags(variables, GO_ALIGNED, _GO_ALIGNS),
        }
    return changed


def drivers_used(folder: Path) -> bool:
    """Whether a build called any of them: one that names compilers by whole paths does not."""
    return (folder / _USED).exists()


def _found(path: str) -> dict[str, Path]:
    """Each compiler by its name: the first in PATH."""
    found: dict[str, Path] = {}
    for folder in filter(None, path.split(":")):
        try:
            files = sorted(one for one in Path(folder).iterdir() if _NAME.fullmatch(one.name))
        except OSError:  # PATH may name folders that are not there
            continue
        for file in files:
            if os.access(file, os.X_OK):
                found.setdefault(file.name, file)
    return found


def _by_driver(
    asked: str, folder: Path, variables: Mapping[str, str], additions: Additions
) -> Iterator[str]:
    """The words of CC; a compiler named by its whole path becomes a driver of it."""
    for word in asked.split():
        path = Path(word)
        if path.is_absolute() and _NAME.fullmatch(path.name) and path.is_file():
            # Apart from those in PATH: there may be another of its name.
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
    kind = _kind(compiler, variables)
    if not kind:
        return  # a compiler that may not know the flags
    # clang warns of flags that a step has no use for, which -Werror makes an error.
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


def _kind(compiler: Path, variables: Mapping[str, str]) -> str:
    """`gcc` or `clang`; empty: neither. Names like `cc` do not say which."""
    for kind in ("clang", "gcc", "g++"):
        if kind in compiler.name:
            return kind
    said = _said((str(compiler), "--version"), variables)
    return "clang" if "clang" in said else "gcc" if "Free Software" in said else ""


def _rustc(folder: Path, variables: Mapping[str, str]) -> str:
    """What cargo is to call; a wrapper that the user has, such as sccache, is called by it."""
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
    """GOFLAGS with these; {}: there are others for the linker, or Go is older than `first`."""
    if not shutil.which("go", path=variables.get("PATH", os.defpath)):
        return {}
    # Of this Go: one that a go.mod asks for instead is newer, and asking would fetch it.
    local = {**variables, "GOTOOLCHAIN": "local"}
    version, _, flags = _said(("go", "env", "GOVERSION", "GOFLAGS"), local).partition("\n")
    known = re.match(r"go(\d+)\.(\d+)", version)
    if not known or (int(known[1]), int(known[2])) < first or "-ldflags" in flags:
        return {}
    more = f"-ldflags={' '.join(link_flags)}"
    return {"GOFLAGS": f"{flags.strip()} {shlex.quote(more)}".strip()}


def _said(words: tuple[str, ...], variables: Mapping[str, str]) -> str:
    try:
        patience = Patience(whole_s=_ASK_S)
        done = told(words, environment=variables, folder=Path("/"), patience=patience)
    except (LaunchError, TimeoutError):
        return ""
    return done.output.decode(errors="replace")


def _write_script(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
