"""Text to tiles and back: every string that enters or leaves the package.

Five notations; which one a text is in is found out from its characters.

``mpsz``
    Digits, then their suit: ``m`` characters, ``p`` dots, ``s`` bamboos, ``z``
    honours (1-4 = E S W N, 5-7 = 白 发 中). ``0`` is a red five, read as a five.

    >>> parse("406m11z").nonzero()[0].tolist()
    [3, 4, 5, 27]

    Suits may stand before their digits instead, in the whole text.

    >>> format(parse("m123p456z11")), format(parse("m1m2m3"))
    ('123m456p11z', '123m')

``gb``
    The text of GB-Mahjong: suits as above, honours are letters ``E S W N`` and
    ``C`` 中, ``F`` 发, ``P`` 白. One grammar reads ``mpsz`` and ``gb``, mixed or
    not; the two names differ in what is written.

    >>> format(parse("123m5z6z7z"), "gb"), (parse("CFP") == parse("765z")).all().item()
    ('123mPFC', True)

``chinese``
    Chinese, Arabic or full-width digits, then their suit 万 (萬), 筒 (饼, 餅) or
    条 (條, 索); honours 东 (東) 南 西 北 白 发 (發) 中.

    >>> format(parse("一二三萬 123饼 東東"), "chinese")
    '一二三万 一二三筒 东东'

``unicode``
    The characters U+1F000 to U+1F021, whose block orders 东 南 西 北 中 发 白,
    characters, bamboos, dots. Variation selectors are ignored.

    >>> format(parse("🀙🀐🀄"))
    '1p1s7z'

``mahjonggb``
    PyMahjongGB's tile names: ``W1``-``W9`` 万, ``B1`` 饼, ``T1`` 条, ``F1``-``F4``
    东 南 西 北, ``J1``-``J3`` 中 发 白.

    >>> format(parse("W1B1T1F1J1")), format(parse("1m7z"), "mahjonggb")
    ('1m1p1s17z', 'W1 J1')

White space between tiles is ignored. Around the tiles, the same in every
notation, stands what GB-Mahjong text has::

    melds and tiles|EE0000|flowers|more

- A meld is in brackets: ``[123m]`` a chow, ``[555z]`` a pung, ``[7777s]`` a
  concealed kong, ``[7777s,1]`` a melded one. The digit after the comma says which
  tile of a chow was claimed (1-3), or who a pung or kong was claimed from (1 the
  player before, 2 opposite, 3 the player after); of a kong that was a pung first it
  is 5-7. It changes nothing, and is written back as 1. ``*`` is a wild tile of a
  meld: ``[33*m,1]``.
- The last concealed tile is the winning tile if concealed tiles and wilds are
  3k+2.
- ``EE0000``: prevalent wind, seat wind, then 0 or 1 for self_drawn, last_tile,
  wall_last, kong.
- Flowers: how many (0-8), or letters a-h, one each, or nothing. In ``mpsz`` and
  ``gb`` the letters may also stand among the tiles; both are added up.
- ``more``: separated by commas, the names of flags (``kong_discard``,
  ``heavenly``, ``earthly`` and those above), ``wilds=2``, ``indicator=1m`` and
  ``win=none`` (3k+2 tiles, but none of the natural ones completed the hand).

Sections at the end may be left away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from ..errors import Code, HandError, NotationError, shown
from ..tiles import CHINESE, COPIES, KINDS, NAMES, SUITED, UNICODE, WIND_NAMES
from .hand import COPIES_OF, FLAGS, Hand, Ids, Meld, MeldKind, bad_tiles, integer_array

NOTATIONS = ("mpsz", "gb", "chinese", "unicode", "mahjonggb")

# What a character means in a notation: a tile 0-33, or one of these.
DIGIT = 40
"""``DIGIT + d``: digit d, its suit follows."""
SUIT = 50
"""``SUIT + s``: suit of the digits before it; 3 = honours."""
PREFIX = 60
"""``PREFIX + k``: a mahjonggb letter, k-th of ``WBTFJ``; its digit follows."""
SPACE, OPEN, CLOSE, COMMA, WILD, BAR, UNKNOWN = range(70, 77)
FLOWER = 80
"""``FLOWER + k``: k-th of the flowers ``a`` to ``h``."""

HONOURS_IN_MPSZ = 7
PREFIX_TILES = ((0, 9), (9, 9), (18, 9), (27, 4), (33, 3))
"""First tile and last number of ``W B T F J``; J counts downwards, 中 发 白."""

_GB_HONOURS = "ESWNPFC"
_FLOWERS = "abcdefgh"
_PREFIXES = "WBTFJ"
_CHINESE_DIGITS = "一二三四五六七八九"
_ZERO_TO_NINE = range(10)


def _symbol_tables() -> dict[str, dict[str, int]]:
    """``tables[notation][character]`` = what it means; characters left out mean nothing."""
    common = {chr(c): SPACE for c in range(0x3001) if chr(c).isspace()}
    common |= {"[": OPEN, "]": CLOSE, ",": COMMA, "*": WILD, "|": BAR}
    arabic = {str(d): DIGIT + d for d in _ZERO_TO_NINE}
    mpsz = common | arabic
    mpsz |= {letter: SUIT + s for s, letter in enumerate("mpsz")}
    mpsz |= {letter: SUITED + i for i, letter in enumerate(_GB_HONOURS)}
    mpsz |= {letter: FLOWER + k for k, letter in enumerate(_FLOWERS)}
    chinese = common | arabic
    chinese |= {chr(ord("０") + d): DIGIT + d for d in _ZERO_TO_NINE}
    chinese |= {c: DIGIT + d for d, c in enumerate(_CHINESE_DIGITS, 1)}
    chinese |= {"伍": DIGIT + 5}
    chinese |= {c: SUIT + s for s, names in enumerate(("万萬", "筒饼餅", "条條索")) for c in names}
    chinese |= {c: SUITED + i for i, names in enumerate(("东東", *"南西北白", "发發", "中"))
                for c in names}  # fmt: skip
    return {
        "mpsz": mpsz,
        "gb": mpsz,
        "chinese": chinese,
        "unicode": common
        | {c: tile for tile, c in enumerate(UNICODE)}
        | {chr(c): SPACE for c in range(0xFE00, 0xFE10)},
        "mahjonggb": common | arabic | {c: PREFIX + k for k, c in enumerate(_PREFIXES)},
    }


SYMBOLS = _symbol_tables()


def _deciding_characters() -> dict[str, str]:
    """Characters that are of tiles in one notation only, and that notation."""
    readers = tuple(name for name in NOTATIONS if name != "gb")
    homes: dict[str, list[str]] = {}
    for name in readers:
        for character, symbol in SYMBOLS[name].items():
            if symbol < FLOWER:
                homes.setdefault(character, []).append(name)
    return {c: names[0] for c, names in homes.items() if len(names) == 1}


DECIDING = _deciding_characters()
_FIRST_DECIDING = re.compile("[" + re.escape("".join(DECIDING)) + "]")
# W and F are winds and dragons of gb, or mahjonggb's characters and winds
_LETTER_THEN_DIGIT = re.compile("[WF][0-9]")
# a suit of mpsz before the first digit, those of claims not counted
_SUIT_FIRST = re.compile(r"(?:[^mpsz0-9,|]|,\s*+[0-9]?+)*+[mpsz]")


def detect(text: str) -> str:
    """The notation of a text: ``"mpsz"`` (also for gb), or another name.

    The first character before the ``|`` sections that is a tile in one notation
    only decides. If there is none (``WWFF``, ``W1 F1``), a letter with a digit
    right behind it is ``mahjonggb``.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> [detect(text) for text in ("WW1m", "W1T1", "W1F1", "1筒", "🀀")]
    ['mpsz', 'mahjonggb', 'mahjonggb', 'chinese', 'unicode']
    """
    end = text.find("|")
    found = _FIRST_DECIDING.search(text, 0, end if end >= 0 else len(text))
    if found:
        return DECIDING[found.group()]
    if _LETTER_THEN_DIGIT.search(text, 0, end if end >= 0 else len(text)):
        return "mahjonggb"
    return "mpsz"


def parse(
    text: str | Sequence[int], notation: str | None = None, *, ids: Ids = "kind"
) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Read tiles.

    Parameters
    ----------
    text : str or sequence of int
        Tiles in any notation, without melds and ``|`` sections; or a list of tiles.
    notation : {"mpsz", "gb", "chinese", "unicode", "mahjonggb"}, optional
        Refuse other notations. Left out, the text decides.
    ids : {"kind", "tile"}
        What the numbers of a list are: ``"kind"`` tiles 0-33, ``"tile"`` physical tiles 0-135.

    Returns
    -------
    ndarray of uint8, shape (34,)
        Counts. The number of tiles is not checked.

    Raises
    ------
    NotationError
        The text is not a list of tiles.
    HandError
        More than four copies of a tile; in a list, a number that is not a tile, or the same
        physical tile twice.

    See Also
    --------
    evaluator.counts : the same of many lists at once.

    Examples
    --------
    >>> parse("123m456p789s1122z").tolist()[27:]
    [2, 2, 0, 0, 0, 0, 0]
    >>> format(parse([0, 1, 2, 33])), format(parse([0, 4, 8, 135], ids="tile"))
    ('123m7z', '123m7z')
    """
    if not isinstance(text, str):
        return np.array(_count(_numbered(text, ids)), np.uint8)
    name = _notation_of(text, notation)
    tiles, _, end = _read_tiles(text, 0, name, suit_first=_is_suit_first(text, name))
    if end < len(text):
        if text[end] in "[|":
            melds = text[end] == "["
            _fail(text, end, Code.MELDS_NEED_HAND if melds else Code.SECTIONS_NEED_HAND)
        _refuse(text, end, name)
    if not tiles:
        _fail(text, len(text), Code.NO_TILES)
    counts = _count(tiles)
    _check_copies(counts)
    return np.array(counts, np.uint8)


