"""What pages show of a store: a survey of all of it, one benchmark, or any two runs."""
