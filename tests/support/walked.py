"""Walks a fault over each step that changes files: killed before it, or refused from it on.

    for place in walked("compacted(Folder.opened(root), tell)", template, places, "KILL"): ...

The program is run on a copy of a folder again and again, each time with the fault one step later,
until it comes to its end without. A step is what the interpreter reports to audit hooks: a file
opened to be written, linked, renamed or removed, a folder made.
"""

import subprocess
import sys
from pathlib import Path

_WALKER = """
import errno, os, shutil, signal, sys
from pathlib import Path
PROGRAM, TEMPLATE, PLACES, FAULT = sys.argv[1:]
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
MAKES = ("open", "os.link", "os.rename", "os.mkdir")
STEPS = MAKES if FAULT == "ENOSPC" else (*MAKES, "os.remove")  # a full disk can be made emptier
import assay.record.store.run_file  # once, and not in each process: it takes half a second

def walked(step):
    root = Path(PLACES) / str(step)
    shutil.copytree(TEMPLATE, root)
    child = os.fork()
    if child == 0:
        os._exit(faulty(root, step))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def faulty(root, step):
    from assay.errors import InputError
    done = [0]
    def watch(event, values):
        is_step = event in STEPS and (event != "open" or values[2] & WRITING)
        if not is_step or not str(values[0]).startswith(str(root)):
            return
        done[0] += 1
        if done[0] == step and FAULT == "KILL":
            os.kill(os.getpid(), signal.SIGKILL)
        if done[0] >= step and FAULT != "KILL":
            raise OSError(getattr(errno, FAULT), os.strerror(getattr(errno, FAULT)))
    sys.addaudithook(watch)
    try:
        exec(PROGRAM, {"root": root, "tell": lambda done, of: None})
    except InputError:
        return 3
    except BaseException as error:
        print(f"step {step}: {error!r}", file=sys.stderr, flush=True)
        return 4
    return 0 if done[0] < step else 5

code, step = 1, 0
while code:
    step += 1
    code = walked(step)
    print(code, flush=True)
    if code in (4, 5):
        break
"""


def walked(program: str, template: Path, places: Path, fault: str) -> list[Path]:
    """Copies of the template after the fault came at each step; the last is of no fault.

    Raises `AssertionError` where the program ended in another way than it should.
    """
    done = subprocess.run(
        [sys.executable, "-c", _WALKER, program, template, places, fault],
        capture_output=True,
        text=True,
        check=True,
    )
    codes = [int(line) for line in done.stdout.split()]
    wanted = {"KILL": -9}.get(fault, 3)
    assert codes == [wanted] * (len(codes) - 1) + [0], done.stderr + done.stdout
    return [places / str(step) for step in range(1, len(codes) + 1)]
