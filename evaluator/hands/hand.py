"""Hands as the rest of the package sees them, and the one place where they are checked.

:class:`Hand` is one hand and is always possible: an impossible hand is refused when
it is made. :class:`Hands` is a batch, a struct of arrays; its shapes and number
ranges are checked when it is made, its rows where they are used.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from ..errors import REASONS, Code, HandError
from ..tiles import CHINESE, COPIES, KINDS, NAMES, SUITED, is_number, rank_of

MAX_TILES = 14
MAX_MELDS = 4
MAX_WILDS = 8
MAX_FLOWERS = 8
NONE = 255
"""``Hands.win_tile`` and ``Hands.indicator`` of a hand that has none."""

MeldKind = Literal["chow", "pung", "kong", "concealed_kong"]
Ids = Literal["kind", "tile"]
MELD_KINDS: tuple[MeldKind, ...] = ("chow", "pung", "kong", "concealed_kong")

# meld ids: 0 none, 1-21 chows, then 34 pungs, 34 melded kongs, 34 concealed kongs
_FIRST_ID = {"chow": 1, "pung": 22, "kong": 56, "concealed_kong": 90}
MELD_IDS = 124

FLAGS = (
    "self_drawn",
    "last_tile",
    "wall_last",
    "kong",
    "kong_discard",
    "heavenly",
    "earthly",
)
"""Win flags; bit ``i`` of a flags word is ``FLAGS[i]``."""


@dataclass(frozen=True, slots=True, order=True)
class Meld:
    """One exposed set, or a concealed kong.

    Parameters
    ----------
    kind : {"chow", "pung", "kong", "concealed_kong"}
    tile : int
        Tile index 0-33; of a chow its lowest tile.
    wilds : int, default 0
        How many of its tiles are wild (碰 with 听用); not for chows.

    Raises
    ------
    HandError
        Not a valid chow, a tile that does not exist, more wilds than fit.

    Examples
    --------
    >>> Meld("chow", 0).tiles, Meld("kong", 33).id
    ((0, 1, 2), 89)
    >>> Meld.from_id(22)
    Meld(kind='pung', tile=0, wilds=0)
    """

    kind: MeldKind
    tile: int
    wilds: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in MELD_KINDS:
            raise HandError(Code.BAD_MELD_KIND, choices=MELD_KINDS, value=self.kind)
        object.__setattr__(self, "tile", _integer(self.tile, "the tile of a meld"))
        object.__setattr__(self, "wilds", _integer(self.wilds, "the wilds of a meld"))
        if not 0 <= self.tile < KINDS:
            raise HandError(Code.BAD_MELD_TILE, value=self.tile)
        if self.kind == "chow" and not (is_number(self.tile) and rank_of(self.tile) <= 7):
            raise HandError(Code.BAD_CHOW, tile=self.tile)
        if self.wilds and self.kind == "chow":
            raise HandError(Code.WILD_CHOW, tile=self.tile)
        if not 0 <= self.wilds < self.size:
            raise HandError(Code.BAD_MELD_WILDS, tile=self.tile, kind=self.kind, value=self.wilds)

    @property
    def id(self) -> int:
        """Its one-byte number, 1-123 (wilds apart)."""
        if self.kind == "chow":
            return self.tile // 9 * 7 + self.tile % 9 + 1
        return _FIRST_ID[self.kind] + self.tile

    @classmethod
    def from_id(cls, number: int, wilds: int = 0) -> Meld:
        """The meld of a one-byte number 1-123."""
        number = _integer(number, "a meld id")
        if not 1 <= number < MELD_IDS:
            raise HandError(Code.BAD_MELD_ID, value=number)
        if number < 22:
            suit, start = divmod(number - 1, 7)
            return cls("chow", suit * 9 + start, wilds)
        kind = MELD_KINDS[1 + (number - 22) // KINDS]
        return cls(kind, (number - 22) % KINDS, wilds)

    @property
    def size(self) -> int:
        """3, or 4 for a kong."""
        return 4 if self.is_kong else 3

    @property
    def tiles(self) -> tuple[int, ...]:
        """Tile indices of the natural meld, wilds read as what they stand for."""
        if self.kind == "chow":
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * self.size

    @property
    def is_kong(self) -> bool:
        """Whether it has four tiles, melded or concealed."""
        return self.kind in ("kong", "concealed_kong")

    @property
    def is_open(self) -> bool:
        """Whether it is open: every meld except a concealed kong."""
        return self.kind != "concealed_kong"


def _meld_tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    tiles = np.zeros((MELD_IDS, KINDS), np.uint8)
    suits = np.zeros(MELD_IDS, np.uint8)
    for number in range(1, MELD_IDS):
        meld = Meld.from_id(number)
        for tile in meld.tiles:
            tiles[number, tile] += 1
        if is_number(meld.tile):
            suits[number] = 1 << meld.tile // 9
    return tiles, suits


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: concealed tiles, melds and how it is won.

    Frozen and hashable. An invalid hand is refused here (:class:`HandError`).

    Parameters
    ----------
    concealed : sequence of int
        34 (or 27) counts, each 0-4, the winning tile included.
    melds : sequence of Meld
        At most four. A hand of fewer than 13 tiles without melds is a part of a
        hand: queries about its shape assume that the missing sets are melded.
    win_tile : int or None
        Tile 0-33 that completed the hand; it is among ``concealed``. None while the
        hand waits, or if the drawn tile was wild.
    self_drawn, last_tile, wall_last, kong, kong_discard, heavenly, earthly : bool
        自摸, 和绝张, last tile of the wall, 杠 (with ``self_drawn`` 杠上开花, alone
        抢杠和), 杠上炮, 天胡, 地胡. 地胡 without ``self_drawn`` scores only under rules
        that allow it on the first discard.
    prevalent_wind, seat_wind : int
        0-3 = E S W N.
    flowers : int
        0-8.
    wilds : int
        Wild tiles held, 0-8, not counted in ``concealed``.
    indicator : int or None
        Tile 0-33 that was turned over; it names the wild tile.

    Examples
    --------
    >>> hand = Hand.parse("[123m,1][EEE,2]45m678p99s6m")
    >>> hand.melds[1], hand.win_tile, hand.is_complete_size
    (Meld(kind='pung', tile=27, wilds=0), 5, True)
    >>> str(hand.replace(self_drawn=True))
    '[123m,1][EEE,1]45m678p99s6m|EE1000|0'
    """

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...] = ()
    win_tile: int | None = None
    self_drawn: bool = False
    last_tile: bool = False
    wall_last: bool = False
    kong: bool = False
    kong_discard: bool = False
    heavenly: bool = False
    earthly: bool = False
    prevalent_wind: int = 0
    seat_wind: int = 0
    flowers: int = 0
    wilds: int = 0
    indicator: int | None = None

    if TYPE_CHECKING:  # the fields say what is kept, this what may be given

        def __init__(
            self,
            concealed: Sequence[int] | npt.NDArray[Any],
            melds: Iterable[Meld] = (),
            win_tile: int | None = None,
            self_drawn: bool = False,
            last_tile: bool = False,
            wall_last: bool = False,
            kong: bool = False,
            kong_discard: bool = False,
            heavenly: bool = False,
            earthly: bool = False,
            prevalent_wind: int = 0,
            seat_wind: int = 0,
            flowers: int = 0,
            wilds: int = 0,
            indicator: int | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "concealed", _one_row(self.concealed))
        try:
            put(self, "melds", tuple(self.melds))
        except TypeError:  # no sequence
            raise HandError(Code.NOT_MELDS, value=self.melds) from None
        # what already is as it should be is left alone: half the time of making a hand
        for name in FLAGS:
            value = getattr(self, name)
            if type(value) is not bool:
                if not isinstance(value, np.bool_):
                    raise HandError(Code.NOT_A_BOOL, key=name, value=value)
                put(self, name, bool(value))
        for name, top in _TOPS.items():
            value = getattr(self, name)
            if (type(value) is int and 0 <= value <= top) or (value is None and name in _MAY_LACK):
                continue
            put(self, name, _ranged(value, name, top))
        self._check_tiles()
        self._check_flags()

    def _check_tiles(self) -> None:
        if len(self.melds) > MAX_MELDS:
            raise HandError(Code.TOO_MANY_MELDS, count=len(self.melds))
        if any(not isinstance(meld, Meld) for meld in self.melds):
            raise HandError(Code.NOT_MELDS, value=self.melds)
        check_size(sum(self.concealed), self.wilds)
        total = self.size + 3 * len(self.melds)
        if total > MAX_TILES:
            most = MAX_TILES - 3 * len(self.melds)
            raise HandError(Code.SIZE_WITH_MELDS, count=self.size, melds=len(self.melds), most=most)
        owned = self.owned if self.melds else self.concealed
        count = max(owned)
        if count > COPIES:
            raise HandError(Code.FIVE_COPIES, tile=owned.index(count), count=count)
        if self.win_tile is not None:
            if not self.is_complete_size:
                raise HandError(Code.WIN_TILE_WHILE_WAITING, tile=self.win_tile, count=self.size)
            if not self.concealed[self.win_tile]:
                raise HandError(Code.WIN_TILE_NOT_HELD, tile=self.win_tile)

    def _check_flags(self) -> None:
        if not self.flags & ~1:
            return
        kongs = any(meld.is_kong for meld in self.melds)
        open_melds = any(meld.is_open for meld in self.melds)
        special = self.heavenly or self.earthly
        wrong = None
        if self.heavenly and self.earthly:
            wrong = Code.HEAVENLY_AND_EARTHLY
        elif special and self.wall_last:
            wrong = Code.FIRST_TURN_WALL_LAST
        elif special and open_melds:
            wrong = Code.FIRST_TURN_OPEN_MELD
        elif self.heavenly and self.last_tile:
            wrong = Code.HEAVENLY_LAST_TILE
        elif self.kong_discard and self.kong:
            wrong = Code.KONG_DISCARD_AND_KONG
        elif self.is_complete_size:
            # how a waiting hand will be won is open: these speak of the win itself
            tile = self.win_tile
            copies = 0 if tile is None else self.owned[tile]
            if self.heavenly and not self.self_drawn:
                wrong = Code.HEAVENLY_NOT_DRAWN
            elif self.earthly and self.kong and not self.self_drawn:
                wrong = Code.EARTHLY_ROBBED
            elif self.kong_discard and self.self_drawn:
                wrong = Code.KONG_DISCARD_DRAWN
            elif self.self_drawn and self.kong and not kongs:
                wrong = Code.KONG_WIN_WITHOUT_KONG
            elif self.kong and not self.self_drawn and self.wall_last:
                wrong = Code.ROBBED_WALL_LAST
            elif self.kong and not self.self_drawn and copies > 1:
                wrong = Code.ROBBED_TILE_HELD
            elif self.last_tile and tile is not None and self.concealed[tile] > 1:
                wrong = Code.LAST_TILE_HELD
        if wrong:
            raise HandError(wrong, tile=self.win_tile)

    @property
    def size(self) -> int:
        """Concealed tiles and wilds."""
        return sum(self.concealed) + self.wilds

    @property
    def is_complete_size(self) -> bool:
        """Whether the hand has 3k+2 tiles (to win or to discard from)."""
        return self.size % 3 == 2

    @property
    def owned(self) -> tuple[int, ...]:
        """34 counts: concealed tiles and the natural tiles of the melds."""
        counts = list(self.concealed)
        for meld in self.melds:
            if meld.kind == "chow":
                for tile in meld.tiles:
                    counts[tile] += 1
            else:
                counts[meld.tile] += meld.size - meld.wilds
        return tuple(counts)

    @property
    def flags(self) -> int:
        """The win flags as a word: bit ``i`` is ``FLAGS[i]``."""
        return (
            self.self_drawn
            | self.last_tile << 1
            | self.wall_last << 2
            | self.kong << 3
            | self.kong_discard << 4
            | self.heavenly << 5
            | self.earthly << 6
        )

    def replace(self, **changes: Any) -> Hand:
        """A copy with some fields changed, checked again.

        >>> Hand.parse("123m456p789s11z").replace(wilds=3).size
        14
        """
        return dataclasses.replace(self, **changes)

    @classmethod
    def parse(
        cls, text: str | Sequence[int], notation: str | None = None, *, ids: Ids = "kind"
    ) -> Hand:
        """Read a hand in any notation; see :func:`evaluator.hands.notation.parse_hand`."""
        from .notation import parse_hand

        return parse_hand(text, notation, ids=ids)

    def __str__(self) -> str:
        from .notation import format_hand

        return format_hand(self)


