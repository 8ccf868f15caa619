"""What can be wrong, as data: a :class:`Code` and the fields that belong to it.

Every exception is an :class:`EvaluatorError`, which is a ``ValueError``. Its text is made
from its code and fields, in English by ``str`` and in either language by :func:`message`;
:mod:`evaluator.messages` has the texts. A row that a batch marks instead of raising carries
a :class:`Reason`.
"""

from __future__ import annotations

import enum
from typing import Any, Self

from .reasons import Reason

__all__ = [
    "Code",
    "EvaluatorError",
    "HandError",
    "NotAWin",
    "NotationError",
    "Reason",
    "RoundError",
    "RulesError",
    "message",
]


class Code(enum.StrEnum):
    """What is wrong, by name (the values never change)."""

    # arguments and keys, of any error
    NOT_A_WHOLE_NUMBER = "not_a_whole_number"
    OUT_OF_RANGE = "out_of_range"
    NOT_A_CHOICE = "not_a_choice"
    NOT_A_BOOL = "not_a_bool"
    NOT_TEXT = "not_text"
    NOT_A_NAME = "not_a_name"
    NOT_NAMES = "not_names"
    NOT_A_TABLE = "not_a_table"
    UNKNOWN_KEY = "unknown_key"
    UNKNOWN_FLAG = "unknown_flag"
    MISSING_KEY = "missing_key"
    BAD_THREADS = "bad_threads"
    BAD_OUT = "bad_out"
    OUT_NOT_WRITABLE = "out_not_writable"
    ARRAY_CHANGED = "array_changed"
    BAD_ROW = "bad_row"
    RULES_WITHOUT_HONOURS = "rules_without_honours"
    HONOURS_NEED_34 = "honours_need_34"
    WINS_NOT_LISTED = "wins_not_listed"

    # the installation
    JIT_DISABLED = "jit_disabled"
    FORKED_WHILE_COMPILING = "forked_while_compiling"
    TABLES_MISSING = "tables_missing"
    TABLE_UNREADABLE = "table_unreadable"
    TABLE_FORMAT = "table_format"
    TABLE_DAMAGED = "table_damaged"

    # arrays of hands
    TEXT_FOR_NUMBERS = "text_for_numbers"
    MASKED_ARRAY = "masked_array"
    RAGGED_ARRAY = "ragged_array"
    FLOAT_ARRAY = "float_array"
    NOT_NUMBERS = "not_numbers"
    WRONG_SHAPE = "wrong_shape"
    SHAPE_MISMATCH = "shape_mismatch"
    NOT_HANDS = "not_hands"
    ONE_HAND_ONLY = "one_hand_only"

    # hands
    BAD_COUNT = "bad_count"
    WRAPPED_COUNT = "wrapped_count"
    BAD_TILE = "bad_tile"
    DUPLICATE_TILE = "duplicate_tile"
    FIVE_COPIES = "five_copies"
    TURNED_FIVE_COPIES = "turned_five_copies"
    BAD_SEEN = "bad_seen"
    SEEN_TOO_MANY = "seen_too_many"
    BAD_SIZE = "bad_size"
    SIZE_WITH_MELDS = "size_with_melds"
    TOO_MANY_MELDS = "too_many_melds"
    SIZE_OF_WAITS = "size_of_waits"
    SIZE_OF_DISCARDS = "size_of_discards"
    SIZE_OF_SCORE = "size_of_score"
    SIZE_OF_WAIT_SCORES = "size_of_wait_scores"
    NOT_MELDS = "not_melds"
    BAD_MELD_KIND = "bad_meld_kind"
    BAD_MELD_TILE = "bad_meld_tile"
    BAD_CHOW = "bad_chow"
    WILD_CHOW = "wild_chow"
    BAD_MELD_WILDS = "bad_meld_wilds"
    BAD_MELD_ID = "bad_meld_id"
    WILDS_WITHOUT_MELD = "wilds_without_meld"
    CHOW_NOT_ALLOWED = "chow_not_allowed"
    HONOUR_NOT_IN_GAME = "honour_not_in_game"
    HONOUR_TURNED = "honour_turned"
    NATURAL_WILD = "natural_wild"
    BAD_WILDS = "bad_wilds"
    TOO_MANY_WILDS = "too_many_wilds"
    NO_WILDS_IN_GAME = "no_wilds_in_game"
    WILDS_NOT_SUPPORTED = "wilds_not_supported"
    BAD_WIND = "bad_wind"
    BAD_FLOWERS = "bad_flowers"
    BAD_VOID = "bad_void"
    BAD_WIN_TILE = "bad_win_tile"
    WIN_TILE_WHILE_WAITING = "win_tile_while_waiting"
    WIN_TILE_NOT_HELD = "win_tile_not_held"
    NO_WIN_TILE = "no_win_tile"
    COUNTS_WITHOUT_WIN_TILE = "counts_without_win_tile"
    BAD_INDICATOR = "bad_indicator"
    NO_INDICATOR = "no_indicator"
    BAD_FLAGS = "bad_flags"
    HEAVENLY_AND_EARTHLY = "heavenly_and_earthly"
    FIRST_TURN_WALL_LAST = "first_turn_wall_last"
    FIRST_TURN_OPEN_MELD = "first_turn_open_meld"
    HEAVENLY_LAST_TILE = "heavenly_last_tile"
    HEAVENLY_NOT_DRAWN = "heavenly_not_drawn"
    EARTHLY_NOT_DRAWN = "earthly_not_drawn"
    EARTHLY_ROBBED = "earthly_robbed"
    KONG_DISCARD_AND_KONG = "kong_discard_and_kong"
    KONG_DISCARD_DRAWN = "kong_discard_drawn"
    KONG_WIN_WITHOUT_KONG = "kong_win_without_kong"
    ROBBED_WALL_LAST = "robbed_wall_last"
    ROBBED_TILE_HELD = "robbed_tile_held"
    LAST_TILE_HELD = "last_tile_held"
    NOT_COMPLETE = "not_complete"
    TOO_MANY_SUITS = "too_many_suits"
    TOO_MANY_SUITS_WITH_WILDS = "too_many_suits_with_wilds"
    WILDS_OF_ANOTHER_SUIT = "wilds_of_another_suit"
    REQUIREMENT_NOT_MET = "requirement_not_met"

    # texts of hands
    NOT_A_HAND_TEXT = "not_a_hand_text"
    BYTES_FOR_TEXT = "bytes_for_text"
    MELDS_NEED_HAND = "melds_need_hand"
    SECTIONS_NEED_HAND = "sections_need_hand"
    FLOWERS_NEED_HAND = "flowers_need_hand"
    NO_TILES = "no_tiles"
    NO_DIGITS_BEFORE = "no_digits_before"
    NO_DIGITS_BESIDE = "no_digits_beside"
    NO_SUIT = "no_suit"
    NUMBER_WITHOUT_LETTER = "number_without_letter"
    NO_CHINESE_RED_FIVE = "no_chinese_red_five"
    NO_HONOUR_RED_FIVE = "no_honour_red_five"
    NO_SUCH_HONOUR = "no_such_honour"
    NUMBER_MUST_FOLLOW = "number_must_follow"
    NO_SUCH_NAME = "no_such_name"
    CLAIM_EXPECTED = "claim_expected"
    BAD_CHOW_CLAIM = "bad_chow_claim"
    BAD_PUNG_CLAIM = "bad_pung_claim"
    BAD_KONG_CLAIM = "bad_kong_claim"
    MELD_ENDS_HERE = "meld_ends_here"
    BRACKET_NEVER_CLOSED = "bracket_never_closed"
    WILD_SET = "wild_set"
    NOT_A_SET = "not_a_set"
    SECTION_TOO_MANY = "section_too_many"
    PREVALENT_WIND_EXPECTED = "prevalent_wind_expected"
    SEAT_WIND_EXPECTED = "seat_wind_expected"
    FLAG_EXPECTED = "flag_expected"
    FLAGS_TOO_LONG = "flags_too_long"
    BAD_FLOWER_TEXT = "bad_flower_text"
    FLOWER_TWICE = "flower_twice"
    WORD_TWICE = "word_twice"
    ONLY_WIN_NONE = "only_win_none"
    UNKNOWN_WORD = "unknown_word"
    NOTHING_AFTER_COMMA = "nothing_after_comma"
    NUMBER_TO_EIGHT = "number_to_eight"
    INDICATOR_ONE_TILE = "indicator_one_tile"
    NO_OPEN_BRACKET = "no_open_bracket"
    COMMA_OUTSIDE = "comma_outside"
    STAR_OUTSIDE = "star_outside"
    UNKNOWN_CHARACTER = "unknown_character"
    OTHER_NOTATION = "other_notation"

    # rule sets
    NOT_RULES = "not_rules"
    UNKNOWN_RULES = "unknown_rules"
    FILE_UNREADABLE = "file_unreadable"
    FORM_TWICE = "form_twice"
    FORMS_OVERLAP = "forms_overlap"
    FORM_NEEDS_SUITS = "form_needs_suits"
    FORM_NEEDS_HONOURS = "form_needs_honours"
    FORM_WITHOUT_PATTERNS = "form_without_patterns"
    NEEDS_STANDARD_FORM = "needs_standard_form"
    FORMS_TWICE_SAID = "forms_twice_said"
    NEEDS_PATTERNS = "needs_patterns"
    NEEDS_FAN_TABLE = "needs_fan_table"
    NEEDS_SCORES = "needs_scores"
    NO_PATTERN_SHAPES = "no_pattern_shapes"
    TOO_MANY_PATTERNS = "too_many_patterns"
    PATTERNS_AND_FAN_TABLE = "patterns_and_fan_table"
    PATTERN_TWICE = "pattern_twice"
    TWO_SUITS_WITH_HONOURS = "two_suits_with_honours"
    ALL_SUITS_OF_TWO = "all_suits_of_two"
    PRODUCT_ADDS = "product_adds"
    WILDS_WITH_HONOURS = "wilds_with_honours"
    TOO_MANY_NEXT_WILDS = "too_many_next_wilds"
    EXTRA_WILDS_HAVE_NO_SUIT = "extra_wilds_have_no_suit"
    EXTRA_WILDS_TURN_NOTHING = "extra_wilds_turn_nothing"
    NOT_FAN_LISTS = "not_fan_lists"
    FAN_TABLE_GAME = "fan_table_game"
    UNKNOWN_FAN = "unknown_fan"
    FIXED_FAN = "fixed_fan"
    BAD_PIG = "bad_pig"
    BAD_PIAO = "bad_piao"
    TOO_MANY_CONDITIONS = "too_many_conditions"
    FRACTIONAL_POINTS = "fractional_points"
    TOO_MANY_POINTS = "too_many_points"
    ADDONS_OUT_OF_RANGE = "addons_out_of_range"
    TOO_MANY_FAN = "too_many_fan"
    NEGATIVE_FAN = "negative_fan"
    FACTOR_BELOW_ONE = "factor_below_one"

    # wins and rounds
    NOT_A_SEAT = "not_a_seat"
    NOT_ONE_PER_SEAT = "not_one_per_seat"
    NOT_A_LIST = "not_a_list"
    SEAT_TWICE = "seat_twice"
    NOT_ONE_TILE = "not_one_tile"
    NOT_A_HAND = "not_a_hand"
    BAD_VALUE = "bad_value"
    BAD_JSON = "bad_json"
    ROUND_NEEDS_SCORES = "round_needs_scores"
    NO_PIAO = "no_piao"
    SIZE_OF_SEAT = "size_of_seat"
    FLAGS_OF_SEAT = "flags_of_seat"
    HONOUR_OF_SEAT = "honour_of_seat"
    CHOW_OF_SEAT = "chow_of_seat"
    WILDS_OF_SEAT = "wilds_of_seat"
    TURNED_TILES_DIFFER = "turned_tiles_differ"
    KONG_NOT_HELD = "kong_not_held"
    ROBBED_KONG_NOT_PUNG = "robbed_kong_not_pung"
    KONG_IS_PUNG = "kong_is_pung"
    KONG_WITHOUT_EVENT = "kong_without_event"
    WILDS_ON_TABLE = "wilds_on_table"
    COPIES_ON_TABLE = "copies_on_table"
    COPIES_OF_WILD = "copies_of_wild"
    COPIES_OF_TURNED = "copies_of_turned"
    TILE_OF_ITS_OWN = "tile_of_its_own"
    KONG_NEEDS_FROM = "kong_needs_from"
    KONG_WITHOUT_FEEDER = "kong_without_feeder"
    FRESH_OF_ADDED = "fresh_of_added"
    WIN_WITHOUT_TILE = "win_without_tile"
    TILES_DIFFER = "tiles_differ"
    DRAWN_FROM_SEAT = "drawn_from_seat"
    WILD_NOT_DRAWN = "wild_not_drawn"
    NOT_BY_DEALER = "not_by_dealer"
    BY_DEALER = "by_dealer"
    NOT_FIRST_DISCARD = "not_first_discard"
    NOT_FIRST_TURN = "not_first_turn"
    WIN_OF_SEAT = "win_of_seat"
    HAND_OF_ANOTHER = "hand_of_another"
    SEPARATE_WHEN_DRAWN = "separate_when_drawn"
    FLAG_NOT_SHARED = "flag_not_shared"
    ENDED_BY_WINS = "ended_by_wins"
    ENDED_BY_DRAW = "ended_by_draw"
    ENDED_BY_LEAVING = "ended_by_leaving"
    AFTER_LAST_TILE = "after_last_tile"
    HAS_WON = "has_won"
    HAS_LEFT = "has_left"

    WINS_TWICE = "wins_twice"
    ONE_WINNER = "one_winner"
    NOT_AFTER_KONG = "not_after_kong"
    NOT_AFTER_ADDED_KONG = "not_after_added_kong"
    FAN_DIFFERS = "fan_differs"
    NOT_A_SCORE = "not_a_score"
    NO_SCORE = "no_score"
    SCORE_OF_OTHER_RULES = "score_of_other_rules"
    BELOW_MINIMUM = "below_minimum"
    SCORES_AND_WINNERS = "scores_and_winners"
    WINNERS_WITHOUT_DISCARDER = "winners_without_discarder"
    ALREADY_OUT = "already_out"
    DISCARDER_WINS = "discarder_wins"
    NOT_WAITING = "not_waiting"

    # files, batches and the command line
    SYSTEM_REFUSED = "system_refused"
    ALREADY_EXISTS = "already_exists"
    NOT_UTF8_LINE = "not_utf8_line"
    UNKNOWN_QUERIES = "unknown_queries"
    NO_QUERY = "no_query"
    NEEDS_FOLDER = "needs_folder"
    FOLDER_IS_PARQUET = "folder_is_parquet"
    FORMAT_UNKNOWN = "format_unknown"
    NO_SUCH_TILE_NUMBER = "no_such_tile_number"
    ONE_OR_ALL = "one_or_all"
    SEEN_FOR_EACH = "seen_for_each"
    NOT_ARROW = "not_arrow"
    COLUMN_NOT_THERE = "column_not_there"
    COLUMN_TWICE = "column_twice"
    COLUMN_LIKE_ANSWER = "column_like_answer"
    SCHEDULER_UNUSABLE = "scheduler_unusable"
    CLUSTER_UNUSABLE = "cluster_unusable"
    CLUSTER_NOT_STARTED = "cluster_not_started"
    READ_FORWARDS_ONLY = "read_forwards_only"
    WHERE_NO_COLUMN = "where_no_column"
    WHERE_UNREADABLE = "where_unreadable"
    WHERE_EQUAL = "where_equal"
    WHERE_NO_CONDITION = "where_no_condition"
    WHERE_NO_VALUE = "where_no_value"
    WHERE_NONE = "where_none"
    WHERE_LIST = "where_list"
    NOT_A_COMPLETE_HAND = "not_a_complete_hand"
    THREE_SUITS = "three_suits"
    NOT_INSTALLED = "not_installed"
    NOT_IMPORTED = "not_imported"
    COLUMNS_ALIKE = "columns_alike"
    NO_HAND_COLUMN = "no_hand_column"
    COLUMN_HOLDS_NO_HANDS = "column_holds_no_hands"
    COUNT_MISSING = "count_missing"
    COUNTS_OF_OTHER_LENGTH = "counts_of_other_length"
    BAD_CELL_CHOICE = "bad_cell_choice"
    BAD_CELL_NUMBER = "bad_cell_number"
    MELD_ID_RANGE = "meld_id_range"
    MELD_IDS_EXPECTED = "meld_ids_expected"
    WHOLE_NUMBERS_EXPECTED = "whole_numbers_expected"
    NO_HAND = "no_hand"
    WHITE_SPACE_IN_RUN = "white_space_in_run"
    NESTED_TOO_DEEPLY = "nested_too_deeply"
    CELL_REFUSED = "cell_refused"
    AT_LINE = "at_line"
    AT_ROW = "at_row"
    FROM_LINE = "from_line"
    FROM_ROW = "from_row"
    TWO_COLUMNS = "two_columns"
    HANDS_LIKE_RESULT = "hands_like_result"
    COLUMNS_LIKE_RESULTS = "columns_like_results"
    COLUMN_LIKE_RESULT = "column_like_result"
    ONE_OBJECT_A_LINE = "one_object_a_line"
    JSON_READ_TWICE = "json_read_twice"
    COLUMN_OF_OTHER_TYPE = "column_of_other_type"
    LISTS_TOO_DEEP = "lists_too_deep"
    NOT_AN_OBJECT = "not_an_object"
    NOT_JSON = "not_json"
    LINE_UNREADABLE = "line_unreadable"
    PARQUET_FOOTER = "parquet_footer"
    DAMAGED = "damaged"
    NOT_PARQUET = "not_parquet"
    NOT_A_PART = "not_a_part"
    FOLDER_NOT_EMPTY = "folder_not_empty"
    MADE_BY_ANOTHER = "made_by_another"
    TAKEN_AWAY = "taken_away"
    ANOTHER_RUN = "another_run"
    CHANGED_WHILE_READ = "changed_while_read"
    UNKNOWN_KIND = "unknown_kind"
    EMPTY_FOLDER = "empty_folder"
    MATCHES_NOTHING = "matches_nothing"
    TWO_KINDS = "two_kinds"
    HAS_OTHER_COLUMN = "has_other_column"
    LACKS_COLUMN = "lacks_column"
    OTHER_TYPE = "other_type"
    OTHER_ORDER = "other_order"
    IS_INPUT = "is_input"
    HEADER_COLUMNS_ALIKE = "header_columns_alike"
    NOT_IN_HEADER = "not_in_header"
    NO_HAND_IN_HEADER = "no_hand_in_header"
    SEPARATED_WITHOUT_HEADER = "separated_without_header"
    IS_UTF16 = "is_utf16"
    IS_PARQUET = "is_parquet"
    QUOTE_NEVER_CLOSED = "quote_never_closed"
    QUOTED_TOO_LONG = "quoted_too_long"
    LINE_TOO_LONG = "line_too_long"
    NOT_UTF8_BYTE = "not_utf8_byte"
    OTHER_HEADER = "other_header"
    IS_NO_TEXT = "is_no_text"
    CELLS_NOT_AS_HEADER = "cells_not_as_header"
    CELLS_NOT_AS_HEADER_COMMAS = "cells_not_as_header_commas"
    NOT_UTF8_CELL = "not_utf8_cell"
    NOT_A_MASK = "not_a_mask"
    RESUME_NEEDS_FOLDER = "resume_needs_folder"
    READY_HANDS_HAVE_WAITS = "ready_hands_have_waits"
    NO_HAND_FOR_SCORE = "no_hand_for_score"
    NOTHING_FOR_TERMINAL = "nothing_for_terminal"
    ROUND_NOT_JSON = "round_not_json"
    NO_HAND_GIVEN = "no_hand_given"
    SEEN_UNREADABLE = "seen_unreadable"
    WHICH_HANDS = "which_hands"
    COLUMN_WITHOUT_IN = "column_without_in"
    HISTOGRAM_OUT = "histogram_out"
    NEEDS_DEAL = "needs_deal"
    NO_RULE_KEY = "no_rule_key"
    TOML_NEEDS_NAME = "toml_needs_name"
    NAME_THE_ROUND = "name_the_round"
    EXAMPLE_READS_NONE = "example_reads_none"


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


