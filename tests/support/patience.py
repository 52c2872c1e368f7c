"""How long tests wait. Only a hang takes longer, however busy the machine is.

subprocess.run(command, timeout=PATIENCE_S)
wait_until(lambda: path.exists(), "the journal")
"""

import time
from collections.abc import Callable

# Limits of 20 to 120 s, enough on an idle machine, failed when others kept both CPUs busy.
PATIENCE_S = 500.0  # less than the 600 s of what tests start to be ended by us


def wait_until(true: Callable[[], object], what: str = "it") -> None:
    """Asks again and again. Fails where it is in vain."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline_s, f"waited in vain for {what}"
        time.sleep(0.02)
