"""The core of a batch: a :class:`~evaluator.hands.Hands` in, one array per result out.

Text, Arrow and Parquet are ways to make the batch and to write the arrays; none of
them is known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import queries as ask
from ..errors import EvaluatorError, HandError, NotationError, NotAWin, Reason
from ..hands import MAX_WILDS, NONE, Hands, check_counts, integer_array
from ..rulesets import rules as lookup
from ..tiles import COPIES, KINDS, SUITED

if TYPE_CHECKING:
    from ..rulesets import Rules

QUERIES = ("shanten", "waits", "discards", "win", "score")

MISSING = ask.INVALID
"""A shanten column's number for a row without an answer."""

FAN_COLUMNS = 82
NO_SCORE = -1
"""A total's number for a row without one."""

BLOCK = 1 << 16
"""Hands asked at once: the discards of one need 340 bytes on the way."""

Columns = dict[str, npt.NDArray[Any]]
Batch = Hands | npt.NDArray[Any]
"""Hands, or tile counts of shape (n, 34) or (n, 27) of any integer type."""
RowError = NotationError | HandError

_EMPTY: dict[str, dict[str, tuple[Any, Any]]] = {
    # query: {column: (dtype, value of a row without an answer)}
    "shanten": {"shanten": (np.int8, MISSING)},
    "waits": {
        "waits_shanten": (np.int8, MISSING),
        "waits_mask": (np.uint64, 0),
        "waits_left": (np.uint8, 0),
    },
    "discards": {
        "discard": (np.uint8, NONE),
        "discard_shanten": (np.int8, MISSING),
        "discard_mask": (np.uint64, 0),
        "discard_left": (np.uint8, 0),
    },
    "win": {"win": (np.bool_, False)},
    "score": {
        "score": (np.int16, NO_SCORE),
        "minimum_met": (np.bool_, False),
        # the counts of all fan as one item of so many bytes
        "fan_counts": (np.dtype((np.void, FAN_COLUMNS)), np.void(bytes(FAN_COLUMNS))),
    },
}


def _empty(name: str, rules: str | Rules | None) -> dict[str, tuple[Any, Any]]:
    """The columns of a query under a rule set."""
    if name != "score" or not has_patterns(rules):
        return _EMPTY[name]
    assert rules is not None
    groups = len({pattern.group for pattern in lookup(rules).patterns})
    return {
        "fan": (np.int16, NO_SCORE),
        "points": (np.int32, 0),
        "payment": (np.int32, 0),
        # the pattern of each group by its number, a byte each
        "pattern": (np.dtype((np.void, groups)), np.void(bytes([NONE] * groups))),
        "gens": (np.uint8, 0),
        "kongs": (np.uint8, 0),
        "addons": (np.int8, 0),
        "minimum_met": (np.bool_, False),
    }


