"""Conditions of `assay overhead`, such as a tracer: set up, proven to be in force, undone."""