def claimed_earthly(hand: Hand, rules: str) -> HandError:
    """The error of the one hand whose flags can be, but not under every rule set."""
    return HandError(Code.EARTHLY_NOT_DRAWN, tile=hand.win_tile, rules=rules)


Numbers: TypeAlias = int | Sequence[int] | npt.NDArray[Any]
"""One number for all hands of a batch, or one for each."""

_FIELDS = {
    # name: (dtype, second dimension or 0, default)
    "melds": (np.uint8, MAX_MELDS, 0),
    "win_tile": (np.uint8, 0, NONE),
    "flags": (np.uint16, 0, 0),
    "prevalent_wind": (np.uint8, 0, 0),
    "seat_wind": (np.uint8, 0, 0),
    "flowers": (np.uint8, 0, 0),
    "wilds": (np.uint8, 0, 0),
    "indicator": (np.uint8, 0, NONE),
    "meld_wilds": (np.uint8, MAX_MELDS, 0),
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hands:
    """A batch of hands: one array per field of :class:`Hand`.

    Parameters
    ----------
    concealed : array_like of int, shape (n, 34) or (n, 27)
        Tile counts.
    melds : array_like, shape (n, 4), uint8
        Meld ids (:attr:`Meld.id`), 0 = none.
    win_tile, indicator : array_like, shape (n,), uint8
        Tile, 255 = none.
    flags : array_like, shape (n,), uint16
        Win flags, bit ``i`` = ``FLAGS[i]``.
    prevalent_wind, seat_wind, flowers, wilds : array_like, shape (n,), uint8
    meld_wilds : array_like, shape (n, 4), uint8

    All but ``concealed`` may be left out, and those of shape (n,) may be one number for all
    hands. Arrays of the right dtype and layout are not copied.

    Raises
    ------
    HandError
        Wrong shape, not whole numbers, a number outside the dtype.

    Examples
    --------
    >>> hands = Hands.from_hands([Hand.parse("1112345678999m"), Hand.parse("[555z]123m11s")])
    >>> len(hands), hands.concealed.shape, hands.melds[1].tolist()
    (2, (2, 34), [53, 0, 0, 0])
    >>> hands[1].melds
    (Meld(kind='pung', tile=31, wilds=0),)
    """

    concealed: npt.NDArray[np.uint8]
    melds: npt.NDArray[np.uint8] = None  # type: ignore[assignment]
    win_tile: npt.NDArray[np.uint8] = None  # type: ignore[assignment]
    flags: npt.NDArray[np.uint16] = None  # type: ignore[assignment]
    prevalent_wind: npt.NDArray[np.uint8] = None  # type: ignore[assignment]
    seat_wind: npt.NDArray[np.uint8] = None  # type: ignore[assignment]
    flowers: npt.NDArray[np.uint8] = None  # type: ignore[assignment]
    wilds: npt.NDArray[np.uint8] = None  # type: ignore[assignment]
    indicator: npt.NDArray[np.uint8] = None  # type: ignore[assignment]
    meld_wilds: npt.NDArray[np.uint8] = None  # type: ignore[assignment]

    if TYPE_CHECKING:  # the fields say what is kept, this what may be given

        def __init__(
            self,
            concealed: Sequence[Sequence[int]] | npt.NDArray[Any],
            melds: Sequence[Sequence[int]] | npt.NDArray[Any] | None = None,
            win_tile: Numbers | None = None,
            flags: Numbers | None = None,
            prevalent_wind: Numbers | None = None,
            seat_wind: Numbers | None = None,
            flowers: Numbers | None = None,
            wilds: Numbers | None = None,
            indicator: Numbers | None = None,
            meld_wilds: Sequence[Sequence[int]] | npt.NDArray[Any] | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        concealed = integer_array(self.concealed, "concealed")
        if concealed.ndim != 2 or concealed.shape[1] not in (SUITED, KINDS):
            expected = "(n, 34) or (n, 27)"
            raise HandError(
                Code.WRONG_SHAPE, key="concealed", expected=expected, shape=str(concealed.shape)
            )
        n = len(concealed)
        counts = narrow(concealed)
        if counts.shape[1] == SUITED:
            counts = np.concatenate([counts, np.zeros((n, KINDS - SUITED), np.uint8)], axis=1)
        object.__setattr__(self, "concealed", np.ascontiguousarray(counts))
        for name, (dtype, width, default) in _FIELDS.items():
            shape = (n, width) if width else (n,)
            given = getattr(self, name)
            if given is None:
                column = np.full(shape, default, dtype)
            else:
                column = _column(given, name, shape, dtype)
            object.__setattr__(self, name, column)

    @classmethod
    def from_hands(cls, hands: Iterable[Hand]) -> Hands:
        """The batch of a sequence of :class:`Hand`."""
        rows = _objects(hands, Hand, "from_hands")

        def tile(value: int | None) -> int:
            return NONE if value is None else value

        melds = np.zeros((len(rows), MAX_MELDS), np.uint8)
        meld_wilds = np.zeros((len(rows), MAX_MELDS), np.uint8)
        for row, hand in enumerate(rows):
            for slot, meld in enumerate(hand.melds):
                melds[row, slot] = meld.id
                meld_wilds[row, slot] = meld.wilds
        return cls(
            concealed=np.array([h.concealed for h in rows], np.uint8).reshape(-1, KINDS),
            melds=melds,
            win_tile=np.array([tile(h.win_tile) for h in rows], np.uint8),
            flags=np.array([h.flags for h in rows], np.uint16),
            prevalent_wind=np.array([h.prevalent_wind for h in rows], np.uint8),
            seat_wind=np.array([h.seat_wind for h in rows], np.uint8),
            flowers=np.array([h.flowers for h in rows], np.uint8),
            wilds=np.array([h.wilds for h in rows], np.uint8),
            indicator=np.array([tile(h.indicator) for h in rows], np.uint8),
            meld_wilds=meld_wilds,
        )

    @classmethod
    def concat(cls, batches: Iterable[Hands]) -> Hands:
        """Several batches as one, in order."""
        parts = _objects(batches, Hands, "concat")
        if not parts:
            return cls(concealed=np.zeros((0, KINDS), np.uint8))
        return cls(
            **{
                field.name: np.concatenate([getattr(part, field.name) for part in parts])
                for field in dataclasses.fields(cls)
            }
        )

    def __len__(self) -> int:
        return len(self.concealed)

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> Hand: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int] | npt.NDArray[Any]) -> Hands: ...
    def __getitem__(self, index: Any) -> Hand | Hands:
        try:
            if isinstance(index, bool):
                raise IndexError("a batch is indexed by numbers, slices or arrays, not by a bool")
            row = operator.index(index)
        except TypeError:
            return Hands(**{f.name: getattr(self, f.name)[index] for f in dataclasses.fields(self)})
        if not -len(self) <= row < len(self):
            raise IndexError(f"hand {row} of a batch of {len(self)}")
        return self._row(row % len(self))

    def _row(self, row: int) -> Hand:
        try:
            used = [slot for slot in range(MAX_MELDS) if self.melds[row, slot]]
            for slot in range(MAX_MELDS):
                if slot not in used and self.meld_wilds[row, slot]:
                    wilds = int(self.meld_wilds[row, slot])
                    raise HandError(Code.WILDS_WITHOUT_MELD, wilds=wilds, slot=slot + 1)
            flags = int(self.flags[row])
            if flags >> len(FLAGS):
                raise HandError(Code.BAD_FLAGS, flags=f"{flags:#x}", bits=len(FLAGS))
            check_counts(tuple(self.concealed[row].tolist()), self.concealed.dtype)
            tiles: dict[str, Any] = {
                name: None if getattr(self, name)[row] == NONE else int(getattr(self, name)[row])
                for name in ("win_tile", "indicator")
            }
            return Hand(
                concealed=tuple(self.concealed[row].tolist()),
                melds=tuple(
                    Meld.from_id(int(self.melds[row, s]), int(self.meld_wilds[row, s]))
                    for s in used
                ),
                prevalent_wind=int(self.prevalent_wind[row]),
                seat_wind=int(self.seat_wind[row]),
                flowers=int(self.flowers[row]),
                wilds=int(self.wilds[row]),
                **tiles,
                **{name: bool(flags >> bit & 1) for bit, name in enumerate(FLAGS)},
            )
        except HandError as error:
            raise error.at(row) from None

    def __iter__(self) -> Iterator[Hand]:
        return (self._row(row) for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hands):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, f.name), getattr(other, f.name))
            for f in dataclasses.fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Hands: {len(self)} hands>"

    def misfits(self) -> npt.NDArray[np.uint8] | None:
        """``uint8[n]``: the :class:`Reason` of rows with a number that no hand has beside its
        tiles and melds, 0 for others; None where all are 0."""
        found: npt.NDArray[np.uint8] | None = None
        for name, top in (*_TOPS.items(), ("flags", (1 << len(FLAGS)) - 1)):
            column = getattr(self, name)
            wrong = column > top
            if name in _MAY_LACK:
                wrong &= column != NONE
            if wrong.any():
                found = np.zeros(len(self), np.uint8) if found is None else found
                found[wrong & (found == 0)] = REASONS[_OUT_OF_RANGE.get(name, Code.BAD_FLAGS)]
        return found

    @property
    def held_suits(self) -> npt.NDArray[np.uint8]:
        """``uint8[n]``: bit ``s`` is set when a meld is of suit ``s``."""
        ids = np.minimum(self.melds, MELD_IDS - 1)
        suits: npt.NDArray[np.uint8] = np.bitwise_or.reduce(MELD_SUITS[ids], axis=1)
        return suits

    def meld_tiles(self) -> npt.NDArray[np.uint8]:
        """``uint8[n, 4]``: the (lowest) tile of each meld; anything where there is none."""
        return MELD_FIRST[np.minimum(self.melds, MELD_IDS - 1)]

    def meld_wilds_fit(self) -> npt.NDArray[np.bool_]:
        """``bool[n, 4]``: a pung or kong has a natural tile left, other slots no wilds."""
        kongs = self.melds >= _FIRST_ID["kong"]
        room = np.where(self.melds >= _FIRST_ID["pung"], 2 + kongs, 0)
        return self.meld_wilds <= room

    def meld_counts(self) -> npt.NDArray[np.int16]:
        """``int16[n, 34]``: the natural tiles of the melds."""
        counts = np.zeros((len(self), KINDS), np.int16)
        for slot in range(MAX_MELDS):
            ids = np.minimum(self.melds[:, slot], MELD_IDS - 1)
            counts += MELD_TILES[ids]
            rows = np.nonzero(self.meld_wilds[:, slot] * self.meld_wilds_fit()[:, slot])[0]
            counts[rows, self.meld_tiles()[rows, slot]] -= self.meld_wilds[rows, slot]
        return counts


