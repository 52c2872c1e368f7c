"""The store: every run kept as a Parquet file, and a catalogue made of these files."""
