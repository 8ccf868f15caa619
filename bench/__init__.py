"""What the speed claims rest on: the naive solver, the rivals, the comparisons, the report."""