def format(counts: Any, notation: str = "mpsz") -> str:
    """Write tiles.

    Parameters
    ----------
    counts : array_like of int, shape (34,) or (27,)
        Tile counts, each 0-4.
    notation : {"mpsz", "gb", "chinese", "unicode", "mahjonggb"}, default "mpsz"

    Returns
    -------
    str
        The tiles in index order; empty for no tiles.

    Raises
    ------
    NotationError
        An unknown notation.
    HandError
        The counts have another shape or range.

    Examples
    --------
    >>> format(parse("11z789s123m"))
    '123m789s11z'
    """
    _check_name(notation)
    row = integer_array(counts, "counts")
    if row.shape not in ((KINDS,), (SUITED,)):
        raise HandError(Code.WRONG_SHAPE, key="counts", expected="(34,) or (27,)", shape=row.shape)
    values = row.tolist()
    _check_copies(values)
    return _write_tiles(values, notation)


def parse_hand(
    text: str | Sequence[int], notation: str | None = None, *, ids: Ids = "kind"
) -> Hand:
    """Read a hand: melds, tiles and ``|`` sections.

    Parameters
    ----------
    text : str or sequence of int
        A hand in any notation; or a list of its concealed tiles, the winning tile last.
    notation : {"mpsz", "gb", "chinese", "unicode", "mahjonggb"}, optional
        Refuse other notations. Left out, the text decides.
    ids : {"kind", "tile"}
        Of a list, as for :func:`parse`.

    Returns
    -------
    Hand

    Raises
    ------
    NotationError
        Invalid hand text.
    HandError
        An invalid hand.

    Examples
    --------
    >>> parse_hand("[EEE,2]123p456s55z|SE0000|c|wilds=3,win=none").wilds
    3
    >>> parse_hand("a5sghWSW[3333m,6]78m2s5s|EE0000|dc").flowers
    5
    """
    if not isinstance(text, str):
        tiles = _numbered(text, ids)
        return Hand(tuple(_count(tiles)), (), tiles[-1] if len(tiles) % 3 == 2 else None)
    name = _notation_of(text, notation)
    suit_first = _is_suit_first(text, name)
    tiles, letters = [], ""
    melds: list[Meld] = []
    position, length = 0, len(text)
    while True:
        some, _, position = _read_tiles(text, position, name, suit_first=suit_first)
        tiles += some
        if position == length or text[position] == "|":
            break
        if text[position] == "[":
            meld, position = _read_meld(text, position, name, suit_first)
            melds.append(meld)
        elif SYMBOLS[name].get(text[position], UNKNOWN) >= FLOWER:
            letters += _flower(text, position, letters)
            position += 1
        else:
            _refuse(text, position, name)
    fields: dict[str, Any] = {"letters": letters} if letters else {}
    if position < length:
        _read_sections(text, position, fields)
    elif not tiles and not melds:
        _fail(text, length, Code.NO_TILES)
    if letters := fields.pop("letters", ""):
        fields["flowers"] = fields.get("flowers", 0) + len(letters)
    named = fields.pop("win", True)
    size = len(tiles) + int(fields.get("wilds", 0))
    win_tile = tiles[-1] if tiles and named and size % 3 == 2 else None
    counts = _count(tiles)
    return Hand(tuple(counts), tuple(melds), win_tile, **fields)


