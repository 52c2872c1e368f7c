"""A simulated Google Benchmark program: it answers launches without a process, with noise.

    program = SimulatedProgram({"BM_a": 100.0}, tmp_path / "bench")
    runtime = Runtime(ScriptedExecutor(program.answer), SteppingClock(), Silence())

Under libassay_delay.so its loops take longer by the share asked for, and it writes the file that
the library would write.
"""

import random
import re
import struct
from dataclasses import dataclass, field
from pathlib import Path

from conftest import finished, gbench_json, row

from assay.measure.executor import FinishedProcess, Launch


@dataclass
class SimulatedProgram:
    """`unreached` are benchmarks whose loops the delay does not reach."""

    levels: dict[str, float]
    path: Path
    noise: float = 0.003
    unreached: frozenset[str] = frozenset()
    is_static: bool = False
    runs_as_copy: bool = True
    asked: list[Launch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(5)
        self.path.write_text("the program")
        self.path.chmod(0o755)

    def answer(self, launch: Launch) -> FinishedProcess:
        self.asked.append(launch)
        if not self.runs_as_copy and Path(launch.argv[0]).parent != self.path.parent:
            return finished(exit_code=127, stderr_tail="libmine.so: not found")
        if any("list_tests" in word for word in launch.argv):
            self._wrote(launch, 0.0)
            return finished("\n".join(self.levels) + "\n")
        words = dict(word.partition("=")[::2] for word in launch.argv)
        name = re.sub(r"\\(.)", r"\1", words["--benchmark_filter"][1:-1])
        share = 0.0 if name in self.unreached else float(launch.env.get("ASSAY_DELAY_SHARE", 0))
        self._wrote(launch, share)
        level = self.levels[name] * (1 + share) * self._random.lognormvariate(0, self.noise)
        rows = [
            row(name, level * (1 + abs(self._random.gauss(0, self.noise))), repetition_index=place)
            for place in range(int(words["--benchmark_repetitions"]))
        ]
        Path(words["--benchmark_out"]).write_text(gbench_json(rows))
        return finished()

    def _wrote(self, launch: Launch, share: float) -> None:
        if "ASSAY_DELAY_FILE" not in launch.env or self.is_static:
            return
        content = struct.pack("<Qqqqq", 0x31594C4544595341, 7, 10**7, round(share * 10**7), 9)
        Path(launch.env["ASSAY_DELAY_FILE"]).write_bytes(content)
