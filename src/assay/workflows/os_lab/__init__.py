"""The OS lab: system calls and C library functions."""