def message(error: EvaluatorError, lang: str = "en") -> str:
    """What an error says, in English or Chinese.

    Parameters
    ----------
    error : EvaluatorError
    lang : {"en", "zh"}

    Returns
    -------
    str
        English: ``str(error)``. An error without a code has only its own text.

    Raises
    ------
    EvaluatorError
        Another language.

    Examples
    --------
    >>> import evaluator as ev
    >>> try:
    ...     ev.shanten([5] + [0] * 33)
    ... except ev.HandError as error:
    ...     print(error.code, error.tile, error.count)
    ...     print(ev.errors.message(error, lang="zh"))
    bad_count 0 5
    一万有 5 张，应为 0 到 4 张
    """
    from . import messages

    if not isinstance(lang, str) or lang not in messages.LANGUAGES:
        raise EvaluatorError(Code.NOT_A_CHOICE, key="lang", value=lang, choices=messages.LANGUAGES)
    return str(error) if error.code is None else error._text(lang)


class EvaluatorError(ValueError):
    """Base of every error that this package raises about its input.

    Attributes
    ----------
    code : Code or None
        What is wrong, as a stable code; None for an error that has only a text.
    fields : dict of str to object
        The numbers, names and tiles (0-33) that the text mentions. A ``value`` that you
        passed is kept as text.
    """

    code: Code | None = None

    def __init__(self, code: Any = "", *more: Any, **fields: Any) -> None:
        super().__init__(code, *more)
        self.fields: dict[str, Any] = {}
        if isinstance(code, Code):
            self.code = code
            self.fields = {key: _plain(key, value) for key, value in fields.items()}

    def _said(self, lang: str) -> str:
        """The text of the code."""
        from .messages import text

        assert self.code is not None
        return text(self.code, self.fields, lang)

    def _text(self, lang: str) -> str:
        """The same with the place it is about."""
        return self._said(lang)

    def __str__(self) -> str:
        return super().__str__() if self.code is None else self._text("en")

    def __repr__(self) -> str:
        return super().__repr__() if self.code is None else f"{type(self).__name__}({self})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(self.args == other.args and self.__dict__ == other.__dict__)

    def __hash__(self) -> int:
        return hash((type(self), self.code))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.args, self.__dict__.copy())

    def _with(self, **changes: Any) -> Self:
        """The same error with some of its attributes changed."""
        changed: Self = _restore(type(self), self.args, self.__dict__ | changes)
        return changed


