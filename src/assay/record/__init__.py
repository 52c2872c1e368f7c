"""Samples and the facts around them: read from files, written to files, and kept in a store."""
