"""Every run kept: one Parquet file each, and a catalogue made of them."""
