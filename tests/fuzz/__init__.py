"""Every query on hands of every kind, against references that share nothing with it.

``python -m tests.fuzz --rows 10000000 --texts 1000000`` runs all checks at length, from the
root of the repository; :mod:`test_fuzz` runs each a little. Hands, rule sets and texts come
from a seed; a check that fails says which part of it did, and on what hand.
"""
