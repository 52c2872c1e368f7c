"""Code that was executed, piece by piece: Part.

ENGINE.match("_ZN9benchmark5State16FinishKeepRunningEv")     code of Google Benchmark's own
"""

import re
from typing import NamedTuple

from assay.measure.profile.identity.normal_form import NormalInstruction

ENGINE = re.compile(r"_ZN?K?(?:S\w*I)?N?K?9benchmark(?!.*LambdaBenchmark)")


class Part(NamedTuple):
    """Instructions that were executed one after the other, without a gap."""

    object: str
    start: int
    instructions: tuple[NormalInstruction, ...]
    name: str  # of the function; empty: not known
    in_loop: bool
    function: int  # where it begins; where that is not known, the part does