def _restore(kind: Any, args: tuple[Any, ...], state: dict[str, Any]) -> Any:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def _plain(key: str, value: Any) -> Any:
    """A field as it is kept: what was given as text, numbers of numpy as Python's."""
    if key == "value":
        return shown(value)
    if isinstance(value, EvaluatorError | enum.Enum):
        return value
    if isinstance(value, list | tuple):
        return tuple(_plain("", each) for each in value)
    return value.item() if hasattr(value, "item") and not hasattr(value, "__len__") else value


class NotationError(EvaluatorError):
    """A text that is not a hand.

    Attributes
    ----------
    text : str
        The text as given.
    position : int
        0-based index of the first character that is wrong (``len(text)``: the
        text ends too soon).
    reason : str
        What is wrong there, in English.
    index : int or None
        Which text of a list it is, None for one text.
    code, fields
        As of :class:`EvaluatorError`.
    """

    text: str
    position: int

    def __init__(self, code: Any, text: Any = "", position: Any = 0, /, **fields: Any) -> None:
        super().__init__(code, text, position, **fields)
        self.text, self.position, self._reason = text, position, ""
        self.index: int | None = None
        if self.code is None:  # (text, position, reason)
            self.text, self.position, self._reason = code, text, position

    @property
    def reason(self) -> str:
        return self._reason if self.code is None else self._said("en")

    def within(self, text: str, start: int) -> NotationError:
        """The same error for a longer text in which this text begins at ``start``."""
        return self._with(text=text, position=start + self.position)

    def at(self, index: int) -> NotationError:
        """The same error for text ``index`` of a list."""
        return self._with(index=int(index))

    def _text(self, lang: str) -> str:
        from .messages import at_character

        reason = self.reason if self.code is None else self._said(lang)
        said = at_character(reason, self.text, self.position, lang)
        return said if self.index is None else f"{_HAND[lang]} {self.index}{_COLON[lang]}{said}"

    def __str__(self) -> str:
        return self._text("en")


