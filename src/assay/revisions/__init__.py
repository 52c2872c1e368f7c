"""Revisions of a git repository: found, checked out apart from the user's files, and built once."""
