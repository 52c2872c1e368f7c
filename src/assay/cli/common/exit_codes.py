"""What the exit code of `assay` means: the same for every verb. The README has it as a table."""


class Slower(int):
    """The type of exit code 1 alone: only `gate.exit_code` returns it, and `outermost` reports any
    other 1, such as a library's `sys.exit(1)`, as a defect."""


DONE = 0
SLOWER = Slower(1)  # with --gate: at least one benchmark is slower
BAD_INPUT = 2  # bad usage or input, or a file that cannot be written, after the results were shown
NOT_MEASURED = 3  # something was not measured; with --gate also: a benchmark is on one side only
UNDECIDED = 4  # with --gate: something was not judged, or not as surely as the gate asks
DEFECT = 70  # of Assay, printed with its traceback (EX_SOFTWARE of sysexits.h): never a verdict
SIGNALLED = 128  # plus the number of the signal: SIGHUP 129, Ctrl-C 130, SIGTERM 143
BROKEN_PIPE = 141  # nobody reads the output any more
