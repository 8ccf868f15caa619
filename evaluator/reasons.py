"""What is wrong with a hand, as a number: kernels know it by these values.

Apart from :mod:`evaluator.errors`, so that a new message compiles no kernel anew.
"""

from __future__ import annotations

import enum


class Reason(enum.IntEnum):
    """What is wrong with a hand, as a number (``uint8``; the values never change).

    :attr:`evaluator.HandError.reason` carries it, and so does every row of a batch of scores.

    ==================  ======================================================
    OK                  nothing
    COUNT_ABOVE_FOUR    a count that is not 0 to 4
    BAD_SIZE            neither 3k+1 nor 3k+2 tiles, too many, or not the size
                        the question is about; melds and tiles do not add up
    NOT_IN_GAME         an honour in a game without honours
    TOO_MANY_WILDS      more wild tiles than a hand or the game has
    BAD_MELD            a meld that is no set
    MELD_NOT_ALLOWED    a set the rules do not let one claim
    FIVE_COPIES         five of a tile, melds included
    SEEN_TOO_MANY       more than four of a tile in hand, melds and sight
    NO_WIN_TILE         the score needs to know the winning tile
    WIN_TILE_NOT_HELD   the winning tile is not among the concealed ones
    IMPOSSIBLE_FLAGS    win flags that contradict each other, or this hand
    BAD_WIND            a wind that is not 0-3
    BAD_FLOWERS         more than eight flowers
    NOT_A_WIN           the hand is not complete
    TOO_MANY_SUITS      complete but for its third suit (缺门)
    NOTATION            invalid hand text
    NO_INDICATOR        the score needs to know the turned tile
    BAD_ARRAY           not whole numbers, or not in the shape of hands
    ==================  ======================================================
    """

    OK = 0
    COUNT_ABOVE_FOUR = 1
    BAD_SIZE = 2
    NOT_IN_GAME = 3
    TOO_MANY_WILDS = 4
    BAD_MELD = 5
    MELD_NOT_ALLOWED = 6
    FIVE_COPIES = 7
    SEEN_TOO_MANY = 8
    NO_WIN_TILE = 9
    WIN_TILE_NOT_HELD = 10
    IMPOSSIBLE_FLAGS = 11
    BAD_WIND = 12
    BAD_FLOWERS = 13
    NOT_A_WIN = 14
    TOO_MANY_SUITS = 15
    NOTATION = 16
    NO_INDICATOR = 17
    BAD_ARRAY = 18
