"""A plug-in of pytest, `-p other_margin`: its tests run with a default margin of 3.1 %."""

from assay import defaults

defaults.MARGIN = 0.031
