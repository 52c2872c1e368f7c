"""Pure judgement: samples in, verdicts out. No clock, no files, no hidden state.

    estimate       one number for one launch
    pairing        two files of samples -> the pairs that can be compared
    verdict        judge(): every pair at once, controlled over the whole suite
    look           look(), settled(): the pairs of one benchmark after some more rounds
    floor          what A against A shows on this host, and what to say of it
    gbench_report  compare.py's table, as numbers

Inside: `rounds` (interleaved pairs) on `wealth` (an interval valid at every look);
beside that centre `tails` (slow launches) and `slow_samples`, joined in `beside`, all
sharing one level (`share`); `files` (one side measured after the other) on `ranks`,
`counts` (exact metrics), `independence` (drift, autocorrelation, modes), `multiplicity`,
`strength` and `undecided` (what was caught, what is lacking).

Nothing is imported here, so that `assay --help` pays for none of it.
"""
