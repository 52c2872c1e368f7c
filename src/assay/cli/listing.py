"""assay list TARGET: the names of its benchmarks."""

from assay.cli import options as opt


def list_(target: opt.Target, filter: opt.Filter = "", timeout: opt.Timeout = opt.TIMEOUT) -> int:
    """Print the names of TARGET's benchmarks, one a line."""
    from assay.cli.runtime import executor
    from assay.errors import NoBenchmarksError
    from assay.workflows.listing import list_benchmarks

    names = list_benchmarks(target, filter, executor(), opt.seconds(timeout, "--timeout"))
    if not names:
        hint = "try a wider --filter" if filter else "is it the right one?"
        raise NoBenchmarksError("no benchmark", where=target, hint=hint)
    for name in names:
        print(name)
    return 0
