"""Fixes what would otherwise make the same program count different instructions elsewhere.

    valgrind = Valgrind.installed(executor)
    valgrind.words            ("/usr/bin/setarch", "-R", "/usr/bin/valgrind")
    pinned_variables(argv, environment)   variables to add to `environment`

How many instructions a copy takes depends on where its data lies in memory, because it begins with
the bytes up to the next boundary. Arguments and environment lie above the stack, so a longer path
or one more variable would shift everything on it. The padding added here makes them always take up
a multiple of the same size.
"""

import os
import re
import shutil
from collections.abc import Mapping, Sequence

import msgspec

from assay.errors import MeasurementError
from assay.measure.executor import Executor, Launch
from assay.measure.fixed_addresses import fixed_addresses

# By these CPU features and cache sizes glibc chooses its string functions and how they copy. Those
# of the first x86-64 exist on every machine.
_WITHOUT = (
    *("AVX512F", "AVX512VL", "AVX512BW", "AVX2", "AVX2_Usable", "AVX", "AVX_Fast_Unaligned_Load"),
    *("ERMS", "FSRM", "BMI1", "BMI2", "LZCNT", "MOVBE", "RTM", "SSE4_2", "SSE4_1", "SSSE3"),
)
_WITH = ("Fast_Unaligned_Load", "Fast_Unaligned_Copy")  # how glibc copies on the first x86-64
_SIZES = {
    "x86_data_cache_size": 0x8000,
    "x86_shared_cache_size": 0x100000,
    "x86_non_temporal_threshold": 0xC0000,
    "x86_rep_movsb_threshold": 0x800,
    "x86_rep_stosb_threshold": 0x800,
}
_HWCAPS = ",".join((*(f"-{name}" for name in _WITHOUT), *_WITH))
TUNABLES = ":".join(
    (f"glibc.cpu.hwcaps={_HWCAPS}", *(f"glibc.cpu.{name}={size}" for name, size in _SIZES.items()))
)
_PAD = "ASSAY_PAD"  # variable whose value is the padding
_STEP = 32_768  # bytes: arguments and environment are padded to a multiple of it
_POINTER = 8  # bytes of the pointer that each argument and variable has
_LONGEST_PATH = 256  # characters: a program's path is lengthened to a multiple of it


class Valgrind(msgspec.Struct, frozen=True):
    """Valgrind on this machine, and the words that a command under it begins with."""

    words: tuple[str, ...]
    version: str

    @staticmethod
    def installed(executor: Executor) -> "Valgrind":
        """The valgrind on this machine. Raises `MeasurementError` if it is not installed."""
        program = shutil.which("valgrind")
        if program is None:
            raise MeasurementError(
                "valgrind is not installed: it is what counts instructions",
                hint="apt-get install valgrind",
            )
        done = executor.run(Launch((program, "--version"), 60.0))
        said = re.search(r"\d+(\.\d+)*", done.stdout)
        return Valgrind((*fixed_addresses(executor), program), said[0] if said else "unknown")


def pinned_variables(argv: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Variables to add to `environment`, so that the program counts the same everywhere."""
    # Without LD_BIND_NOW the dynamic linker would run inside a loop, at each function's first call.
    fixed = {"LD_BIND_NOW": "1", "GLIBC_TUNABLES": TUNABLES}
    whole = {**environment, **fixed, _PAD: ""}
    words = [*argv, *(f"{name}={value}" for name, value in whole.items())]
    taken = sum(len(word.encode(errors="surrogateescape")) + 1 + _POINTER for word in words)
    return {**fixed, _PAD: "x" * (-taken % _STEP)}


def extended_path_length(program: str) -> int:
    """The length to which a program's path is extended by slashes, so that it is the same for
    nearly all programs."""
    return -(-len(os.fsencode(program)) // _LONGEST_PATH) * _LONGEST_PATH
