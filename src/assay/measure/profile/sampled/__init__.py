"""Where a program spends its time, sampled by perf."""
