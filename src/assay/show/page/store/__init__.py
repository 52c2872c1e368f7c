"""Pages of a store of runs: what changed, all benchmarks, one benchmark, any two runs."""