class HandError(EvaluatorError):
    """An invalid hand, or an argument that does not go with it.

    Attributes
    ----------
    index : int or None
        Position of the first bad hand in a batch (flat, row-major), None for
        one hand.
    tile : int or None
        The tile (0-33) that is wrong, if it is one tile.
    count : int or None
        The number that is wrong: copies of the tile, or tiles of the hand.
    reason : Reason
        What is wrong as a number; many codes share one.
    message : str
        The text without the index.
    code, fields
        As of :class:`EvaluatorError`.
    """

    def __init__(
        self,
        code: Any,
        *,
        index: int | None = None,
        tile: int | None = None,
        count: int | None = None,
        reason: Reason | None = None,
        **fields: Any,
    ) -> None:
        if tile is not None:
            fields["tile"] = tile
        if count is not None:
            fields["count"] = count
        super().__init__(code, **fields)
        self.index = index
        self.tile: int | None = self.fields.get("tile", tile)
        self.count: int | None = self.fields.get("count", count)
        self.reason = reason if self.code is None else REASONS.get(self.code, Reason.BAD_ARRAY)

    @property
    def message(self) -> str:
        return str(self.args[0]) if self.code is None else self._said("en")

    def at(self, index: int) -> HandError:
        """The same error for row ``index`` of a batch."""
        return self._with(index=int(index))

    def alone(self) -> HandError:
        """The same error for a single hand."""
        return self._with(index=None)

    def _text(self, lang: str) -> str:
        said = self.message if self.code is None else self._said(lang)
        return said if self.index is None else f"{_HAND[lang]} {self.index}{_COLON[lang]}{said}"

    def __str__(self) -> str:
        return self._text("en")