def has_patterns(rules: str | Rules | None) -> bool:
    """Whether scores under a rule set are of the Sichuan kind.

    >>> has_patterns("qq_sichuan"), has_patterns(None)
    (True, False)
    """
    return rules is not None and bool(lookup(rules).patterns)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every hand of a batch.

    Attributes
    ----------
    names : tuple of str
        The queries.
    rules : str, Rules or None
    seen : array_like of int, shape (34,) or (n, 34), or None
        Tiles visible elsewhere.
    void : int, array_like of int, shape (n,), or None
        Void suit 0-2; 255 in an array leaves that hand to the rules.
    wilds : int, array_like of int, shape (n,), or None
        Wild tiles held, instead of the hands' own.
    threads : int or None
    """

    names: tuple[str, ...]
    rules: str | Rules | None = None
    seen: Any = None
    void: Any = None
    wilds: Any = None
    threads: int | None = None

    def of(self, rows: Any) -> Asked:
        """The same, asked of some rows."""
        return replace(
            self,
            seen=_rows(self.seen, rows, 2),
            void=_rows(self.void, rows, 1),
            wilds=_rows(self.wilds, rows, 1),
        )

    def options(self, *, seen: bool) -> dict[str, Any]:
        """Keyword arguments of a query."""
        options = {"wilds": self.wilds, "void": self.void, "threads": self.threads}
        return options | {"seen": self.seen} if seen else options


def _rows(values: Any, rows: Any, dimensions: int) -> Any:
    return values[rows] if np.ndim(values) == dimensions else values


def evaluate(
    hands: Hands,
    queries: str | Sequence[str],
    rules: str | Rules | None = None,
    *,
    seen: Any = None,
    void: Any = None,
    wilds: Any = None,
    threads: int | None = None,
) -> Columns:
    """Ask several things of a batch; columns in, columns out.

    Parameters
    ----------
    hands : Hands
    queries : sequence of {"shanten", "waits", "discards", "win", "score"}
        Each hand is asked those that its size allows, and for a score if it is a win; a
        hand that none of them allows (14 tiles and only ``waits``, no win and only
        ``score``) is a bad row.
    rules : str, Rules or None
    seen : array_like of int, shape (34,) or (n, 34), optional
        Tiles visible elsewhere.
    void : int or array_like of int, shape (n,), optional
        Void suit 0-2; in an array 255 leaves that hand to the rules.
    wilds : int or array_like of int, shape (n,), optional
        Wild tiles held, instead of the hands' own.
    threads : int, optional

    Returns
    -------
    dict of str to ndarray, each of shape (n,)
        Of the queries asked: ``shanten`` int8; ``win`` bool; ``waits_shanten`` int8,
        ``waits_mask`` uint64 (bit = tile), ``waits`` text (``14m7p``), ``waits_left``
        uint8 (copies); ``discard`` uint8 (best tile, 255 none), ``discard_shanten``
        int8, ``discard_mask`` uint64, ``discard_waits`` text and ``discard_left``
        uint8 (what the hand then accepts); ``score`` int16 (total), ``minimum_met`` bool,
        ``fan_counts`` void of 82 bytes (how often each fan counts) and ``fans`` text
        (``清龙 四归一×2``), or under rules with patterns ``fan`` int16, ``points`` and
        ``payment`` int32, ``pattern`` void (a byte for each group, the number of its
        pattern, 255 none), ``gens`` and ``kongs`` uint8, ``addons`` int8, ``minimum_met``
        bool and ``patterns`` text (``清一色 大对子``). Always ``reason`` uint8
        (:class:`evaluator.Reason`) and ``error`` text. Where a query has no answer there are
        −128 (a score or fan of −1), 0, False, 255 as the tile and empty text.

    Raises
    ------
    EvaluatorError
        An unknown query or rule set, arguments that do not fit the batch; a bad
        row never raises.

    Examples
    --------
    >>> from evaluator import Hand
    >>> texts = ("123m456p789s1122z", "19m19p19s12345675z")
    >>> hands = Hands.from_hands([Hand.parse(text) for text in texts])
    >>> columns = evaluate(hands, ["shanten", "waits"], "guobiao")
    >>> columns["shanten"].tolist(), columns["waits"].tolist(), columns["error"].tolist()
    ([0, -1], ['12z', ''], ['', ''])
    >>> evaluate(hands[1:], "waits")["error"].tolist()
    ['14 tiles: waits are asked of 3k+1 tiles; of 3k+2 ask for discards']
    """
    asked = Asked(check_queries(queries), rules, seen, void, wilds, threads)
    columns, errors = answer(hands, asked)
    for mask, text in (("waits_mask", "waits"), ("discard_mask", "discard_waits")):
        if mask in columns:
            columns[text] = tile_lists(columns[mask])
    for coded, (text, lists) in LISTED.items():
        if coded in columns:
            texts, number = lists(columns[coded], rules)
            columns[text] = np.array(list(map(" ".join, texts)), np.dtypes.StringDType())[number]
    columns["error"] = np.zeros(len(hands), np.dtypes.StringDType())
    for row, error in errors.items():
        columns["error"][row] = one_line(error)
    return columns


def check_queries(queries: str | Sequence[str]) -> tuple[str, ...]:
    """The queries as a tuple, each once.

    Raises
    ------
    EvaluatorError
        An unknown one, or none.

    Examples
    --------
    >>> check_queries("shanten"), check_queries(["win", "waits", "win"])
    (('shanten',), ('win', 'waits'))
    """
    names = tuple(dict.fromkeys([queries] if isinstance(queries, str) else queries))
    unknown = [name for name in names if name not in QUERIES]
    if unknown or not names:
        what = f"no query {unknown[0]!r}" if unknown else "nothing asked"
        raise EvaluatorError(f"{what}: the queries are {', '.join(QUERIES)}")
    return names


def one_line(error: RowError) -> str:
    """What is wrong with a hand, without its text and caret.

    >>> one_line(NotationError("12x", 2, "what is x?"))
    'what is x? (at character 3)'
    """
    if isinstance(error, NotationError):
        return f"{error.reason} (at character {error.position + 1})"
    return error.message


def tile_lists(mask: npt.NDArray[np.uint64]) -> npt.NDArray[Any]:
    """Tiles of masks as text: ``StringDType[n]``, compact mpsz.

    >>> tile_lists(np.array([0b1001, 1 << 33], np.uint64)).tolist()
    ['14m', '7z']
    """
    from ..kernels.csvtext import TILES_WIDTH, tile_text

    text = np.zeros(len(mask) * TILES_WIDTH, np.uint8)
    start, end = np.empty((2, len(mask)), np.int64)
    tile_text(np.ascontiguousarray(mask), text, start, end)
    return text.view(f"S{TILES_WIDTH}").astype(np.dtypes.StringDType())


def fan_lists(
    counts: npt.NDArray[np.void], rules: str | Rules | None
) -> tuple[list[list[str]], npt.NDArray[np.int64]]:
    """The different lists of fan in a column of counts, and which each row has.

    A list is in the order of the book; a fan that counts twice is ``四归一×2``.
    """
    from ..rulesets.fan import fan_table

    rows = np.frombuffer(counts.tobytes(), np.uint8).reshape(len(counts), FAN_COLUMNS)
    _, first, number = np.unique(counts, return_index=True, return_inverse=True)
    fans = fan_table(lookup("guobiao" if rules is None else rules)).fans
    different = rows[first][:, [fan.column for fan in fans]]
    lists: list[list[str]] = [[] for _ in first]
    where = np.nonzero(different)
    for row, place, times in zip(*where, different[where].tolist(), strict=True):
        name = fans[place].chinese
        lists[row].append(name if times == 1 else f"{name}×{times}")
    return lists, number


def pattern_lists(
    numbers: npt.NDArray[np.void], rules: str | Rules | None
) -> tuple[list[list[str]], npt.NDArray[np.int64]]:
    """The different lists of patterns in a column of their numbers, and which each row has."""
    names = [pattern.name for pattern in lookup("guobiao" if rules is None else rules).patterns]
    different, number = np.unique(numbers, return_inverse=True)
    return [[names[n] for n in row.tobytes() if n < len(names)] for row in different], number


LISTED = {"fan_counts": ("fans", fan_lists), "pattern": ("patterns", pattern_lists)}
"""Columns that stand for lists of names: what the names are called, and what makes them."""


def column_types(
    names: Sequence[str], rules: str | Rules | None = None
) -> dict[str, np.dtype[Any]]:
    """The columns that are numbers, in their order, without ``reason``.

    >>> column_types(["win", "shanten"])
    {'win': dtype('bool'), 'shanten': dtype('int8')}
    """
    return {name: values.dtype for name, values in _no_answers(names, 0, rules).items()}


def columns_of(query: str, rules: str | Rules | None = None) -> tuple[str, ...]:
    """The columns that are numbers of one query.

    >>> columns_of("waits")
    ('waits_shanten', 'waits_mask', 'waits_left')
    """
    return tuple(_empty(query, rules))


def unanswered(columns: Mapping[str, npt.NDArray[Any]], query: str) -> npt.NDArray[np.bool_]:
    """Rows that have no answer to a query: wrong, of the size another takes, or no win.

    >>> columns = {"reason": np.array([0, 0, 2]), "waits_shanten": np.array([1, -128, -128])}
    >>> unanswered(columns, "waits").tolist(), unanswered(columns, "shanten").tolist()
    ([False, True, True], [False, False, True])
    """
    bad: npt.NDArray[np.bool_] = columns["reason"] != 0
    if query == "score":
        bad |= columns["score" if "score" in columns else "fan"] == NO_SCORE
    elif query in _SHANTEN_OF:
        bad |= columns[_SHANTEN_OF[query]] == MISSING
    return bad


def answer(
    hands: Batch, asked: Asked, known: Mapping[int, RowError] | None = None
) -> tuple[Columns, dict[int, RowError]]:
    """The columns that are numbers, and what is wrong by row.

    Parameters
    ----------
    hands : Hands, or ndarray of int, shape (n, 34) or (n, 27)
        Counts are read where they are.
    asked : Asked
    known : mapping of int to error, optional
        Rows that are known to be wrong, and why.

    Returns
    -------
    columns : dict of str to ndarray
        As :func:`evaluate` says, without the text ones.
    errors : dict of int to NotationError or HandError
    """
    n = len(hands)
    asked = _checked(asked, n)
    columns = _no_answers(asked.names, n, asked.rules)
    bad = np.zeros(n, np.bool_)
    for begin in range(0, n, BLOCK):
        rows = slice(begin, begin + BLOCK)
        part = hands if n <= BLOCK else hands[rows]
        some, wrong = _answer_block(part, asked.of(rows))
        bad[rows] = wrong
        for name, values in some.items():
            columns[name][rows] = values
    errors = dict(known or {})
    bad[list(errors)] = False
    errors |= _explain_rows(hands, np.flatnonzero(bad), asked)
    columns["reason"] = np.zeros(n, np.uint8)
    for row, error in errors.items():
        reason = error.reason if isinstance(error, HandError) else None
        columns["reason"][row] = Reason.NOTATION if reason is None else reason
    # one rule for all columns: a row with an error has no results
    wrong_rows = list(errors)
    for name, empty in _no_answers(asked.names, 1, asked.rules).items():
        columns[name][wrong_rows] = empty[0]
    return columns, errors


def own_or_all(own: npt.NDArray[np.uint8] | None, all_rows: Any, otherwise: Any) -> Any:
    """A column's numbers, and where it says nothing (255) the number for all rows."""
    if own is None or (own == NONE).all():
        return all_rows
    return np.where(own == NONE, otherwise if all_rows is None else all_rows, own).astype(np.uint8)


