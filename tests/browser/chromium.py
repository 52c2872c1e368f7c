"""Debian's Chromium, driven by Playwright, without a network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def opened() -> Iterator[Browser]:
    """A browser. Its absence is an error that says what to do, never a skipped test."""
    path = shutil.which("chromium")
    if path is None:
        raise RuntimeError("chromium is not installed: run ./dev setup, or apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()
