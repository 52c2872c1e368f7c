"""Makes the content of a report from one record, whichever verb measured it.

content = of_measured(record, ComparePlan(record.origin, None))
"""

from assay.model import Record
from assay.show.content import Content
from assay.workflows.common.plan import ComparePlan
from assay.workflows.compare.recorded import compare_records, is_two_sided
from assay.workflows.contents.comparison import of_comparison
from assay.workflows.contents.conditions import of_conditions
from assay.workflows.contents.run import of_sweep


def of_measured(record: Record, plan: ComparePlan) -> Content:
    """What a report shows of a record. Raises `InputError`.

    The record is a comparison in rounds, an overhead experiment, or a run by itself. `plan` says
    how two sides are judged.
    """
    if any(sample.condition for sample in record.samples):
        return of_conditions(record, plan.settings)
    if not is_two_sided(record):
        return of_sweep(record)
    return of_comparison(compare_records(plan, record, None))
