"""Vega-Lite charts, and pictures made of them."""
