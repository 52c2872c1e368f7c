"""Workflows join measure, record, judge and show; the command line calls them."""
