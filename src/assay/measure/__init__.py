"""Measure: run something and produce samples. Decides nothing, prints nothing."""
