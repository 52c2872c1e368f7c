"""Summaries of what is measured by itself: runs, suites, system calls, sweeps."""
