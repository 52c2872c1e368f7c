"""Runs asynchronous code to its end, whatever else runs in this process.

    answer = finished(ask("/"))

A test of pages starts a browser, and from then on Playwright keeps an event loop running in the
thread of all tests, beside which `asyncio.run` raises an error. So it failed only in the whole
suite, in which one process had both kinds of tests. `ruff` forbids `asyncio.run` everywhere but
here.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def finished(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`; its exceptions are raised."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()  # noqa: TID251
