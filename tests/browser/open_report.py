"""A report open in a browser, as tests handle it."""

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page


@dataclass
class Report:
    """An open report, and what went wrong in it so far."""

    tab: Page
    path: Path
    complaints: list[str] = field(default_factory=list)

    def open_row(self, place: int = 0) -> None:
        """Open the details of a row and wait for its charts."""
        self.tab.locator("tr.row td.name button").nth(place).click()
        self.tab.locator(".panel svg.marks").first.wait_for()
        self.tab.wait_for_timeout(300)

    def column(self, title: str) -> list[str]:
        """The texts of the table's visible column of that title."""
        heads = self.tab.locator("#benchmarks > table > thead th").all_inner_texts()
        place = next(i for i, head in enumerate(heads) if head.strip() == title)
        cells = self.tab.locator(f"#benchmarks tr.row > td:nth-child({place + 1})")
        return [text.strip() for text in cells.all_inner_texts()]

    def search(self, text: str) -> None:
        """Type into the search field and wait until the table has followed."""
        self.tab.fill("#search", text)
        self.tab.wait_for_timeout(200)
