"""What kernels read of melds and of games.

A row of a meld, by its id, is 34 counts, then what a family of rule sets makes of the meld and
what any of them adds up. A game is a head of numbers (:mod:`evaluator.shape.conditions`).
"""

ROW = 64  # bytes
CHOW_COUNT = 21
FIRST_PUNG = 22  # meld ids: chows from 1, then 34 each of pungs, melded, concealed kongs
MELD_ROWS = 256  # any byte; those that are no meld have 255 copies of tile 0

# a row of a meld: 34 counts, then its record, sums and signature
MELD_RECORD, MELD_SUMS = 40, 48
# its sums; the sets lie where the headers have them
SETS_SHIFT = 4
WIN_SHIFT, WIN_FIELD = 16, 0b111111111  # open, melded kongs, concealed kongs: 3 bits each
PUNGS_SHIFT, PUNGS_FIELD = 28, 0b1111111  # honour pungs
KONGS_SHIFT = 36

WIN_HEAD = (
    "max_suits", "min_suits", "chow_melds", "seven_pairs", "kinds", "requires", "wild_count",
    "wild_next", "wild_own_suit", "fifth_copy",
)  # fmt: skip
"""Numbers at the head of a game: what it asks of every win, and what wild tiles may be;
``requires`` has a bit for each of ``rulesets.records.CONDITIONS``."""