def format_hand(hand: Hand, notation: str = "gb") -> str:
    """Write a hand so that :func:`parse_hand` reads it back.

    Parameters
    ----------
    hand : Hand
    notation : {"mpsz", "gb", "chinese", "unicode", "mahjonggb"}, default "gb"

    Returns
    -------
    str
        Melds, concealed tiles with the winning tile last, then the sections
        that say something.

    Raises
    ------
    NotationError
        An unknown notation.

    Examples
    --------
    >>> hand = parse_hand("[123m,3]55z44p4p|EE1000")
    >>> format_hand(hand), format_hand(hand, "chinese")
    ('[123m,1]44pPP4p|EE1000|0', '[一二三万,1]四四筒 白白 四筒|EE1000|0')
    """
    _check_name(notation)
    concealed = list(hand.concealed)
    win = ""
    if hand.win_tile is not None:
        concealed[hand.win_tile] -= 1
        win = _write_tiles(_count([hand.win_tile]), notation)
        if notation in _SPACED and any(concealed):
            win = " " + win
    melds = "".join(_write_meld(meld, notation) for meld in hand.melds)
    return melds + _write_tiles(concealed, notation) + win + _write_sections(hand, notation)


# --- reading


def _notation_of(text: str, notation: str | None) -> str:
    if notation is None:
        return detect(text)
    _check_name(notation)
    return notation