def tile_name(tile: int | None) -> str:
    """Name of a tile for messages, mpsz and Chinese.

    >>> tile_name(27)
    '1z (东)'
    """
    return "no tile" if tile is None else f"{NAMES[tile]} ({CHINESE[tile]})"


def check_size(tiles: int, wilds: int = 0) -> None:
    """Refuse a hand that is neither 3k+1 nor 3k+2 tiles, 1-14."""
    size = tiles + wilds
    if not 1 <= size <= MAX_TILES or size % 3 == 0:
        raise HandError(Code.BAD_SIZE, count=size)


def check_counts(counts: Iterable[int], dtype: Any = None) -> None:
    """Refuse a count that is not 0 to 4, of an array of this dtype."""
    if isinstance(counts, tuple) and min(counts) >= 0 and max(counts) <= COPIES:
        return
    for tile, count in enumerate(counts):
        if not 0 <= count <= COPIES:
            raise wrong_count(tile, int(count), dtype)


def wrong_count(tile: int, count: int, dtype: Any = None) -> HandError:
    """The error of a number that is not a count, which may be a negative one that wrapped."""
    if dtype is not None and np.dtype(dtype).kind == "u":
        meant = count - int(np.iinfo(dtype).max) - 1
        if meant >= -MAX_TILES:
            return HandError(
                Code.WRAPPED_COUNT, tile=tile, count=count, meant=meant, dtype=str(np.dtype(dtype))
            )
    return HandError(Code.BAD_COUNT, tile=tile, count=count)


