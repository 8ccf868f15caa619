"""What can be wrong, and how it is said.

Every exception is an :class:`EvaluatorError`, which is a ``ValueError``; every
row that a batch marks instead of raising carries a :class:`Reason`.
"""

from __future__ import annotations

import enum


class Reason(enum.IntEnum):
    """What is wrong with a hand, as a number (``uint8``; the values never change).

    :attr:`HandError.reason` carries it, and so does every row of a batch of scores.

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
    IMPOSSIBLE_FLAGS    win flags that cannot be together, or with this hand
    BAD_WIND            a wind that is not 0-3
    BAD_FLOWERS         more than eight flowers
    NOT_A_WIN           the hand is not complete
    TOO_MANY_SUITS      complete but for its third suit (缺门)
    NOTATION            text that is no hand
    NO_INDICATOR        the score needs to know the turned tile
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


def shown(value: object, most: int = 200) -> str:
    """A value in a message: not too long, and never itself an error.

    >>> shown([1, "m"]), shown(10**5000)
    ("[1, 'm']", 'an int too large to show')
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an int of thousands of digits, lists in lists
        name = type(value).__name__
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name} too large to show"
    return text if len(text) <= most else text[: most - 1] + "…"


def visible(text: str) -> str:
    """A text without what a terminal cannot show, or would act on: strange characters.

    >>> visible("1m\\x1b[31m")
    '1m\ufffd[31m'
    """
    from unicodedata import category

    return "".join("\ufffd" if category(c)[0] == "C" else c for c in text)


class EvaluatorError(ValueError):
    """Base of every error this package raises about its input."""


class NotationError(EvaluatorError):
    """Text that is no hand.

    Attributes
    ----------
    text : str
        The text as given.
    position : int
        0-based index of the first character that is wrong (``len(text)``: the
        text ends too soon).
    reason : str
        What is wrong there.
    index : int or None
        Which text of a list it is, None for one text.
    """

    def __init__(self, text: str, position: int, reason: str, index: int | None = None) -> None:
        self.text = text
        self.position = position
        self.reason = reason
        self.index = index
        super().__init__(text, position, reason, index)

    def at(self, index: int) -> NotationError:
        """The same error, said of text ``index`` of a list."""
        return type(self)(self.text, self.position, self.reason, index)

    def __str__(self) -> str:
        from unicodedata import east_asian_width

        text = visible(str(self.text))
        start = max(0, self.position - 40)
        before = ("…" if start else "") + text[start : self.position]
        after = text[self.position : self.position + 40]
        after += "…" if self.position + 40 < len(text) else ""
        # a wide character (万) takes two columns of a terminal, so does its space
        lead = "".join("  " if east_asian_width(c) in "WF" else " " for c in before)
        where = "" if self.index is None else f"hand {self.index}: "
        said = f"{where}{self.reason} (at character {self.position + 1})"
        return f"{said}\n  {before}{after}\n  {lead}^"


class HandError(EvaluatorError):
    """A hand that cannot be.

    Attributes
    ----------
    index : int or None
        Position of the first bad hand in a batch (flat, row-major), None for
        one hand.
    tile : int or None
        The tile (0-33) that is wrong, if it is one tile.
    count : int or None
        The number that is wrong: copies of the tile, or tiles of the hand.
    reason : Reason or None
        The same as a number.
    """

    def __init__(
        self,
        message: str,
        *,
        index: int | None = None,
        tile: int | None = None,
        count: int | None = None,
        reason: Reason | None = None,
    ) -> None:
        self.message = message
        self.index = index
        self.tile = tile
        self.count = count
        self.reason = reason
        super().__init__(message)

    def __str__(self) -> str:
        return self.message if self.index is None else f"hand {self.index}: {self.message}"

    def at(self, index: int) -> HandError:
        """The same error, said of row ``index`` of a batch."""
        return type(self)(
            self.message, index=index, tile=self.tile, count=self.count, reason=self.reason
        )

    def __reduce__(self) -> tuple[object, ...]:
        state = {k: getattr(self, k) for k in ("message", "index", "tile", "count", "reason")}
        return (_restore, (type(self), state))


def _restore(kind: type[HandError], state: dict[str, object]) -> HandError:
    error = kind(str(state["message"]))
    error.__dict__.update(state)
    return error


class NotAWin(HandError):
    """A score was asked of one hand that is not complete."""


class RulesError(EvaluatorError):
    """A rule set that does not exist, or a key of one that is wrong.

    Attributes
    ----------
    key : str
        The name, path or key that is wrong.
    reason : str
        What is wrong with it.
    """

    def __init__(self, key: str, reason: str) -> None:
        self.key = key
        self.reason = reason
        super().__init__(key, reason)

    def __str__(self) -> str:
        return f"{visible(str(self.key))}: {self.reason}"


class RoundError(EvaluatorError):
    """A round that cannot have been played, or a win that the rules do not pay.

    Attributes
    ----------
    reason : str
        What is wrong.
    event : int or None
        Index of the event that is wrong, from 0; None when it is no single event.
    """

    def __init__(self, reason: str, event: int | None = None) -> None:
        self.reason = reason
        self.event = event
        super().__init__(reason, event)

    def __str__(self) -> str:
        return self.reason if self.event is None else f"event {self.event}: {self.reason}"