def _check_name(notation: str) -> None:
    if not isinstance(notation, str) or notation not in NOTATIONS:
        said = {"key": "notation", "value": notation, "choices": NOTATIONS}
        _fail(str(notation), 0, Code.NOT_A_CHOICE, **said)


def _numbered(numbers: Any, ids: str) -> list[int]:
    """The tiles of a list of numbers."""
    if not isinstance(numbers, list | tuple | np.ndarray):
        is_bytes = isinstance(numbers, bytes | bytearray)
        code = Code.BYTES_FOR_TEXT if is_bytes else Code.NOT_A_HAND_TEXT
        _fail(shown(numbers), 0, code, dtype=type(numbers).__name__)
    copies = COPIES_OF.get(ids) if isinstance(ids, str) else None
    if copies is None:
        raise HandError(Code.NOT_A_CHOICE, key="ids", value=ids, choices=tuple(COPIES_OF))
    array = integer_array(numbers, "tiles")
    if array.ndim != 1 or not len(array):
        raise HandError(Code.WRONG_SHAPE, key="tiles", expected="(k,), k > 0", shape=array.shape)
    given = array.tolist()
    error = bad_tiles(given, KINDS, copies)
    if error:
        raise error
    return [number // copies for number in given]


def _is_suit_first(text: str, notation: str) -> bool:
    """Whether suits stand before their digits: the first suit does."""
    return notation in ("mpsz", "gb") and _SUIT_FIRST.match(text) is not None


def _flower(text: str, position: int, before: str) -> str:
    """The letter of a flower; ``before`` are those that are there already."""
    if text[position] in before:
        _fail(text, position, Code.FLOWER_TWICE, letter=text[position])
    return text[position]


def _read_tiles(
    text: str, position: int, notation: str, *, meld: bool = False, suit_first: bool = False
) -> tuple[list[int], int, int]:
    """Tiles, wilds among them and where they end.

    They end at a bracket, comma, bar or flower, or with the text.
    """
    symbol_of = SYMBOLS[notation].get
    tiles: list[int] = []
    waiting: list[int] = []  # positions of digits whose suit is still to come
    suit_at = -1  # position of the suit whose digits follow
    wilds = 0
    length = len(text)
    while position < length:
        symbol = symbol_of(text[position], UNKNOWN)
        if symbol < SUIT:
            if symbol >= DIGIT:
                if suit_at < 0:
                    waiting.append(position)
                else:
                    tiles += _suited(text, (position,), suit_at, notation)
            elif waiting:
                break
            else:
                tiles.append(symbol)
                suit_at = -1
        elif symbol < PREFIX:
            if suit_first and not waiting:
                suit_at = position
                after = _skip_space(text, position + 1)
                if not DIGIT <= symbol_of(text[after : after + 1], UNKNOWN) < SUIT:
                    _fail(text, position, Code.NO_DIGITS_BESIDE, suit=text[position])
            elif suit_first:
                break
            elif not waiting:
                _fail(text, position, Code.NO_DIGITS_BEFORE, suit=text[position])
            tiles += _suited(text, waiting, position, notation)
            waiting.clear()
        elif symbol < SPACE:
            position += 1
            tiles.append(_prefixed(text, position, symbol - PREFIX))
        elif symbol == WILD and meld:
            wilds += 1
        elif symbol == UNKNOWN:
            _refuse(text, position, notation)
        elif symbol != SPACE:
            break
        position += 1
    if waiting:
        if notation == "mahjonggb":
            _fail(text, waiting[0], Code.NUMBER_WITHOUT_LETTER)
        suits = "万筒条" if notation == "chinese" else "mpsz"
        digits = "".join(text[where] for where in waiting[:3]) + "…" * (len(waiting) > 3)
        _fail(text, waiting[0], Code.NO_SUIT, digits=digits, choices=tuple(suits))
    return tiles, wilds, position


def _suited(text: str, positions: Sequence[int], suit_at: int, notation: str) -> list[int]:
    """The tiles of digits at these positions and the suit at ``suit_at``."""
    symbols = SYMBOLS[notation]
    suit = symbols[text[suit_at]] - SUIT
    before, last = 9 * suit - 1, HONOURS_IN_MPSZ if suit == 3 else 9
    tiles = []
    for where in positions:
        digit = symbols[text[where]] - DIGIT
        if not 1 <= digit <= last:
            digit = _unusual(text, where, suit_at, notation)
        tiles.append(before + digit)
    return tiles


def _unusual(text: str, where: int, suit_at: int, notation: str) -> int:
    """The number of a digit that is not one: 0, the red five, or an error."""
    tile = text[where] + text[suit_at]
    if text[where] in "0０":
        if notation == "chinese":
            _fail(text, where, Code.NO_CHINESE_RED_FIVE, name=tile)
        if text[suit_at] == "z":
            _fail(text, where, Code.NO_HONOUR_RED_FIVE)
        return 5
    _fail(text, where, Code.NO_SUCH_HONOUR, name=tile)


def _prefixed(text: str, position: int, prefix: int) -> int:
    """The tile of a mahjonggb letter; ``position`` is that of its number."""
    first, last = PREFIX_TILES[prefix]
    letter = _PREFIXES[prefix]
    character = text[position : position + 1]
    if not (character.isascii() and character.isdigit()):
        _fail(text, position, Code.NUMBER_MUST_FOLLOW, letter=letter, high=last)
    number = int(character)
    if not 1 <= number <= last:
        name = f"{letter}{number}"
        _fail(text, position, Code.NO_SUCH_NAME, name=name, letter=letter, high=last)
    return first - (number - 1) if letter == "J" else first + (number - 1)


def _read_meld(text: str, opening: int, notation: str, suit_first: bool) -> tuple[Meld, int]:
    """The meld whose bracket opens at ``opening``, and the position after it."""
    tiles, wilds, position = _read_tiles(
        text, opening + 1, notation, meld=True, suit_first=suit_first
    )
    claim = -1  # position of the digit
    if text[position : position + 1] == ",":
        claim = _skip_space(text, position + 1)
        if text[claim : claim + 1] not in tuple("0123456789"):
            _fail(text, claim, Code.CLAIM_EXPECTED)
        position = _skip_space(text, claim + 1)
    if text[position : position + 1] != "]":
        if position < len(text) and text[position] not in "[|":
            _fail(text, position, Code.MELD_ENDS_HERE)
        _fail(text, opening, Code.BRACKET_NEVER_CLOSED)
    size = len(tiles) + wilds
    lowest = min(tiles, default=-1)
    kind: MeldKind
    if tiles and size in (3, 4) and max(tiles) == lowest:
        kind = "pung" if size == 3 else "concealed_kong" if claim < 0 else "kong"
        _check_claim(text, claim, kind)
        return Meld(kind, lowest, wilds), position + 1
    if wilds:
        _fail(text, opening, Code.WILD_SET)
    chow = sorted(tiles) == [lowest, lowest + 1, lowest + 2]
    if not chow or lowest >= SUITED or lowest % 9 > 6:
        _fail(text, opening, Code.NOT_A_SET)
    _check_claim(text, claim, "chow")
    return Meld("chow", lowest), position + 1


_CLAIMS: dict[str, tuple[str, Code]] = {
    "chow": ("123", Code.BAD_CHOW_CLAIM),
    "pung": ("123", Code.BAD_PUNG_CLAIM),
    "kong": ("123567", Code.BAD_KONG_CLAIM),
}


def _check_claim(text: str, position: int, kind: str) -> None:
    """Refuse a digit that no such meld can have; ``position`` is −1 where there is none."""
    if position >= 0:
        digits, code = _CLAIMS[kind]
        if text[position] not in digits:
            _fail(text, position, code, digit=text[position])


_FLAGS_ARE: tuple[tuple[Code, dict[str, str], str], ...] = (
    # what is missing where another character stands, and which may
    (Code.PREVALENT_WIND_EXPECTED, {}, WIND_NAMES),
    (Code.SEAT_WIND_EXPECTED, {}, WIND_NAMES),
    *((Code.FLAG_EXPECTED, {"flag": flag}, "01") for flag in FLAGS[:4]),
)


def _read_sections(text: str, bar: int, fields: dict[str, Any]) -> None:
    """What stands behind the first ``|``, into the fields of a hand."""
    for section in range(4):
        start = bar + 1
        bar = text.find("|", start)
        end = bar if bar >= 0 else len(text)
        if section == 3:
            _fail(text, start - 1, Code.SECTION_TOO_MANY)
        start = _skip_space(text, start)
        end = start + len(text[start:end].rstrip())
        (_read_flags, _read_flowers, _read_more)[section](text, start, end, fields)
        if bar < 0:
            break


def _read_flags(text: str, start: int, end: int, fields: dict[str, Any]) -> None:
    values = []
    for position, (code, said, characters) in enumerate(_FLAGS_ARE, start):
        value = characters.find(text[position]) if position < end else -1
        if value < 0:
            _fail(text, position, code, **said)
        values.append(value)
    if end > start + len(_FLAGS_ARE):
        _fail(text, start + len(_FLAGS_ARE), Code.FLAGS_TOO_LONG)
    fields["prevalent_wind"], fields["seat_wind"] = values[:2]
    for flag, value in zip(FLAGS, values[2:], strict=False):
        if value:
            fields[flag] = True


def _read_flowers(text: str, start: int, end: int, fields: dict[str, Any]) -> None:
    if text[start:end].isdigit() and text[start:end].isascii():
        fields["flowers"] = _read_number(text, start, end, "flowers")
        return
    letters = fields.get("letters", "")
    for position in range(start, end):
        if text[position] not in _FLOWERS:
            _fail(text, position, Code.BAD_FLOWER_TEXT)
        letters += _flower(text, position, letters)
    fields["letters"] = letters


def _read_more(text: str, start: int, end: int, fields: dict[str, Any]) -> None:
    seen: set[str] = set()
    while start < end:
        comma = text.find(",", start, end)
        item = text[start : comma if comma >= 0 else end].rstrip()
        key, equals, value = item.partition("=")
        if key in seen:
            _fail(text, start, Code.WORD_TWICE, key=key)
        seen.add(key)
        at = start + len(key) + len(equals)
        if key in FLAGS and not equals:
            fields[key] = True
        elif key == "wilds":
            fields["wilds"] = _read_number(text, at, start + len(item), "wilds")
        elif key == "indicator":
            fields["indicator"] = _read_indicator(text, at, value)
        elif key == "win":
            if value != "none":
                _fail(text, at, Code.ONLY_WIN_NONE)
            fields["win"] = False
        else:
            _fail(text, start, Code.UNKNOWN_WORD, value=item, choices=FLAGS)
        if comma < 0:
            return
        start = _skip_space(text, comma + 1)
        if start >= end:
            _fail(text, comma, Code.NOTHING_AFTER_COMMA)


def _read_number(text: str, start: int, end: int, what: str) -> int:
    digits = text[start:end]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 2):
        _fail(text, start, Code.NUMBER_TO_EIGHT, key=what)
    return int(digits)