def integer_array(values: Any, name: str = "hands") -> npt.NDArray[Any]:
    """``values`` as an array of whole numbers, without a copy where there is one.

    Raises
    ------
    HandError
        Floats (NaN included), strings, objects, ragged lists, masked arrays.
    """
    if isinstance(values, str | bytes):
        raise HandError(Code.TEXT_FOR_NUMBERS, key=name)
    if isinstance(values, np.ma.MaskedArray):
        raise HandError(Code.MASKED_ARRAY, key=name)
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise HandError(Code.RAGGED_ARRAY, key=name) from None
    if array.dtype.kind in "iu":
        return array
    if array.size == 0 and array.dtype.kind in "bf":
        return array.astype(np.uint8)  # an empty list: nothing in it can be wrong
    code = Code.FLOAT_ARRAY if array.dtype.kind == "f" else Code.NOT_NUMBERS
    raise HandError(code, key=name, dtype=str(array.dtype))


def narrow(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Counts as ``uint8``; out-of-range numbers are an error, never wrapped."""
    if array.dtype == np.uint8:
        return array
    if array.size and (array.min() < 0 or array.max() > COPIES):
        where = np.argwhere((array < 0) | (array > COPIES))[0]
        tile, count = int(where[-1]), int(array[tuple(where)])
        index = None
        if array.ndim > 1:
            index = int(np.ravel_multi_index(tuple(where[:-1]), array.shape[:-1]))
        error = wrong_count(tile, count, array.dtype)
        raise error if index is None else error.at(index)
    return array.astype(np.uint8)


def _one_row(counts: Any) -> tuple[int, ...]:
    if type(counts) is tuple and len(counts) == KINDS and all(type(c) is int for c in counts):
        check_counts(counts)
        return counts
    row = integer_array(counts, "concealed")
    if row.shape not in ((KINDS,), (SUITED,)):
        expected = "(34,) or (27,)"
        raise HandError(Code.WRONG_SHAPE, key="concealed", expected=expected, shape=str(row.shape))
    values = tuple(row.tolist())
    check_counts(values, row.dtype)
    return values + (0,) * (KINDS - len(values))


def _integer(value: Any, name: str) -> int:
    try:
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise HandError(Code.NOT_A_WHOLE_NUMBER, key=name, value=value)
    return number


_TOPS = {
    "prevalent_wind": 3,
    "seat_wind": 3,
    "flowers": MAX_FLOWERS,
    "wilds": MAX_WILDS,
    "win_tile": KINDS - 1,
    "indicator": KINDS - 1,
}
_MAY_LACK = ("win_tile", "indicator")
_OUT_OF_RANGE = {
    "prevalent_wind": Code.BAD_WIND,
    "seat_wind": Code.BAD_WIND,
    "flowers": Code.BAD_FLOWERS,
    "wilds": Code.BAD_WILDS,
    "win_tile": Code.BAD_WIN_TILE,
    "indicator": Code.BAD_INDICATOR,
}


def _ranged(value: Any, name: str, top: int) -> int:
    number = _integer(value, name)
    if not 0 <= number <= top:
        raise HandError(_OUT_OF_RANGE[name], key=name, high=top, value=number, count=number)
    return number


def _objects(given: Any, kind: type, name: str) -> list[Any]:
    """Objects of one kind as a list."""
    try:
        objects = list(given)
    except TypeError:  # no sequence
        objects = [given]
    for each in objects:
        if not isinstance(each, kind):
            raise HandError(Code.NOT_HANDS, key=name, expected=kind.__name__, value=each)
    return objects


def _column(given: Any, name: str, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    column = integer_array(given, name)
    if column.shape != shape and (column.ndim or len(shape) > 1):
        raise HandError(Code.WRONG_SHAPE, key=name, expected=str(shape), shape=str(column.shape))
    top = int(np.iinfo(dtype).max)
    wrong = (column < 0) | (column > top)
    if wrong.any():
        where = np.argwhere(wrong)[0]
        error = HandError(
            Code.OUT_OF_RANGE, key=name, low=0, high=top, value=int(column[tuple(where)])
        )
        raise error.at(where[0]) if len(where) else error
    return np.ascontiguousarray(np.broadcast_to(column, shape), dtype)


MELD_TILES, MELD_SUITS = _meld_tables()
"""``MELD_TILES[id]`` = tile counts of a meld, ``MELD_SUITS[id]`` = bit of its suit."""

MELD_FIRST: npt.NDArray[np.uint8] = MELD_TILES.astype(bool).argmax(axis=1).astype(np.uint8)
"""``MELD_FIRST[id]`` = the (lowest) tile of a meld."""


COPIES_OF = {"kind": 1, "tile": COPIES}
"""How many numbers of a list of tiles are the same kind, by what the numbers are."""


def bad_tiles(row: list[int], kinds: int, copies: int) -> HandError | None:
    """The error of a list of tiles; None where nothing is wrong with it."""
    for place, number in enumerate(row):
        if not 0 <= number < kinds * copies:
            return HandError(Code.BAD_TILE, key="tile", value=number, high=kinds * copies - 1)
        tile = number // copies
        if copies > 1 and number in row[:place]:
            return HandError(Code.DUPLICATE_TILE, tile=tile, number=number)
    tile = max(range(kinds), key=lambda t: sum(number // copies == t for number in row))
    held = sum(number // copies == tile for number in row)
    if held <= COPIES:
        return None
    return HandError(Code.BAD_COUNT, tile=tile, count=held)
