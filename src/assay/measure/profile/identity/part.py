"""A piece of executed code: `CodePart`.

ENGINE.match("_ZN9benchmark5State16FinishKeepRunningEv")     matches Google Benchmark's own code
"""

import re
from typing import NamedTuple

from assay.measure.profile.identity.normal_form import NormalInstruction

ENGINE = re.compile(r"_ZN?K?(?:S\w*I)?N?K?9benchmark(?!.*LambdaBenchmark)")


class CodePart(NamedTuple):
    """Instructions next to each other in memory that were executed."""

    object: str
    start: int
    instructions: tuple[NormalInstruction, ...]
    name: str  # the name of the function; empty if it is not known
    in_loop: bool
    function: int  # address of the function; of the part itself if that is not known