def _read_indicator(text: str, start: int, value: str) -> int:
    wrong = None
    try:
        name = detect(value)
        tiles, _, end = _read_tiles(value, 0, name, suit_first=_is_suit_first(value, name))
    except NotationError as error:
        wrong = error
    if wrong:
        raise wrong.within(text, start)
    if end < len(value) or len(tiles) != 1:
        _fail(text, start, Code.INDICATOR_ONE_TILE)
    return tiles[0]


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _count(tiles: Sequence[int]) -> list[int]:
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile] += 1
    return counts


def _check_copies(counts: Sequence[int]) -> None:
    for tile, count in enumerate(counts):
        if not 0 <= count <= COPIES:
            raise HandError(Code.BAD_COUNT, tile=tile, count=count)


_STRUCTURE_CODES = {
    "]": Code.NO_OPEN_BRACKET,
    ",": Code.COMMA_OUTSIDE,
    "*": Code.STAR_OUTSIDE,
}


def _refuse(text: str, position: int, notation: str) -> NoReturn:
    """Say why a character cannot stand there."""
    character = text[position]
    if character in _STRUCTURE_CODES:
        _fail(text, position, _STRUCTURE_CODES[character])
    if SYMBOLS[notation].get(character, UNKNOWN) >= FLOWER:
        _fail(text, position, Code.FLOWERS_NEED_HAND, letter=character)
    said = {"value": character}
    said["notation"] = "mpsz / gb" if notation in ("mpsz", "gb") else notation
    homes = tuple(n for n in NOTATIONS if n != "gb" and character in SYMBOLS[n])
    if homes and notation not in homes:
        _fail(text, position, Code.OTHER_NOTATION, choices=homes, **said)
    _fail(text, position, Code.UNKNOWN_CHARACTER, **said)


