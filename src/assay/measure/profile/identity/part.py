"""A stretch of executed code: `CodePart`.

ENGINE.match("_ZN9benchmark5State16FinishKeepRunningEv")     matches Google Benchmark's own code
"""

import re

import msgspec

from assay.measure.profile.identity.normal_form import NormalInstruction

# Mangled names of Google Benchmark's functions.
ENGINE = re.compile(r"_ZN?K?(?:S\w*I)?N?K?9benchmark(?!.*LambdaBenchmark)")


class CodePart(msgspec.Struct, frozen=True):
    """Executed instructions that follow each other in memory and belong to one function."""

    object: str  # path of the executable or library
    start: int  # address of its first instruction
    instructions: tuple[NormalInstruction, ...]
    name: str  # the name of the function; empty if it is not known
    in_loop: bool  # whether any of it ran in the benchmark's loop
    function: int  # address of the function; `start` if the function is not known
