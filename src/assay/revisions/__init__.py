"""Revisions of a git repository: found, checked out beside the user's tree, and built once."""