def _checked(asked: Asked, n: int) -> Asked:
    """Per-row arguments as arrays of the right length."""

    def per_row(values: Any, name: str) -> Any:
        if isinstance(values, str):
            raise HandError(f"{name} must be a number, got {values!r}")
        if np.ndim(values) == 0:
            return values
        array = integer_array(values, name)
        if array.shape != (n,):
            raise HandError(f"{name} must be one number or {n}, got shape {array.shape}")
        return array

    seen = asked.seen
    if seen is not None:
        seen = integer_array(seen, "seen")
        if seen.ndim == 2 and len(seen) != n:
            raise HandError(f"seen must be counts for all hands or for each of {n}")
    return replace(
        asked,
        # a file of rules is read once
        rules=None if asked.rules is None else lookup(asked.rules),
        seen=seen,
        void=per_row(asked.void, "void"),
        wilds=per_row(asked.wilds, "wilds"),
    )


def _no_answers(names: Sequence[str], n: int, rules: str | Rules | None) -> Columns:
    return {
        column: np.full(n, value, dtype)
        for name in names
        for column, (dtype, value) in _empty(name, rules).items()
    }


def _answer_block(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    """Columns and bad rows of a block."""
    if np.ndim(asked.void) == 1 and (asked.void == NONE).any():
        return _answer_split(hands, asked)
    bad = np.zeros(len(hands), np.bool_)
    columns: Columns = {}
    # the waits of all hands bring their shanten along
    for name in sorted(asked.names, key="shanten".__eq__):
        if name == "shanten":
            found = columns.get("waits_shanten")
            if found is None or (found == MISSING).any():
                found = _shanten(hands, asked)
            columns["shanten"] = found
            bad |= found == MISSING
        elif name == "win":
            columns["win"], wrong = _win(hands, asked)
            bad |= wrong
        elif name == "score":
            some, wrong = _score(hands, asked)
            columns |= some
            bad |= wrong
        else:
            some, wrong = _sized(name, hands, asked)
            columns |= some
            bad |= wrong
    return columns, bad


def _sized(name: str, hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    """Columns and bad rows of a query that takes hands of one size only."""
    query, shanten = _SIZED[name], _SHANTEN_OF[name]
    # most blocks hold hands of one size: sums of them all take as long as the answers
    if len(asked.names) == 1 or _fits(name, hands, asked, slice(0, 1)).all():
        columns = query(hands, asked)
        bad = columns[shanten] == MISSING
        if len(asked.names) == 1 or not bad.any():
            # where nothing else has an answer, the query says what is wrong with the others
            return columns, bad
    rows = np.flatnonzero(_fits(name, hands, asked))
    columns = _no_answers([name], len(hands), asked.rules)
    bad = np.zeros(len(hands), np.bool_)
    for column, values in query(hands[rows], asked.of(rows)).items():
        columns[column][rows] = values
    bad[rows] = columns[shanten][rows] == MISSING
    return columns, bad


def _answer_split(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    """A block where some hands have a void suit of their own and some do not."""
    columns = _no_answers(asked.names, len(hands), asked.rules)
    bad = np.zeros(len(hands), np.bool_)
    free = asked.void == NONE
    for rows, given in ((np.flatnonzero(free), False), (np.flatnonzero(~free), True)):
        if len(rows):
            part = asked.of(rows) if given else replace(asked, void=None).of(rows)
            some, bad[rows] = _answer_block(hands[rows], part)
            for name, values in some.items():
                columns[name][rows] = values
    return columns, bad


def _fits(
    name: str, hands: Batch, asked: Asked, rows: slice = slice(None)
) -> npt.NDArray[np.bool_]:
    """Rows of the size that a query takes; 3k tiles are nobody's, any but discards says so."""
    wilds = _wilds(hands) if asked.wilds is None else asked.wilds
    size = _counts(hands)[rows].sum(axis=1, dtype=np.int64) + _rows(wilds, rows, 1)
    fits: npt.NDArray[np.bool_] = (size % 3 == 2) == (name == "discards")
    return fits


def _counts(hands: Batch) -> npt.NDArray[Any]:
    return hands.concealed if isinstance(hands, Hands) else hands


def _wilds(hands: Batch) -> Any:
    return hands.wilds if isinstance(hands, Hands) else 0


def _as_hands(hands: Batch) -> Hands:
    if isinstance(hands, Hands):
        return hands
    if hands.dtype != np.uint8:
        wrong = (hands < 0) | (hands > COPIES)
        hands = np.where(wrong, NONE, hands).astype(np.uint8)
    return Hands(concealed=hands)


def _shanten(hands: Batch, asked: Asked) -> npt.NDArray[np.int8]:
    found: npt.NDArray[np.int8] = ask.shanten(
        hands, asked.rules, errors="mark", **asked.options(seen=False)
    )
    return found


def _win(hands: Batch, asked: Asked) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    options = asked.options(seen=False)
    try:
        return ask.is_win(hands, asked.rules, **options), np.zeros(len(hands), np.bool_)
    except HandError:
        # False is no mark: what is wrong shows in the shanten
        wins = ask.is_win(hands, asked.rules, errors="mark", **options)
        return wins, _shanten(hands, asked) == MISSING


def _with_wilds(hands: Batch, asked: Asked) -> Hands:
    batch = _as_hands(hands)
    return batch if asked.wilds is None else replace(batch, wilds=asked.wilds)


def _score(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    from ..scores import score

    found = score(
        _with_wilds(hands, asked), asked.rules, detail=True, threads=asked.threads, errors="mark"
    )
    if has_patterns(asked.rules):
        columns = {name: getattr(found, name) for name in columns_of("score", asked.rules)}
        columns["pattern"] = _as_items(found.pattern)
    else:
        columns = {"score": found.total, "minimum_met": found.minimum_met}
        columns["fan_counts"] = _as_items(found.fan_counts)
    if len(asked.names) == 1:
        return columns, found.reason != 0
    # what is no win has answers to the other queries
    return columns, (found.reason != 0) & ~np.isin(found.reason, [*_NO_WINS, Reason.BAD_SIZE])


def _as_items(rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.void]:
    """Each row of bytes as one item."""
    return rows.view(np.dtype((np.void, rows.shape[1]))).reshape(len(rows))


def _waits(hands: Batch, asked: Asked) -> Columns:
    waits = ask.waits(hands, asked.rules, errors="mark", **asked.options(seen=True))
    return {
        "waits_shanten": waits.shanten,
        "waits_mask": waits.mask,
        "waits_left": waits.total,
    }


def _discards(hands: Batch, asked: Asked) -> Columns:
    discards = ask.discards(hands, asked.rules, errors="mark", **asked.options(seen=True))
    best = discards.best().astype(np.int64)
    rows = np.arange(len(hands))
    shanten = discards.shanten[rows, best]
    # nothing to choose: only wilds are held, or no discard ever leads to a win
    none = (best < 0) | (shanten == ask.UNREACHABLE)
    return {
        "discard": np.where(none, NONE, best).astype(np.uint8),
        "discard_shanten": shanten,
        "discard_mask": discards.mask[rows, best],
        "discard_left": discards.left[rows, best],
    }


_SIZED = {"waits": _waits, "discards": _discards}
_SHANTEN_OF = {"waits": "waits_shanten", "discards": "discard_shanten"}


def _explain_rows(hands: Batch, rows: npt.NDArray[np.int64], asked: Asked) -> dict[int, RowError]:
    """What is wrong with bad rows.

    A file of millions of hands that are all of the wrong size is a likely mistake:
    rows that differ in nothing an error says are asked once.
    """
    if not len(rows):
        return {}
    part = hands[rows]
    counts = _counts(part)
    wilds = _wilds(part) if asked.wilds is None else asked.of(rows).wilds
    wilds = np.broadcast_to(wilds, len(rows))
    sizes = counts.sum(axis=1, dtype=np.int64)
    # nothing but the size can be wrong with these, or what is seen beside them
    simple = ((counts >= 0) & (counts <= COPIES)).all(axis=1)
    if isinstance(part, Hands):
        simple &= ~part.melds.any(axis=1)
    simple &= (wilds >= 0) & (wilds <= MAX_WILDS)
    if _kinds(asked.rules) == SUITED:
        simple &= ~counts[:, SUITED:].any(axis=1)
    same: dict[tuple[int, int], RowError] = {}
    errors: dict[int, RowError] = _no_wins(hands, rows, asked)
    for at, row in enumerate(rows.tolist()):
        if row in errors:
            continue
        key = (int(sizes[at]), int(wilds[at]))
        if simple[at] and key in same:
            errors[row] = same[key]
            continue
        errors[row] = error = _explain(hands, row, asked)
        if simple[at] and isinstance(error, HandError) and error.reason == Reason.BAD_SIZE:
            same[key] = error
    return errors


_NO_WINS = {
    Reason.NOT_A_WIN: "not a complete hand",
    Reason.TOO_MANY_SUITS: "tiles of three suits: no win (缺门)",
}


def _no_wins(hands: Batch, rows: npt.NDArray[np.int64], asked: Asked) -> dict[int, RowError]:
    """Rows that are only no win for a score; one error for all of them."""
    if asked.names != ("score",):
        return {}
    from ..scores import score

    part = _with_wilds(hands[rows], asked.of(rows))
    found = score(part, asked.rules, threads=asked.threads, errors="mark")
    errors: dict[int, RowError] = {}
    for reason, text in _NO_WINS.items():
        error = NotAWin(text, reason=reason)
        errors |= dict.fromkeys(rows[found.reason == reason].tolist(), error)
    return errors


def _kinds(rules: str | Rules | None) -> int:
    return KINDS if rules is None else lookup(rules).kinds


def _explain(hands: Batch, row: int, asked: Asked) -> RowError:
    """Ask one bad row again, so that it says what is wrong."""
    one = hands[row : row + 1]
    some = asked.of(slice(row, row + 1))
    if np.ndim(some.void) == 1 and some.void[0] == NONE:
        some = replace(some, void=None)
    no_win = None
    for name in asked.names:
        if name == "score":
            try:
                _score_one(one, some)
            except HandError as error:
                error.__traceback__ = error.__context__ = None
                error.index = None
                if len(asked.names) == 1 or error.reason not in (*_NO_WINS, Reason.BAD_SIZE):
                    return error
                no_win = error
            continue
        query = ask.is_win if name == "win" else getattr(ask, name)
        if name in _SIZED and len(asked.names) > 1 and not _fits(name, one, some).any():
            continue
        try:
            query(one, some.rules, **some.options(seen=name in _SIZED))
        except (NotationError, HandError) as error:
            # frames would keep the batch alive
            error.__traceback__ = error.__context__ = None
            if isinstance(error, HandError):
                error.index = None
            return error
    if no_win is not None:
        return no_win
    raise AssertionError(f"row {row} was marked bad, and nothing is wrong with it")


def _score_one(one: Batch, asked: Asked) -> None:
    """Raises what is wrong with the one hand, also that it is no win."""
    from ..scores import score

    check_counts(_counts(one)[0].tolist())
    score(_with_wilds(one, asked)[0], asked.rules)
