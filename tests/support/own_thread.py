"""Asynchronous code run to its end, whatever else runs in this process.

    answer = finished(ask("/"))

A test of pages starts a browser, and Playwright keeps an event loop running in the thread of all
tests from then on: `asyncio.run` beside it raises. So it failed in the whole suite only, where one
process had both kinds of tests. `ruff` refuses `asyncio.run` everywhere but here.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def finished(work: Coroutine[Any, Any, T]) -> T:
    """What it returns; raises what it raises."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()  # noqa: TID251
