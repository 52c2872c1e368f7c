"""All pages of a store as bytes, for the server and for `--export`.

pages = Pages(Path(".assay"), served=True)
pages.refresh()                      # after a run was stored: surveys it, makes the lists
pages.changed(), pages.benchmark("1f2e3d4c5b6a7988")
pages.why("20260921-..._20260922-..._1f2e3d4c5b6a7988")
"""

import threading
from collections import OrderedDict
from pathlib import Path

import msgspec

from assay.record.store.catalogue import Catalogue
from assay.record.store.folder import Folder
from assay.show.page.store.benchmark import benchmark_page
from assay.show.page.store.bisects import bisects_page
from assay.show.page.store.changed import changed_page
from assay.show.page.store.hosts import hosts_page
from assay.show.page.store.labs import labs_page
from assay.show.page.store.listing import benchmarks_page, runs_page
from assay.show.page.store.why import answer_page, answers_page, unanswered_page
from assay.survey import Survey
from assay.workflows.pages.answered import answer_to, question_of_page
from assay.workflows.pages.looked import page_of_benchmark
from assay.workflows.pages.survey import survey_of_store, with_current_triages
from assay.workflows.store import Tell, no_progress, open_catalogue

_KEPT = 24  # the pages of so many benchmarks are kept in memory, those read last


class _ShownPages(msgspec.Struct, frozen=True):
    """A survey of the store, and the main pages made from it; all of them are replaced together."""

    number: int
    survey: Survey
    changed: bytes
    benchmarks: bytes
    runs: bytes
    why: bytes
    hosts: bytes
    bisects: bytes
    labs: bytes


class Pages:
    """All pages of a store. Threads may share it: they are replaced as a whole by `refresh` and
    `refresh_triage`."""

    def __init__(
        self, root: Path, *, served: bool, tell: Tell = no_progress, typed: str = ""
    ) -> None:
        """`typed` is the option by which commands shown on pages find this
        store; "" if they need none.
        """
        self._folder, self._served = Folder.opened(root), served
        self._root, self._typed = root, typed
        self._here = threading.local()
        self._lock = threading.Lock()
        self._looked: OrderedDict[tuple[int, str], bytes] = OrderedDict()
        self._shown = self._made_pages(0, survey_of_store(root, tell))

    @property
    def survey(self) -> Survey:
        return self._shown.survey

    def refresh(self) -> None:
        """Show the runs that are in the store now."""
        self._shown = self._made_pages(self._shown.number + 1, survey_of_store(self._root))

    def refresh_triage(self) -> None:
        """Make the pages again with what people have said about changes (triage)."""
        survey = with_current_triages(self._shown.survey, self._root)
        self._shown = self._made_pages(self._shown.number + 1, survey)

    def changed(self) -> bytes:
        return self._shown.changed

    def benchmarks(self) -> bytes:
        return self._shown.benchmarks

    def runs(self) -> bytes:
        return self._shown.runs

    def hosts(self) -> bytes:
        return self._shown.hosts

    def bisects(self) -> bytes:
        return self._shown.bisects

    def labs(self) -> bytes:
        return self._shown.labs

    def answers(self) -> bytes:
        return self._shown.why

    def why(self, page: str) -> bytes | None:
        """The page of an answer of `assay why`, or of how to get it; None without such runs.

        Raises `InputError`.
        """
        shown = self._shown
        catalogue = self._catalogue(shown.number)
        asked = question_of_page(catalogue, shown.survey, page)
        if asked is None:
            return None
        pages = [one.page for one in shown.survey.watched if one.key.benchmark == asked.benchmark]
        of = min(pages, default="")
        found = answer_to(catalogue, shown.survey, self._folder, asked)
        if found is None:
            typed = self._typed
            return unanswered_page(asked, shown.survey, of, served=self._served, more=typed)
        return answer_page(found.head, found.findings, shown.survey, of, served=self._served)

    def benchmark(self, page: str) -> bytes | None:
        """The benchmark's page; None if there is no such benchmark."""
        shown = self._shown
        key = (shown.number, page)
        with self._lock:
            if key in self._looked:
                self._looked.move_to_end(key)
                return self._looked[key]
        looked = page_of_benchmark(self._catalogue(shown.number), shown.survey, self._folder, page)
        if looked is None or not looked.hosts:
            return None
        made = benchmark_page(looked, served=self._served)
        with self._lock:
            self._looked[key] = made
            while len(self._looked) > _KEPT:
                self._looked.popitem(last=False)
        return made

    def _made_pages(self, number: int, survey: Survey) -> _ShownPages:
        return _ShownPages(
            number,
            survey,
            changed_page(survey, served=self._served),
            benchmarks_page(survey, served=self._served),
            runs_page(survey, served=self._served),
            answers_page(survey, served=self._served),
            hosts_page(survey, served=self._served),
            bisects_page(survey.searches, served=self._served),
            labs_page(survey, served=self._served),
        )

    def _catalogue(self, number: int) -> Catalogue:
        """The thread's own catalogue, reopened after a refresh as its file may be a new one."""
        there: tuple[int, Catalogue] | None = getattr(self._here, "catalogue", None)
        if there and there[0] == number:
            return there[1]
        if there:
            there[1].close()
        made = open_catalogue(self._folder)
        self._here.catalogue = (number, made)
        return made
