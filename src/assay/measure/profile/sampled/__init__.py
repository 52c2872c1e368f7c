"""Where a program is, sampled by perf."""
