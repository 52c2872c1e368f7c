"""Pages of a store: what changed, all benchmarks, one benchmark, any two runs, and others."""
