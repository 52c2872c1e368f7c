"""How a revision is built, and the key under which its build is kept.

recipe = Recipe(("make",), folder="", environment={"CXXFLAGS": "-O2"}, timeout_s=3600.0)
build_key(recipe, commit.tree, modules=())      # always 40 hexadecimal digits
"""

import hashlib
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from assay.errors import LaunchError
from assay.measure.tied import WaitLimits, run_program
from assay.revisions.drivers import HOLDING
from assay.revisions.git import without_git_variables
from assay.revisions.placements import RelinkRequest

KEY_LENGTH = 40  # characters of a build's key
_ASK_S = 30.0  # seconds that a compiler may take to say its version
_FORMAT = "1"  # version of the layout of build folders: when it is raised, every build is made anew
_COMPILERS = {"CC": "cc", "CXX": "c++"}  # variables that name a compiler, and the usual ones
# Environment variables with flags that change what is built.
_FLAGS = ("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CMAKE_GENERATOR", "CMAKE_BUILD_TYPE")


class Recipe(msgspec.Struct, frozen=True):
    """How a revision is built: the commands, where they run, and their environment."""

    commands: tuple[str, ...]
    folder: str = ""  # folder in which the commands run, relative to the checkout
    environment: Mapping[str, str] = msgspec.field(default_factory=dict)
    timeout_s: float = 3600.0  # seconds that all commands together may take
    holds_placement: bool = False  # whether compilers get flags that fix placement (`drivers`)
    # How the program is linked again in random orders; None: it is linked only once.
    relinking: RelinkRequest | None = None

    def variables(self) -> dict[str, str]:
        """The whole environment in which the commands run."""
        return {**without_git_variables(), **self.environment}


def build_key(recipe: Recipe, tree: str, modules: Sequence[str]) -> str:
    """The name under which a build is kept: a hash of the recipe, the git tree and the present
    compilers."""
    words = [
        _FORMAT,
        tree,
        *modules,
        "commands",
        *recipe.commands,
        recipe.folder,
        *(f"{name}={value}" for name, value in sorted(recipe.environment.items())),
        "placement",
        *(HOLDING if recipe.holds_placement else ()),
        *(map(str, msgspec.structs.astuple(recipe.relinking)) if recipe.relinking else ()),
        "tools",
        *_tools_of_build(recipe.variables()),
    ]
    return hashlib.sha256("\0".join(words).encode(errors="surrogateescape")).hexdigest()[
        :KEY_LENGTH
    ]


def _tools_of_build(variables: Mapping[str, str]) -> list[str]:
    """What else decides the result of a build: compilers, their flags, and the processor
    (`-march=native`)."""
    told = [f"{name}={variables.get(name, '')}" for name in (*_COMPILERS, *_FLAGS)]
    versions = [
        _version(variables.get(name) or usual, variables) for name, usual in _COMPILERS.items()
    ]
    return [*told, *versions, platform.machine(), _processor()]


def _version(compiler: str, variables: Mapping[str, str]) -> str:
    """What a compiler prints as its version; `compiler` may be several words, such as `ccache
    g++`."""
    try:
        words, patience = (*compiler.split(), "--version"), WaitLimits(whole_s=_ASK_S)
        done = run_program(words, environment=variables, patience=patience)
    except (LaunchError, TimeoutError):
        return "none"
    return done.output.decode(errors="replace")


def _processor() -> str:
    """The CPU model, as /proc/cpuinfo names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line for line in lines if line.startswith("model name")), os.uname().machine)
