"""Who pays whom: for one win, or for a whole round.

The amounts are the ``[settlement]`` table of a rule set
(:class:`evaluator.rulesets.records.Settlement`); this package applies them, in
plain Python. ``NNN:LL`` is line LL of source text NNN: docs/rules/ says what it states.

============  ================================================================
``moves``     what happens in a round: kongs, wins, a draw, a player who leaves
``given``     checks of single arguments
``events``    the events read into moves
``rounds``    the round read and checked
``wins``      what one win pays
``passing``   whether a seat may win, whether it must, who deals next
``table``     the round played: who still plays, what has been paid
``ledger``    the result
============  ================================================================

Where the texts are silent or unclear, a round is settled so:

* A kong pays at once. A player who has won neither pays nor receives for later kongs.
* 杠上炮 moves the income of the last kong only, as much as it really brought, to each
  winner in full (001:71). Income that has moved is not given back again.
* Robbing a kong needs the added kong as the event before, 杠上花 and 杠上炮 a kong: flags
  are worth fan, so they are checked.
* A winner who leaves between a kong and the win after it changes nothing (001:79).
* Where the feeder of a kong pays for the discard after it (``fed_kong_discard_pays``), he
  counts as the discarder for the next dealer, too; if he wins with that tile himself, the
  discarder pays.
* Before 天胡 nothing may have happened; before 地胡 nothing but wins of other seats with
  their own first tile. On a discard 地胡 is won on the dealer's first.
* After a win with the last tile of the wall only wins with the same tile follow, and then
  the draw if the hand is not decided (001:37).
* What goes back at a draw goes to all who paid, those who have won included, but not to
  those who have left (001:81).
* 飘 multiplies all that two players owe each other, kongs and the draw included, unless the
  rule set says that it multiplies wins alone (``piao_doubles``).
* A pig gives its kongs back where the rule set says so (``pig_refunds``), or where a pig is
  also one that is not ready (``pig_also_dajiao``).
* A player who leaves before winning ends the hand. Wins and kongs stay paid. The only ready
  check is that of the last tiles (001:77), which the leaver pays whether ready or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .ledger import Entry, Ledger, SeatState, Won
from .passing import may_win, must_win, next_dealer
from .rounds import read_round
from .table import Table
from .wins import payments

__all__ = [
    "Entry",
    "Ledger",
    "SeatState",
    "Won",
    "may_win",
    "must_win",
    "next_dealer",
    "payments",
    "settle",
]


def settle(round: Mapping[str, Any] | str | bytes) -> Ledger:
    """Who pays whom in a round.

    Parameters
    ----------
    round : mapping, or str or bytes of JSON
        ==========  ==========================================================
        ``rules``   a preset's name, a path, or a :class:`Rules`
        ``dealer``  seat 0-3 (default 0); seats are in order of play
        ``hands``   of each seat the :class:`Hand` or its text: the 13 tiles and
                    melds it has at the end (a kong counts as three), a winner's
                    as it won, without the winning tile
        ``events``  a list, in the order of play, see below
        ``piao``    four booleans: who plays 飘
        ``room``    ``{"coefficient": N, "fee": A}``: also count coins
        ==========  ==========================================================

        An event is a table with its ``type``:

        ``kong``
            ``seat``, ``kind`` (``"direct"``, ``"added"``, ``"concealed"``), ``tile``; of a
            direct kong ``from``, the seat that fed it; of an added one ``fresh`` (default
            true), false where it was made later than the tile was drawn. Every kong meld
            has its event; so has an added kong that is robbed, its meld being the pung.
        ``win``
            ``seat``; ``from``, whose tile it was, left out where it was drawn; ``tile``
            (``"wild"``: a wild one was drawn), or ``hand``, the complete hand; ``flags``, a
            list of :data:`evaluator.FLAGS`. Wins side by side with the same tile of the
            same seat are on one discard, unless a later one is ``separate`` (true). A
            ``fan`` is compared with the score's (before a cap).
        ``draw``
            The wall is empty and the hand is not decided.
        ``leave``
            ``seat`` leaves; ``wall_left``, tiles of the wall, if it matters.

        A tile is an index 0-33 or a name in any notation. A key whose value is None is
        ignored.

    Returns
    -------
    Ledger
        Amounts are in the unit of the rule set's points.

    Raises
    ------
    RoundError
        The round is impossible; the error names the event. Examples: an unknown key, an
        invalid seat, a move by a seat that has already won, a kong of tiles that the seat
        does not hold, a hand that is not a win, a tile used five times. Nothing is settled.
    RulesError
        No such rule set.

    Notes
    -----
    The winds of the seats follow from the dealer; prevalent winds, flowers and wild tiles
    are those of the hands.

    Examples
    --------
    >>> import evaluator as ev
    >>> hands = ["123789s123789p3m", "4567m4567p44s66z7z", "147m258p369s1234z", "112233m4455667s"]
    >>> win = {"type": "win", "seat": 0, "from": 2, "tile": "3m"}
    >>> ledger = ev.settle({"rules": "guobiao", "hands": hands, "events": [win]})
    >>> ledger.totals
    (32, -8, -16, -8)
    """
    table = Table(read_round(round))
    table.play()
    return table.ledger()
