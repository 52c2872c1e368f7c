"""The history of one series: where its level changed, drifted, or stayed.

A series is one benchmark, one metric, one class of host: one number a run, in time order.
`detector` looks at each new run, `summary` judges a whole history with it, `alerts` makes one
alert of the changes of many series. Why it is as it is:
docs/decisions/0033-change-points.md.
"""
