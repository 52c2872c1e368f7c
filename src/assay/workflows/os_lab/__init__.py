"""System calls and C library functions."""
