"""Vega-Lite charts, and pictures of them."""
