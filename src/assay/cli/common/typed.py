"""The words of the command line that is being run.

typed.set(("compare", "a.json", "b.json"))      # the outermost handler
typed.get()                                     # an option that must know the others

Every start of Assay imports this module, so it imports nothing of Assay itself.
"""

from contextvars import ContextVar

typed: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())
