"""What one launch runs: a benchmark executable, a command, a program under a preload."""
