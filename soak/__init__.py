"""What takes hours: `./dev soak`. See `__main__` for its parts."""