def _fail(text: str, position: int, code: Code, **fields: Any) -> NoReturn:
    raise NotationError(code, text, position, **fields)


# --- writing

_SPACED = ("chinese", "mahjonggb")


def _write_tiles(counts: Sequence[int], notation: str) -> str:
    if notation == "unicode":
        return "".join(c * n for c, n in zip(UNICODE, counts, strict=False))
    if notation == "mahjonggb":
        return " ".join(name for name, n in zip(_MAHJONGGB, counts, strict=False) for _ in range(n))
    names = _SUIT_LAST[notation]
    groups = []
    for first in range(0, len(counts), 9):
        held = [(names[t], counts[t]) for t in range(first, min(first + 9, len(counts)))]
        group = "".join(name[0] * n for name, n in held)
        if group:
            groups.append(group + held[0][0][1:])
    return (" " if notation in _SPACED else "").join(groups)


_GB = (*NAMES[:SUITED], *_GB_HONOURS)
_SUIT_LAST = {"mpsz": NAMES, "gb": _GB, "chinese": CHINESE}
"""Names of the 34 tiles where digits of one suit share the letter after them."""
_MAHJONGGB = (
    *(f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)),
    *("F1", "F2", "F3", "F4", "J3", "J2", "J1"),
)


def _write_meld(meld: Meld, notation: str) -> str:
    counts = _count(meld.tiles)
    counts[meld.tile] -= meld.wilds
    tiles = _write_tiles(counts, notation)
    stars = "*" * meld.wilds
    if SUIT <= SYMBOLS[notation][tiles[-1]] < PREFIX:
        tiles = tiles[:-1] + stars + tiles[-1]
    else:
        tiles += stars
    return f"[{tiles},1]" if meld.is_open else f"[{tiles}]"


def _write_sections(hand: Hand, notation: str) -> str:
    more = [flag for flag in FLAGS[4:] if getattr(hand, flag)]
    if hand.wilds:
        more.append(f"wilds={hand.wilds}")
    if hand.indicator is not None:
        more.append("indicator=" + _write_tiles(_count([hand.indicator]), notation))
    if hand.win_tile is None and hand.is_complete_size and any(hand.concealed):
        more.append("win=none")
    winds = WIND_NAMES[hand.prevalent_wind] + WIND_NAMES[hand.seat_wind]
    flags = winds + "".join(str(int(getattr(hand, flag))) for flag in FLAGS[:4])
    if more:
        return f"|{flags}|{hand.flowers}|{','.join(more)}"
    if hand.flowers or flags != "EE0000":
        return f"|{flags}|{hand.flowers}"
    return ""
