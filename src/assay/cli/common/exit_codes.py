"""What the exit code of `assay` means: the same for every verb. The README has it as a table."""


class Slower(int):
    """Exit code 1. Of another type than the others: `gate.exit_code` alone answers with it, and
    `outermost` makes a defect of any other 1, such as a library's `sys.exit(1)`."""


DONE = 0
SLOWER = Slower(1)  # something is slower, with --gate
BAD_INPUT = 2  # bad usage or input, or a file that cannot be written, after the results were shown
NOT_MEASURED = 3  # something could not be measured, or with --gate stands on one side only
UNDECIDED = 4  # not judged, or not well enough, with --gate
DEFECT = 70  # in Assay itself (EX_SOFTWARE of sysexits.h), with its traceback: never a verdict
SIGNALLED = 128  # plus the number of the signal: SIGHUP 129, Ctrl-C 130, SIGTERM 143
BROKEN_PIPE = 141  # nobody reads the output any more
