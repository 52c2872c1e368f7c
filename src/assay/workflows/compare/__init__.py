"""Comparing two targets, live or recorded."""