class NotAWin(HandError):
    """A hand that should be scored is not a win."""


class RulesError(EvaluatorError):
    """A rule set that does not exist, or a key of one that is wrong.

    Attributes
    ----------
    key : str
        The name, path or key that is wrong.
    reason : str
        What is wrong with it, in English.
    code, fields
        As of :class:`EvaluatorError`.
    """

    def __init__(self, code: Any, reason: str = "", /, **fields: Any) -> None:
        if isinstance(code, Code):
            super().__init__(code, **fields)
        else:  # (key, reason)
            super().__init__(code, reason)
            self.fields = {"key": code}
            self._reason = reason

    @property
    def key(self) -> str:
        return str(self.fields.get("key", ""))

    @property
    def reason(self) -> str:
        if self.code is None:
            return self._reason
        from .messages import without_key

        return without_key(self.code, self.fields)

    def under(self, key: str) -> RulesError:
        """The same error for a key inside another key or a file."""
        return self._with(fields=self.fields | {"key": f"{key}{self.key}"})

    def __str__(self) -> str:
        if self.code is None:
            return f"{visible(str(self.key))}: {self.reason}"
        return self._text("en")


class RoundError(EvaluatorError):
    """An impossible round, or a win that the rules do not pay.

    Attributes
    ----------
    event : int or None
        Index of the event that is wrong, from 0; None when it is no single event.
    reason : str
        What is wrong, in English.
    code, fields
        As of :class:`EvaluatorError`.
    """

    def __init__(self, code: Any, event: int | None = None, **fields: Any) -> None:
        super().__init__(code, event, **fields)
        self.event = event

    @property
    def reason(self) -> str:
        return str(self.args[0]) if self.code is None else self._said("en")

    def _text(self, lang: str) -> str:
        said = self.reason if self.code is None else self._said(lang)
        return said if self.event is None else f"{_EVENT[lang]} {self.event}{_COLON[lang]}{said}"

    def __str__(self) -> str:
        return self._text("en")


