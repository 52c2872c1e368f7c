"""What a benchmark executes, described without addresses, to see whether two builds do the same."""
