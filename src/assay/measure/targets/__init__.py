"""Targets: what one launch runs, such as a benchmark executable or a command."""
