"""assay demo: the worked example, end to end."""

from pathlib import Path

from assay.cli import options as opt
from assay.cli.options import Files
from assay.errors import MeasurementError
from assay.model import Settings
from assay.workflows.common.plan import ComparePlan

# Two builds lay out the code they share differently too: a percent or two of it.
MARGIN = "5%"


def demo(
    budget: opt.Budget = "40s",
    html: opt.Html = Path("assay-demo.html"),
    seed: opt.Seed = None,
    quiet: opt.Quiet = False,
) -> int:
    """Compare two builds of a log library: copying an element with many
    reallocations, and with one allocation."""
    from assay.cli.compare import carry_out
    from assay.measure.executor import libexec

    base, candidate = libexec() / "copy_element_naive", libexec() / "copy_element_reserved"
    if not (base.exists() and candidate.exists()):
        raise MeasurementError(
            "the demo's executables are not installed",
            where=str(base.parent),
            hint="install libbenchmark-dev, then `pip install .` in Assay's repository again",
        )
    print(f"$ assay compare {base} {candidate} --budget {budget} --margin {MARGIN}\n")
    measuring = opt.measuring(
        rounds=None,
        min_time=opt.MIN_TIME,
        timeout=opt.TIMEOUT,
        pin=None,
        seed=seed,
        budget=budget,
    )
    plan = ComparePlan(
        base=str(base),
        candidate=str(candidate),
        measuring=measuring,
        settings=Settings(margin=opt.fraction(MARGIN, "--margin")),
    )
    code = carry_out(plan, Files(html=opt.writable(html, "--html")), None, quiet=quiet)
    print(f"report: {html}")
    return code
