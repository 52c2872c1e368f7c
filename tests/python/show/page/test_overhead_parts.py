"""The page of an overhead experiment: in its own words, inert, and whole without scripts."""

import re

import msgspec
import pytest
from experiments import COSTS, experiment, shown
from pages_read import index_of, tags_of, text_of
from records import HOSTILE, content, one_sided

from assay.model import Failure
from assay.show.content import Content
from assay.show.page.overhead_parts import forest_names, parts
from assay.show.page.report import page
from assay.workflows.contents.run import of_run

SIDES = re.compile(r"\b(?:base|candidate)\b", re.IGNORECASE)
GAVE_UP = Failure(benchmark="", what="its proof counted no event", target="strace", round=3)


def test_it_begins_with_what_was_measured_and_what_it_costs() -> None:
    text = text_of(page(shown()))
    assert "exec under bpftrace, seccomp and strace, against undisturbed: 40 rounds" in text
    costs = "exec costs 4.9 % more under bpftrace [4.4, 5.3], the same within 2 % under seccomp,"
    assert f"{costs} and takes 3.4 times as long under strace [3.38, 3.41]." in text
    assert text.index(costs) < text.index("Against undisturbed")
    assert text.index("Against undisturbed") < text.index("Against each other")
    assert text.index("Against each other") < text.index("Every two conditions")


def test_both_tables_are_there_without_scripts_with_every_row() -> None:
    html = page(shown(experiment(benchmarks=("exec", "fork"))))
    assert tags_of(html).count("table") == 3  # and the facts
    text = text_of(html)
    for cell in ("82,244", "undisturbed with it overhead interval verdict events lost"):
        assert cell in text
    assert html.count(b'<th scope="row" class="name">') == 2 * 6


@pytest.mark.parametrize(
    "record",
    [
        experiment(),
        experiment(rounds=2, failures=(GAVE_UP,)),
        experiment(benchmarks=("exec", "fork"), rounds=14),
        experiment({"undisturbed": 1.0}),
    ],
    ids=["one", "few rounds", "two benchmarks", "nothing to compare"],
)
def test_it_never_speaks_of_a_base_or_a_candidate(record: object) -> None:
    html = page(shown(record))  # type: ignore[arg-type]
    assert SIDES.findall(text_of(html)) == []
    index = index_of(html)
    titles = [column["title"] for column in index["table"]["columns"]]
    assert titles[:3] == ["comparison", "reference", "condition"]
    assert index["called"]["base"], index["called"]["candidate"] == ("reference", "condition")


def test_other_pages_say_what_they_said() -> None:
    for other in (content(), of_run(one_sided())):
        assert parts(other) == {}
        assert "called" not in index_of(page(other))
    text = text_of(page(content()))
    assert "fact base candidate" in text
    assert "Both sides were measured in rounds" in text
    assert "Benchmarks" in text


def test_a_condition_given_up_is_named_with_its_reason() -> None:
    text = text_of(page(shown(experiment(rounds=2, failures=(GAVE_UP,)))))
    assert "Could not be measured strace: its proof counted no event" in text
    assert "exec has no interval yet under bpftrace (2 of 13 rounds" in text
    assert "In brackets" not in text


def test_of_many_benchmarks_the_first_have_a_sentence() -> None:
    names = tuple(f"call {number}" for number in range(15))
    told = parts(shown(experiment(benchmarks=names, rounds=3)))
    assert [one["name"] for one in told["sentences"]] == list(names[:12])
    assert told["more"] == "3 more benchmarks are in the table below."
    assert len(told["tables"][0].rows) == 15 * 3


def test_the_forest_names_the_benchmark_only_where_there_are_several() -> None:
    one, two = shown(), shown(experiment(benchmarks=("exec", "fork"), rounds=3))
    assert forest_names(one.overheads)[0] == "bpftrace against undisturbed"
    assert forest_names(two.overheads) == forest_names(None) == []
    rows = index_of(page(one))["forest"]["rows"]
    assert {"strace against bpftrace", "seccomp against undisturbed"} < {r["name"] for r in rows}
    assert index_of(page(two))["forest"]["rows"][0]["name"].startswith(("exec: ", "fork: "))


def hostile() -> Content:
    costs = {"undisturbed": 1.0, **dict.fromkeys(HOSTILE[:6], 1.1)}
    return shown(experiment(costs, benchmarks=(HOSTILE[0], HOSTILE[11]), rounds=14))


def test_hostile_conditions_and_benchmarks_stay_text() -> None:
    html = page(hostile())
    tags = tags_of(html)
    assert tags.count("script") == 6  # specs, index, details, floats, vega, ours
    assert "img" not in tags
    assert not re.search("[\u202e\x1b\x00]", html.decode())
    assert "long" * 200 not in text_of(html)


def test_every_name_in_a_sentence_is_kept_apart_from_what_stands_around_it() -> None:
    name = "\u05e9\u05dc\u05d5\u05dd"  # written from right to left
    html = page(shown(experiment({"undisturbed": 1.0, name: 1.05}))).decode()
    sentence = re.search(r'<p class="costs">.*?</p>', html, re.DOTALL)
    assert sentence is not None
    assert f'under <bdi class="name">{name}</bdi> [' in sentence[0]


def test_no_line_ends_within_a_number() -> None:
    (told,) = parts(shown())["sentences"]
    between = "\N{NO-BREAK SPACE}"
    first, second, _ = told["clauses"]
    assert first.before == f"costs 4.9{between}% more under "
    assert first.after == f" [4.4,{between}5.3], "
    assert second.before == f"the same within 2{between}% under "


def test_a_plan_may_call_the_undisturbed_one_otherwise() -> None:
    renamed = {("madvise" if name == "undisturbed" else name): k for name, k in COSTS.items()}
    text = text_of(page(shown(experiment(renamed))))
    assert "against madvise: 40 rounds" in text
    assert "Against undisturbed (madvise)" in text


def test_the_same_experiment_gives_the_same_bytes() -> None:
    assert page(shown()) == page(shown())
    again = msgspec.structs.replace(shown(), overheads=None)
    assert "base" in text_of(page(again))
