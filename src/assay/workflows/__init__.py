"""Workflows carry out a verb by joining measure, record, judge and show; the cli calls them."""
