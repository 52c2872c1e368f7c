"""One benchmark after another is explained; an interrupt says which one it cut short."""

from types import SimpleNamespace
from typing import Any

import pytest
from explanations import everything

from assay.explained import Explained
from assay.interrupts import Interrupted
from assay.workflows.why import workflow
from assay.workflows.why.plan import WhyPlan


class _Stage:
    """Answers every benchmark but `BM_b`, in which it is interrupted."""

    name = "work"

    def explain(self, found: Explained, names: tuple[str, str]) -> Explained:
        if names[0] == "BM_b":
            raise Interrupted(2)
        return everything(found.benchmark)


def test_what_was_cut_short_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workflow, "_MADE", {"work": lambda _sides: _Stage()})
    monkeypatch.setattr(workflow, "caveats", lambda _: SimpleNamespace(told=(), has_names=True))
    names = ("BM_a", "BM_b", "BM_c")
    match: Any = SimpleNamespace(
        names=names, base={one: one for one in names}, candidate={one: one for one in names}
    )
    watcher = SimpleNamespace(asking=lambda *_: None, failed=lambda _: None)
    sides: Any = SimpleNamespace(runtime=SimpleNamespace(watcher=watcher))
    session = workflow._Session(WhyPlan("old", "new", stages=("work",)), sides)
    with pytest.raises(Interrupted):
        session.explain_all(match)
    assert [one.benchmark for one in session.explained] == ["BM_a"]
    assert session.cut_short == "BM_b"
