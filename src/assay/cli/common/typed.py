"""The words of the command line that is under way. It imports nothing of ours: every start does.

typed.set(("compare", "a.json", "b.json"))      # the outermost handler
typed.get()                                     # an option that must know the others
"""

from contextvars import ContextVar

typed: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())
