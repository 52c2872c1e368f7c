"""How long tests wait. Only a hang takes longer, even on a busy machine.

subprocess.run(command, timeout=PATIENCE_S)
wait_until(lambda: path.exists(), "the journal")
"""

import time
from collections.abc import Callable

# Limits of 20 to 120 s suffice on an idle machine, but failed when others kept both CPUs busy.
# seconds; less than the 600 s that programs of the tests wait before we end them
PATIENCE_S = 500.0


def wait_until(true: Callable[[], object], what: str = "it") -> None:
    """Wait until `true` returns something true; fails if that takes too long."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline_s, f"waited in vain for {what}"
        time.sleep(0.02)
