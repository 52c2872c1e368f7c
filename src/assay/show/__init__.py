"""Show: verdicts and samples as text, pictures and pages. Computes no statistic."""
