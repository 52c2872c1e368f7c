"""assay demo: compares two builds of the example log library, and writes a report."""

from dataclasses import dataclass
from pathlib import Path

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.options import Files, MeasuringOptions
from assay.errors import NotBuiltError
from assay.model import Settings
from assay.workflows.common.plan import ComparePlan

# Two builds also lay out the code they share differently, which alone is a percent or two.
MARGIN = "5%"
_START_S = 60.0  # for the first start of a program, on a machine that is busy


@dataclass(frozen=True, kw_only=True)
class DemoOptions:
    """The arguments of `assay demo`."""

    budget: opt.Budget = "40s"
    html: opt.Html = Path("assay-demo.html")
    seed: opt.Seed = None
    quiet: opt.Quiet = False

    def plan(self, base: Path, candidate: Path) -> ComparePlan:
        """How to compare the two executables. Raises `UsageError`."""
        return ComparePlan(
            base=str(base),
            candidate=str(candidate),
            measuring=MeasuringOptions(budget=self.budget, seed=self.seed).measuring(),
            settings=Settings(margin=opt.parse_fraction(MARGIN, "--margin")),
        )


@command(DemoOptions)
def demo(options: DemoOptions) -> int:
    """Compare two builds of a log library: copying an element with many
    reallocations, and with one allocation."""
    from assay.cli.common.compare_asked import CompareRequest
    from assay.cli.compare import carry_out
    from assay.measure.executor import folder_of_native_programs

    base, candidate = (
        folder_of_native_programs() / "copy_element_naive",
        folder_of_native_programs() / "copy_element_reserved",
    )
    if not (base.exists() and candidate.exists()):
        raise NotBuiltError("the demo is not part of this installation", where=str(base.parent))
    _check_start(base)
    print(f"$ assay compare {base} {candidate} --budget {options.budget} --margin {MARGIN}\n")
    plan = options.plan(base, candidate)
    files = Files(html=opt.writable_path(options.html, "--html"))
    code = carry_out(CompareRequest(plan=plan, files=files, quiet=options.quiet))
    print(f"report: {options.html}")
    return code


def _check_start(program: Path) -> None:
    """Raise `MeasurementError` if what the demo measures cannot run here."""
    from assay.cli.common.runtime import process_executor
    from assay.workflows.common.targets import TargetContext
    from assay.workflows.listing import list_benchmarks

    list_benchmarks(str(program), "", TargetContext(process_executor(), _START_S))
