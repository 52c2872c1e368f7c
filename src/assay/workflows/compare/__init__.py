"""Compares two targets, measured now or recorded before."""
