"""Pure judgement: samples in, verdicts out. No clock, no files, no hidden state.

    estimate    one number for one launch
    pairing     two files of samples -> the pairs that can be compared
    verdict     judge(): every pair at once, controlled over the whole family
    look        look(), settled(): the pairs of one benchmark after some more rounds
    floor       what A against A shows on this host, and what to say of it
    share       how a pair's error level is divided among the questions asked of it

    paired/     interleaved rounds: an interval valid at every look, slow launches, slow samples
    unpaired/   one side measured after the other: intervals by ranks, widened for drift
    family/     all comparisons of one judgement: levels, counts, what was caught, what is lacking
    history/    a series of runs: where its level changed, and what it is now
    bisection/  which commit made a benchmark slower
    attribution/    which function explains a difference in instructions, time or memory
    labs/       summaries of runs, suites, system calls and sweeps
    compare_py/ the numbers of Google Benchmark's compare.py

Nothing is imported here, so that `assay --help` pays for none of it.
"""
