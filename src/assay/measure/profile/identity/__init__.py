"""What a benchmark executes, told without addresses."""
