"""The questions about worth: hands are taken in once, the family of the rule set answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.recent import keep
from ..errors import Reason
from ..hands import Hand, Hands
from ..rulesets import Rules
from ..shape.intake import check_bool, check_errors, resolve, taken
from ..tiles import KINDS, SUITED
from .families import One, family_of
from .refusals import refusal
from .results import Part, WaitScores
from .rows import Rows

_NO_WINS = (Reason.NOT_A_WIN, Reason.TOO_MANY_SUITS)

# rules -> what scores one hand
_ONE: dict[Any, One] = {}


def score(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    detail: bool = False,
    threads: int | None = None,
    errors: str = "raise",
) -> Any:
    """The score of complete hands: the best reading of each.

    Parameters
    ----------
    hands : Hand, Hands, str, sequence of Hand or str, array_like of int, shape (..., 34 or 27)
        Complete hands; the winning tile is among the concealed tiles. An array of counts has
        no winning tile, melds or flags. It can be scored under rule sets with patterns, unless
        a pattern depends on how the winning tile fits (夹心, 单钓, 边张).
    rules : str, Rules or None
        A preset with fan (``guobiao``) or with patterns (the Sichuan family, ``dandong``),
        a path or a rule set; None: ``guobiao``, and ``sbr_2025`` for arrays of 27 kinds.
    detail : bool
        Also count the parts of each score of a batch (``counts``). The score of one hand
        always has its parts.
    threads : int, optional
        None: as many as the process may use; small batches use one.
    errors : {"raise", "mark"}
        ``"mark"`` gives invalid hands fan −1 and a reason. In a batch, a hand that is not a
        win always has −1 and the reason ``NOT_A_WIN``, or ``TOO_MANY_SUITS`` if it would be a
        win without 缺门.

    Returns
    -------
    Score or Scores
        Fan, points, the payment of one payer, and the parts of the score.

    Raises
    ------
    HandError
        Names the first invalid hand, the tile and the reason: sizes that do not
        add up, no winning tile, five copies, flags that contradict the tiles; under rules
        with patterns also honours in a game without them, a chow meld where none may be
        claimed, more wild tiles than the game has, no ``indicator`` where it is needed
        (``NO_INDICATOR``).
    NotAWin
        A single hand is not complete, or has three suits where a win has at most two.
    RulesError
        The rule set does not exist or has no scores.

    Notes
    -----
    和绝张 is added if the other three copies are in the hand's own melds. Under Guobiao a
    dealt hand (``heavenly``) never waited: you may leave out the winning tile, there is no
    边张, 坎张 or 单钓将, and 九莲宝灯 holds with any tile. Wild tiles stand for whatever scores
    most. Source: the rule book of 1998 and, for ``guobiao``, the 2025 supplement of the
    Mahjong International League. The file of a rule set with patterns names its own sources.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.score(ev.Hand.parse("555666777p5556s7s|EE1000"))
    <Score: 48 = 一色三同顺 24, 全带五 16, 不求人 4, 平和 2, 喜相逢 1, 缺一门 1>
    >>> batch = ev.Hands.from_hands([ev.Hand.parse("123789s123789p3m3m")])
    >>> ev.score(batch).fan
    array([8], dtype=int16)
    >>> ev.score(ev.Hand.parse("[5555p,1][222m]888m55m22p2p|EE1000"), "sbr_2025")
    <Score: 2 fan, 4 points, pays 5 = 大对子, 杠>
    >>> ev.score(ev.parse("11224444557799m")[:27]).fan
    5
    """
    if detail is not False:
        detail = check_bool(detail, "detail")
    if type(hands) is Hand and threads is None:
        try:
            one = _ONE[rules]
        except (KeyError, TypeError):
            one = _prepare(rules)
        simple = type(errors) is str and errors == "raise" and type(detail) is bool
        scored = one(hands) if simple else None
        if scored is not None:
            return scored
    mark, detail = check_errors(errors), check_bool(detail, "detail")
    hands = taken(hands)
    known = resolve(rules, _width(hands))
    family = family_of(known)
    rows = Rows(hands, known)
    found, bad = family.rows(rows, known, detail, threads)
    if bad >= 0 and not mark:
        raise refusal(family, rows, bad, Reason(int(found.reason[bad])), known, 14)
    if rows.lead != ():
        return found.shaped(rows.lead)
    reason = Reason(int(found.reason[0]))
    if reason in _NO_WINS and not mark:
        raise refusal(family, rows, 0, reason, known, 14)
    return found[0]


def _prepare(rules: Any) -> One:
    """What scores one hand under a rule set, remembered but for files."""
    known = resolve(rules, KINDS)
    one = family_of(known).one(known)
    if rules is None or isinstance(rules, Rules) or not str(rules).endswith(".toml"):
        keep(_ONE, rules, one)
    return one


def _width(hands: Any) -> int:
    """27 for tile counts without honours, else 34."""
    if isinstance(hands, Hand | Hands):
        return KINDS
    try:
        shape = np.shape(hands)
    except ValueError:  # of hands of many lengths, which are refused as what they are
        return KINDS
    return SUITED if shape and shape[-1] == SUITED else KINDS


def wait_scores(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    seen: Any = None,
    threads: int | None = None,
    errors: str = "raise",
) -> WaitScores:
    """The score of a hand of 13 tiles with each tile that it waits for.

    Parameters
    ----------
    hands : array_like of int, shape (..., 34 or 27), Hand, Hands, str or list of str
        13 tiles, melds included. The flag ``self_drawn`` of a hand is ignored; its other flags
        apply to a win by discard and by self-draw.
    rules, threads
        As for :func:`score`.
    seen : array_like of int, shape (34,) or (..., 34), optional
        Copies of each tile that are visible elsewhere, without the hand's own tiles and melds.
    errors : {"raise", "mark"}
        ``"mark"`` gives invalid hands −1 everywhere and a reason.

    Returns
    -------
    WaitScores
        Each entry is the fan before the cap that :func:`score` gives the completed hand, with
        和绝张 if the hand's melds and ``seen`` hold the other three copies. The wild tile of an
        ``indicator`` can only be drawn.

    Raises
    ------
    HandError
        As for :func:`score`, and if more than four copies of a tile are visible.
    RulesError

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.wait_scores(ev.Hand.parse("[123m,1][345m,1]678p56sWW"))
    <WaitScores, by discard/self-drawn: 4s 8/1 (4 left), 7s 8/1 (4 left)>
    >>> ev.wait_scores(ev.Hand.parse("[888s,1]11133444p22s"), "qq_sichuan", seen=ev.parse("3p"))
    <WaitScores, by discard/self-drawn: 3p 2/2 (1 left), 2s 2/2 (2 left)>
    """
    mark = check_errors(errors)
    hands = taken(hands)
    known = resolve(rules, _width(hands))
    family = family_of(known)
    rows = Rows(hands, known)
    (discard, self_drawn, met, left, reason), bad = family.waits(rows, known, seen, threads)
    if bad >= 0 and not mark:
        raise refusal(family, rows, bad, Reason(int(reason[bad])), known, 13, seen)
    lead, width = rows.lead, rows.width
    return WaitScores(
        discard[:, :width].reshape(*lead, width),
        self_drawn[:, :width].reshape(*lead, width),
        met[:, :width].reshape(*lead, width, 2),
        left[:, :width].reshape(*lead, width),
        Reason(int(reason[0])) if lead == () else reason.reshape(lead),
    )


def parts_of(rules: Rules) -> tuple[Part, ...]:
    """All parts that a score of a rule set may have; none where hands have no score."""
    if not (rules.fan_table or rules.patterns):
        return ()
    return family_of(rules).every_part(rules)


def ready_max_fan(
    hands: Any, rules: str | Rules | None = None, *, seen: Any = None, threads: int | None = None
) -> Any:
    """The fan that ready hands pay for when the wall is empty (查大叫): the most of any wait.

    If ``settlement.dajiao`` is ``"min"``, it is the least. The way in which a hand might be
    won (自摸, 杠上花 …) does not count, whatever its flags say. ``dead_wait`` says which waits
    do not count. If it allows a wait for a fifth copy, that hand is scored by its tiles.

    Parameters
    ----------
    hands : Hand, Hands, sequence of Hand or array_like of int, shape (..., 34 or 27)
        13 tiles, the melds included.
    rules : str, Rules or None
        As for :func:`score`, with patterns.
    seen : array_like of int, shape (34,) or (..., 34), optional
        Copies of each tile visible elsewhere, for ``visible4``.
    threads : int, optional

    Returns
    -------
    int or int16[...]
        Fan before the cap; −1 = not ready.

    Raises
    ------
    HandError
        An invalid hand, or one that is not of 13 tiles.
    RulesError
        A rule set without patterns.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.ready_max_fan(ev.Hand.parse("[888s,1]1112233456s"), "sbr_2025")
    3
    """
    hands = taken(hands)
    known = resolve(rules, _width(hands))
    family = family_of(known)
    rows = Rows(hands, known)
    (fan, reason), bad = family.ready_fan(rows, known, seen, threads)
    if bad >= 0:
        raise refusal(family, rows, bad, Reason(int(reason[bad])), known, 13, seen)
    return int(fan[0]) if rows.lead == () else fan.reshape(rows.lead)