class FileError(EvaluatorError):
    """A file that cannot be read or written.

    Attributes
    ----------
    name : str
        The file, or "standard input" / "standard output".
    reason : str
        What is wrong with it.
    """

    def __init__(self, name: str, code: Code, /, **fields: Any) -> None:
        super().__init__(code, **fields)
        self.name = name

    @property
    def reason(self) -> str:
        return self._said("en")

    def _text(self, lang: str) -> str:
        return place(self.name, lang) + self._said(lang)


_HAND = {"en": "hand", "zh": "手牌"}
_EVENT = {"en": "event", "zh": "事件"}
_COLON = {"en": ": ", "zh": "："}
_PLACES = {"standard input": "标准输入", "standard output": "标准输出", "the batch": "批"}


def place(name: str, lang: str) -> str:
    """A file or column and a colon, before what is wrong with it."""
    return f"{_PLACES.get(name, name) if lang == 'zh' else name}{_COLON[lang]}"


REASONS: dict[Code, Reason] = {
    **dict.fromkeys(
        (
            Code.COUNT_MISSING,
            Code.COUNTS_OF_OTHER_LENGTH,
            Code.BAD_CELL_CHOICE,
            Code.BAD_CELL_NUMBER,
            Code.MELD_ID_RANGE,
            Code.NO_HAND,
            Code.WHITE_SPACE_IN_RUN,
            Code.NO_HAND_GIVEN,
        ),
        Reason.NOTATION,
    ),
    Code.NOT_A_COMPLETE_HAND: Reason.NOT_A_WIN,
    Code.THREE_SUITS: Reason.TOO_MANY_SUITS,
    Code.NO_HAND_FOR_SCORE: Reason.NOT_A_WIN,
    Code.BAD_COUNT: Reason.COUNT_ABOVE_FOUR,
    Code.WRAPPED_COUNT: Reason.COUNT_ABOVE_FOUR,
    Code.BAD_TILE: Reason.NOT_IN_GAME,
    Code.DUPLICATE_TILE: Reason.COUNT_ABOVE_FOUR,
    Code.FIVE_COPIES: Reason.FIVE_COPIES,
    Code.TURNED_FIVE_COPIES: Reason.FIVE_COPIES,
    Code.BAD_SEEN: Reason.SEEN_TOO_MANY,
    Code.SEEN_TOO_MANY: Reason.SEEN_TOO_MANY,
    Code.BAD_SIZE: Reason.BAD_SIZE,
    Code.SIZE_WITH_MELDS: Reason.BAD_SIZE,
    Code.TOO_MANY_MELDS: Reason.BAD_SIZE,
    Code.SIZE_OF_WAITS: Reason.BAD_SIZE,
    Code.SIZE_OF_DISCARDS: Reason.BAD_SIZE,
    Code.SIZE_OF_SCORE: Reason.BAD_SIZE,
    Code.SIZE_OF_WAIT_SCORES: Reason.BAD_SIZE,
    Code.NOT_MELDS: Reason.BAD_MELD,
    Code.BAD_MELD_KIND: Reason.BAD_MELD,
    Code.BAD_MELD_TILE: Reason.BAD_MELD,
    Code.BAD_CHOW: Reason.BAD_MELD,
    Code.WILD_CHOW: Reason.BAD_MELD,
    Code.BAD_MELD_WILDS: Reason.BAD_MELD,
    Code.BAD_MELD_ID: Reason.BAD_MELD,
    Code.WILDS_WITHOUT_MELD: Reason.BAD_MELD,
    Code.CHOW_NOT_ALLOWED: Reason.MELD_NOT_ALLOWED,
    Code.HONOUR_NOT_IN_GAME: Reason.NOT_IN_GAME,
    Code.HONOUR_TURNED: Reason.NOT_IN_GAME,
    Code.NATURAL_WILD: Reason.NOT_IN_GAME,
    Code.BAD_WILDS: Reason.TOO_MANY_WILDS,
    Code.TOO_MANY_WILDS: Reason.TOO_MANY_WILDS,
    Code.NO_WILDS_IN_GAME: Reason.TOO_MANY_WILDS,
    Code.WILDS_NOT_SUPPORTED: Reason.TOO_MANY_WILDS,
    Code.BAD_WIND: Reason.BAD_WIND,
    Code.BAD_FLOWERS: Reason.BAD_FLOWERS,
    Code.BAD_WIN_TILE: Reason.WIN_TILE_NOT_HELD,
    Code.WIN_TILE_WHILE_WAITING: Reason.BAD_SIZE,
    Code.WIN_TILE_NOT_HELD: Reason.WIN_TILE_NOT_HELD,
    Code.NO_WIN_TILE: Reason.NO_WIN_TILE,
    Code.COUNTS_WITHOUT_WIN_TILE: Reason.NO_WIN_TILE,
    Code.BAD_INDICATOR: Reason.NOT_IN_GAME,
    Code.NO_INDICATOR: Reason.NO_INDICATOR,
    Code.BAD_FLAGS: Reason.IMPOSSIBLE_FLAGS,
    Code.HEAVENLY_AND_EARTHLY: Reason.IMPOSSIBLE_FLAGS,
    Code.FIRST_TURN_WALL_LAST: Reason.IMPOSSIBLE_FLAGS,
    Code.FIRST_TURN_OPEN_MELD: Reason.IMPOSSIBLE_FLAGS,
    Code.HEAVENLY_LAST_TILE: Reason.IMPOSSIBLE_FLAGS,
    Code.HEAVENLY_NOT_DRAWN: Reason.IMPOSSIBLE_FLAGS,
    Code.EARTHLY_NOT_DRAWN: Reason.IMPOSSIBLE_FLAGS,
    Code.EARTHLY_ROBBED: Reason.IMPOSSIBLE_FLAGS,
    Code.KONG_DISCARD_AND_KONG: Reason.IMPOSSIBLE_FLAGS,
    Code.KONG_DISCARD_DRAWN: Reason.IMPOSSIBLE_FLAGS,
    Code.KONG_WIN_WITHOUT_KONG: Reason.IMPOSSIBLE_FLAGS,
    Code.ROBBED_WALL_LAST: Reason.IMPOSSIBLE_FLAGS,
    Code.ROBBED_TILE_HELD: Reason.IMPOSSIBLE_FLAGS,
    Code.LAST_TILE_HELD: Reason.IMPOSSIBLE_FLAGS,
    Code.NOT_COMPLETE: Reason.NOT_A_WIN,
    Code.REQUIREMENT_NOT_MET: Reason.NOT_A_WIN,
    Code.TOO_MANY_SUITS: Reason.TOO_MANY_SUITS,
    Code.TOO_MANY_SUITS_WITH_WILDS: Reason.TOO_MANY_SUITS,
    Code.WILDS_OF_ANOTHER_SUIT: Reason.TOO_MANY_SUITS,
}
"""The number of each code about a hand; BAD_ARRAY for an argument that is not a hand."""
