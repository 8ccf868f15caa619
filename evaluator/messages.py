"""The texts of :class:`evaluator.errors.Code`, English and Chinese, and how they are filled in.

Loaded with the first error that is shown. A placeholder is a field of the error:

=======================  ==============================================================
``{count:tile|tiles}``   in English a number and its noun, singular or plural
``{tile}`` ``{turned}``  a tile, ``1m (一万)`` in English, 一万 in Chinese
``{wild}``
``{choices}``            a list of names
``{hint}``               made of ``choices``: those near to ``name`` (or ``key``), or all
``{kind}`` ``{suits}``   words of the game, in the language of the text
``{conditions}``
``{error}``              another error, in the language of the text
=======================  ==============================================================
"""

from __future__ import annotations

import difflib
import string
from collections.abc import Mapping
from typing import Any

from .errors import Code, EvaluatorError, visible
from .tiles import CHINESE, KINDS, NAMES

LANGUAGES = ("en", "zh")

TEXTS: dict[Code, tuple[str, str]] = {
    # arguments and keys, of any error
    Code.NOT_A_WHOLE_NUMBER: (
        "{key} must be a whole number, got {value}",
        "{key} 须为整数，现为 {value}",
    ),
    Code.OUT_OF_RANGE: (
        "{key} must be a whole number from {low} to {high}, got {value}",
        "{key} 须为 {low} 到 {high} 的整数，现为 {value}",
    ),
    Code.NOT_A_CHOICE: (
        "{key} must be one of {choices}, got {value}",
        "{key} 须为 {choices} 之一，现为 {value}",
    ),
    Code.NOT_A_BOOL: (
        "{key} must be True or False, got {value}",
        "{key} 须为 True 或 False，现为 {value}",
    ),
    Code.NOT_TEXT: ("{key} must be text, got {value}", "{key} 须为文字，现为 {value}"),
    Code.NOT_A_NAME: (
        "{key} must be a printable name, got {value}",
        "{key} 须为可显示的名称，现为 {value}",
    ),
    Code.NOT_NAMES: (
        "{key} must be a list of names, got {value}",
        "{key} 须为名称列表，现为 {value}",
    ),
    Code.NOT_A_TABLE: (
        "{key} must be a table of keys and values, got {value}",
        "{key} 须为键值表，现为 {value}",
    ),
    Code.UNKNOWN_KEY: ("{key} is not a known key; {hint}", "没有 {key} 这个键；{hint}"),
    Code.UNKNOWN_FLAG: (
        "{key}: no flag {value}; {hint}",
        "{key}：没有 {value} 这个标志；{hint}",
    ),
    Code.MISSING_KEY: ("{key} lacks {choices}", "{key} 缺少 {choices}"),
    Code.BAD_THREADS: (
        "threads must be None or a whole number from 1 up, got {value}",
        "threads 须为 None 或不小于 1 的整数，现为 {value}",
    ),
    Code.BAD_OUT: (
        "out must be an array of {dtype} with shape {shape}, got {value}",
        "out 须为 {dtype} 数组，形状 {shape}，现为 {value}",
    ),
    Code.OUT_NOT_WRITABLE: (
        "out must be writable and C-contiguous",
        "out 须可写，且按 C 顺序连续",
    ),
    Code.ARRAY_CHANGED: (
        "the array of hands changed after the call of {query}(): pass a copy to {query}(), "
        "or read the answers before you change the array",
        "调用 {query}() 之后手牌数组被改动过：请把副本传给 {query}()，或在改动前取出结果",
    ),
    Code.NEEDS_DETAIL: (
        "the fan of each row are only there after score(..., detail=True)",
        "每手牌的番种只在 score(..., detail=True) 时列出",
    ),
    Code.BAD_ROW: (
        "{key} must be a row number from {low} to {high}, got {value}",
        "{key} 须为 {low} 到 {high} 的行号，现为 {value}",
    ),
    Code.RULES_WITHOUT_HONOURS: (
        "{rules} is played without honours: kinds must be 27",
        "{rules} 不用字牌：kinds 须为 27",
    ),
    Code.HONOURS_NEED_34: (
        "{key} needs honour tiles: kinds must be 34",
        "{key} 需要字牌：kinds 须为 34",
    ),
    Code.WINS_NOT_LISTED: (
        "the winning hands of {rules} cannot be listed: they include {choices}",
        "{rules} 的和牌无法逐一列出：其中有 {choices}",
    ),
    # the installation
    Code.JIT_DISABLED: (
        "the kernels must be compiled: unset NUMBA_DISABLE_JIT",
        "内核必须编译：请取消 NUMBA_DISABLE_JIT",
    ),
    Code.TABLES_MISSING: (
        "no tables in {place} or {other}: reinstall the package, or run python tables/build.py "
        "in a checkout",
        "{place} 和 {other} 中都没有数据表：请重新安装，或在源码目录运行 python tables/build.py",
    ),
    Code.TABLE_UNREADABLE: (
        "cannot read the table {place}: {detail}",
        "读不了数据表 {place}：{detail}",
    ),
    Code.TABLE_FORMAT: (
        "{place} has format {value}, this package reads {format}: reinstall the package, "
        "or run python tables/build.py",
        "{place} 的格式是 {value}，本版本只读 {format}：请重新安装，或运行 python tables/build.py",
    ),
    Code.TABLE_DAMAGED: (
        "{place} is damaged: its sha256 is {digest}…, the manifest says {promised}…; "
        "reinstall the package",
        "{place} 已损坏：sha256 是 {digest}…，清单上是 {promised}…；请重新安装",
    ),
    # arrays of hands
    Code.TEXT_FOR_NUMBERS: (
        "{key} must be whole numbers, got text; evaluator.parse reads text",
        "{key} 须为整数，现为文字；文字请用 evaluator.parse 读取",
    ),
    Code.MASKED_ARRAY: (
        "{key} is a masked array: fill or drop the masked hands first",
        "{key} 是掩码数组：请先填上或去掉被掩盖的手牌",
    ),
    Code.RAGGED_ARRAY: (
        "{key} must be an array of whole numbers with rows of one length",
        "{key} 须为整数数组，且每行长度相同",
    ),
    Code.FLOAT_ARRAY: (
        "{key} must be whole numbers, got {dtype}; if all of them are whole, "
        "convert with .astype(int)",
        "{key} 须为整数，现为 {dtype}；若都是整数值，请先用 .astype(int) 转换",
    ),
    Code.NOT_NUMBERS: (
        "{key} must be whole numbers, got {dtype}",
        "{key} 须为整数，现为 {dtype}",
    ),
    Code.WRONG_SHAPE: (
        "{key} must have shape {expected}, got {shape}",
        "{key} 的形状须为 {expected}，现为 {shape}",
    ),
    Code.SHAPE_MISMATCH: (
        "{key} has shape {shape}, which does not fit hands of shape {lead}",
        "{key} 的形状是 {shape}，与手牌的形状 {lead} 不合",
    ),
    Code.NOT_HANDS: (
        "{key} takes {expected} objects only, got {value}",
        "{key} 只接受 {expected} 对象，现有 {value}",
    ),
    Code.ONE_HAND_ONLY: (
        "{query}() takes one hand, got hands of shape {shape}",
        "{query}() 一次只算一手牌，现为形状 {shape} 的多手牌",
    ),
    # hands
    Code.BAD_COUNT: (
        "{count:copy|copies} of {tile}: a count is 0 to 4",
        "{tile}有 {count} 张，应为 0 到 4 张",
    ),
    Code.WRAPPED_COUNT: (
        "{count} is not a count of {tile} ({meant} stored as {dtype}?): a count is 0 to 4",
        "{tile}的张数 {count} 不对（是不是 {meant} 存成了 {dtype}？），应为 0 到 4 张",
    ),
    Code.BAD_TILE: (
        "{key} {value} does not exist: tiles are 0 to {high}",
        "{key} {value} 不存在：牌的编号是 0 到 {high}",
    ),
    Code.DUPLICATE_TILE: (
        "the physical tile {number} ({tile}) is there twice",
        "第 {number} 号牌（{tile}）出现两次",
    ),
    Code.FIVE_COPIES: (
        "{count} copies of {tile}, melds included; there are only four",
        "连副露在内有 {count} 张{tile}，一种牌只有四张",
    ),
    Code.TURNED_FIVE_COPIES: (
        "{count} copies of {tile}, the turned one included; there are only four",
        "连翻开的一张在内有 {count} 张{tile}，一种牌只有四张",
    ),
    Code.BAD_SEEN: (
        "{count:copy|copies} of {tile} seen: a count is 0 to 4",
        "seen 里{tile}有 {count} 张，应为 0 到 4 张",
    ),
    Code.SEEN_TOO_MANY: (
        "{count} copies of {tile} in the hand, its melds and seen together; there are only four",
        "手牌、副露和 seen 合计有 {count} 张{tile}，一种牌只有四张",
    ),
    Code.BAD_SIZE: (
        "{count:tile|tiles} is not a valid hand size (13 while waiting, 14 after a draw, "
        "three fewer per meld)",
        "{count} 张牌不成一手（听牌时 13 张，摸牌后 14 张，每有一副副露少三张）",
    ),
    Code.SIZE_WITH_MELDS: (
        "{count:tile|tiles} in hand with {melds:meld|melds}; at most {most} fit",
        "{melds} 副副露之外有 {count} 张手牌，最多 {most} 张",
    ),
    Code.TOO_MANY_MELDS: (
        "{count} melds; a hand has at most four",
        "有 {count} 副副露，一手牌最多四副",
    ),
    Code.SIZE_OF_WAITS: (
        "This hand has {count:tile|tiles}. waits() needs 1, 4, 7, 10 or 13; "
        "use discards() for 2, 5, 8, 11 or 14.",
        "这手牌有 {count} 张。waits() 要 1、4、7、10 或 13 张；2、5、8、11 或 14 张用 discards()。",
    ),
    Code.SIZE_OF_DISCARDS: (
        "This hand has {count:tile|tiles}. discards() needs 2, 5, 8, 11 or 14; "
        "use waits() for 1, 4, 7, 10 or 13.",
        "这手牌有 {count} 张。discards() 要 2、5、8、11 或 14 张；1、4、7、10 或 13 张用 waits()。",
    ),
    Code.SIZE_OF_SCORE: (
        "This hand has {total:tile|tiles} (a meld counts as three); scoring needs a complete "
        "hand of 14, the winning tile included.",
        "这手牌共 {total} 张（每副副露算三张）；算番须为完整的 14 张，连和牌张在内。",
    ),
    Code.SIZE_OF_WAIT_SCORES: (
        "This hand has {total:tile|tiles} (a meld counts as three); waits are scored "
        "for 13 (use score() for 14).",
        "这手牌共 {total} 张（每副副露算三张）；听牌算番须为 13 张（14 张用 score()）。",
    ),
    Code.NOT_MELDS: (
        "melds must be a sequence of Meld objects, got {value}",
        "melds 须为 Meld 对象的序列，现为 {value}",
    ),
    Code.BAD_MELD_KIND: (
        "the kind of a meld must be one of {choices}, got {value}",
        "副露的种类须为 {choices} 之一，现为 {value}",
    ),
    Code.BAD_MELD_TILE: (
        "the tile of a meld must be 0 to 33, got {value}",
        "副露的牌须为 0 到 33，现为 {value}",
    ),
    Code.BAD_CHOW: ("no chow starts at {tile}", "没有以{tile}开头的顺子"),
    Code.WILD_CHOW: (
        "a chow meld of {tile} cannot hold wild tiles",
        "以{tile}开头的吃牌不能含听用",
    ),
    Code.BAD_MELD_WILDS: (
        "{value} wild tiles in a {kind} of {tile}; at least one tile must be natural",
        "{tile}的{kind}里有 {value} 张听用，至少要有一张本牌",
    ),
    Code.BAD_MELD_ID: (
        "meld id {value} does not exist: ids are 1 to 123",
        "副露编号 {value} 不存在：编号是 1 到 123",
    ),
    Code.WILDS_WITHOUT_MELD: (
        "{wilds:wild tile|wild tiles} in meld {slot}, but there is no meld {slot}",
        "第 {slot} 副副露里有 {wilds} 张听用，但并没有第 {slot} 副副露",
    ),
    Code.CHOW_NOT_ALLOWED: (
        "a chow that starts at {tile} was claimed, but {rules} does not allow chow melds",
        "吃了以{tile}开头的顺子，但 {rules} 不可以吃牌",
    ),
    Code.HONOUR_NOT_IN_GAME: (
        "{tile} is not in this game: {rules} is played without honours",
        "没有{tile}：{rules} 不用字牌",
    ),
    Code.HONOUR_TURNED: (
        "{tile} was turned, but {rules} is played without honours",
        "翻开的是{tile}，但 {rules} 不用字牌",
    ),
    Code.NATURAL_WILD: (
        "{tile} is wild, because {turned} was turned: give wild tiles as wilds, not as tiles",
        "翻开的是{turned}，{tile}就是听用：听用要写在 wilds 里，不算普通牌",
    ),
    Code.BAD_WILDS: (
        "{value} wild tiles; a hand holds 0 to 8",
        "听用有 {value} 张，一手牌只能有 0 到 8 张",
    ),
    Code.TOO_MANY_WILDS: (
        "{count:wild tile|wild tiles}; {rules} has {most}",
        "听用有 {count} 张，{rules} 只有 {most} 张",
    ),
    Code.NO_WILDS_IN_GAME: (
        "{count:wild tile|wild tiles}; {rules} has none",
        "听用有 {count} 张，{rules} 没有听用",
    ),
    Code.WILDS_NOT_SUPPORTED: (
        "{query}() does not take wild tiles, got {count}",
        "{query}() 不能有听用，现有 {count} 张",
    ),
    Code.BAD_WIND: (
        "{key} must be 0 to 3 (E, S, W, N), got {value}",
        "{key} 须为 0 到 3（东、南、西、北），现为 {value}",
    ),
    Code.BAD_FLOWERS: (
        "flowers must be 0 to 8, got {value}",
        "花牌数须为 0 到 8，现为 {value}",
    ),
    Code.BAD_VOID: (
        'void must be a suit 0 (m), 1 (p) or 2 (s), "each" or None, got {value}',
        'void（定缺）须为 0（万）、1（筒）、2（条）、"each" 或 None，现为 {value}',
    ),
    Code.BAD_WIN_TILE: (
        "win_tile must be a tile 0 to 33 or none, got {value}",
        "win_tile（和牌张）须为 0 到 33 的牌，或没有，现为 {value}",
    ),
    Code.WIN_TILE_WHILE_WAITING: (
        "the winning tile {tile} is given, but a hand with {count:tile|tiles} still waits",
        "给出了和牌张{tile}，但 {count} 张的手牌还在听牌",
    ),
    Code.WIN_TILE_NOT_HELD: (
        "the winning tile {tile} is not among the concealed tiles",
        "和牌张{tile}不在手牌里",
    ),
    Code.NO_WIN_TILE: (
        "scoring needs the winning tile (win_tile)",
        "算番须知道和牌张（win_tile）",
    ),
    Code.COUNTS_WITHOUT_WIN_TILE: (
        "scoring needs the winning tile: pass a Hand or Hands, not tile counts alone",
        "算番须知道和牌张：请给 Hand 或 Hands，不要只给张数",
    ),
    Code.BAD_INDICATOR: (
        "indicator must be a tile 0 to {high} or none, got {value}",
        "indicator（翻开的牌）须为 0 到 {high} 的牌，或没有，现为 {value}",
    ),
    Code.NO_INDICATOR: (
        "the suit of a wild tile counts under {rules}: say which tile was turned (indicator)",
        "{rules} 要看听用的花色：请给出翻开的牌（indicator）",
    ),
    Code.BAD_FLAGS: (
        "flags {flags} has bits without a meaning: only the lowest {bits} have one",
        "flags {flags} 含有无意义的位：只有最低 {bits} 位有意义",
    ),
    Code.HEAVENLY_AND_EARTHLY: (
        "heavenly (天胡) and earthly (地胡) exclude each other",
        "天胡和地胡不能同时成立",
    ),
    Code.FIRST_TURN_WALL_LAST: (
        "a heavenly or earthly hand cannot win on the last tile of the wall (wall_last)",
        "天胡、地胡不可能是海底牌（wall_last）",
    ),
    Code.FIRST_TURN_OPEN_MELD: (
        "a heavenly or earthly hand cannot have an open meld",
        "天胡、地胡不可能有明的副露",
    ),
    Code.HEAVENLY_LAST_TILE: (
        "a heavenly hand cannot win on the last copy (和绝张): nothing has been discarded yet",
        "天胡不可能是和绝张：还没有打出过牌",
    ),
    Code.HEAVENLY_NOT_DRAWN: (
        "a heavenly hand wins by self-draw: set self_drawn",
        "天胡须为自摸（self_drawn）",
    ),
    Code.EARTHLY_NOT_DRAWN: (
        "an earthly hand wins by self-draw under {rules}: set self_drawn",
        "{rules} 的地胡须为自摸（self_drawn）",
    ),
    Code.EARTHLY_ROBBED: (
        "an earthly hand cannot win by robbing a kong",
        "地胡不可能是抢杠",
    ),
    Code.KONG_DISCARD_AND_KONG: (
        "kong_discard (杠上炮) and kong exclude each other",
        "杠上炮（kong_discard）和 kong 不能同时成立",
    ),
    Code.KONG_DISCARD_DRAWN: (
        "kong_discard (杠上炮) is a win on a discard, not by self-draw",
        "杠上炮（kong_discard）是点炮，不能是自摸",
    ),
    Code.KONG_WIN_WITHOUT_KONG: (
        "self_drawn with kong (杠上开花), but the hand has no kong meld",
        "杠上开花（self_drawn 加 kong），但没有杠",
    ),
    Code.ROBBED_WALL_LAST: (
        "a robbed kong (抢杠和) cannot be the last tile of the wall (wall_last)",
        "抢杠和不可能是海底牌（wall_last）",
    ),
    Code.ROBBED_TILE_HELD: (
        "a robbed kong (抢杠和) takes the only copy of {tile}, but the hand holds another",
        "抢杠和时手里不可能还有{tile}",
    ),
    Code.LAST_TILE_HELD: (
        "last_tile (和绝张), but another {tile} is concealed in the hand",
        "和绝张（last_tile），但手里还有一张{tile}",
    ),
    Code.NOT_COMPLETE: ("{hand} is not complete", "{hand} 没有和牌"),
    Code.TOO_MANY_SUITS: (
        "{hand} has tiles of {count} suits ({suits}); a win has at most {most} (缺门)",
        "{hand} 有 {count} 门花色（{suits}），最多 {most} 门才能和（缺门）",
    ),
    Code.TOO_MANY_SUITS_WITH_WILDS: (
        "{hand} has tiles of {count} suits ({suits}), its wild tiles counted; a win has at most "
        "{most} (缺门)",
        "{hand} 连听用在内有 {count} 门花色（{suits}），最多 {most} 门才能和（缺门）",
    ),
    Code.WILDS_OF_ANOTHER_SUIT: (
        "{hand} is complete only if its wild tiles count as another suit; a win has at most "
        "{most} suits (缺门)",
        "{hand} 的听用要算另一门花色才能成牌，最多 {most} 门才能和（缺门）",
    ),
    Code.REQUIREMENT_NOT_MET: (
        "{hand} is complete, but a win of {rules} needs: {conditions}",
        "{hand} 牌型已成，但 {rules} 和牌须：{conditions}",
    ),
    # texts of hands
    # rule sets
    Code.NOT_RULES: (
        "{key}: rules must be the name of a preset, a path or a Rules object",
        "{key}：规则须为预设名称、文件路径或 Rules 对象",
    ),
    Code.UNKNOWN_RULES: ("{key}: no such rule set; {hint}", "{key}：没有这套规则；{hint}"),
    Code.FILE_UNREADABLE: ("{key}: cannot read the file: {detail}", "{key}：读不了文件：{detail}"),
    Code.FORM_TWICE: (
        "{key}: name at least one form, and each once",
        "{key}：至少写一种牌型，每种只写一次",
    ),
    Code.FORMS_OVERLAP: (
        "{key}: seven_pairs already allows seven different pairs",
        "{key}：seven_pairs 已包括七个不同的对子",
    ),
    Code.FORM_NEEDS_SUITS: (
        "{key}: {form} needs three suits, but max_suits is 2",
        "{key}：{form} 要三门花色，但 max_suits 是 2",
    ),
    Code.FORM_NEEDS_HONOURS: (
        "{key}: {form} needs honours, but kinds is 27",
        "{key}：{form} 要字牌，但 kinds 是 27",
    ),
    Code.FORM_WITHOUT_PATTERNS: (
        "{key}: a game with patterns has only standard and seven_pairs, not {form}",
        "{key}：有 patterns 的规则只有 standard 和 seven_pairs，没有 {form}",
    ),
    Code.NEEDS_STANDARD_FORM: (
        "{key}: a game with patterns needs the form standard",
        "{key}：有 patterns 的规则须有 standard",
    ),
    Code.FORMS_TWICE_SAID: (
        "{key} is short for forms: give only one of them",
        "{key} 是 forms 的简写：两者只写一个",
    ),
    Code.NEEDS_PATTERNS: (
        "{key}: the rule set {rules} has no patterns",
        "{key}：规则 {rules} 没有 patterns",
    ),
    Code.NEEDS_FAN_TABLE: (
        "{key}: the rule set {rules} has no fan_table",
        "{key}：规则 {rules} 没有 fan_table",
    ),
    Code.NEEDS_SCORES: (
        "{key}: the rule set {rules} has no scores",
        "{key}：规则 {rules} 不能算番",
    ),
    Code.NO_PATTERN_SHAPES: (
        "{key}: the rule set {rules} has no patterns that tiles alone decide",
        "{key}：规则 {rules} 没有只由牌决定的番种",
    ),
    Code.TOO_MANY_PATTERNS: (
        "{key}: {count} patterns; at most {most}",
        "{key}：有 {count} 个番种，最多 {most} 个",
    ),
    Code.PATTERNS_AND_FAN_TABLE: (
        "{key}: a rule set has either patterns or a fan_table, not both",
        "{key}：patterns 和 fan_table 只能有一个",
    ),
    Code.PATTERN_TWICE: ("{key} appears twice", "{key} 出现两次"),
    Code.TWO_SUITS_WITH_HONOURS: (
        "{key}: 2 needs a game without honours, but kinds is 34",
        "{key}：2 只用于没有字牌的规则，但 kinds 是 34",
    ),
    Code.ALL_SUITS_OF_TWO: (
        "{key}: all_suits needs three suits, but max_suits is 2",
        "{key}：all_suits 要三门花色，但 max_suits 是 2",
    ),
    Code.PRODUCT_ADDS: (
        "{key}: product adds nothing, so gen, kong and addons must be 0",
        "{key}：product 不做加法，gen、kong 和 addons 须为 0",
    ),
    Code.WILDS_WITH_HONOURS: (
        "{key}: wild tiles need a game without honours, but kinds is 34",
        "{key}：听用只用于没有字牌的规则，但 kinds 是 34",
    ),
    Code.TOO_MANY_NEXT_WILDS: (
        "{key}: a tile has four copies, got {value}",
        "{key}：一种牌只有四张，现为 {value}",
    ),
    Code.EXTRA_WILDS_HAVE_NO_SUIT: (
        "{key}: extra wild tiles have no suit to count",
        "{key}：另加的赖子没有花色可算",
    ),
    Code.EXTRA_WILDS_TURN_NOTHING: (
        "{key}: no tile is turned where wild tiles are extra",
        "{key}：赖子是另加的牌，不翻牌",
    ),
    Code.NOT_FAN_LISTS: (
        "{key} must be a table of fan and lists of fan, got {value}",
        "{key} 须为番种和番种列表的表，现为 {value}",
    ),
    Code.FAN_TABLE_GAME: (
        "{key}: {table} scores only games of 34 kinds and three suits with the forms {choices}",
        "{key}：{table} 只用于 34 种牌、三门花色、牌型为 {choices} 的规则",
    ),
    Code.UNKNOWN_FAN: ("{key}: no such fan: {choices}", "{key}：没有这些番种：{choices}"),
    Code.FIXED_FAN: (
        "{key}: {value} cannot be changed in this fan table, only {choices}",
        "{key}：这张番种表里 {value} 不能改，只能改 {choices}",
    ),
    Code.BAD_PIG: (
        '{key} must be a number of units or "max(N fan)", got {value}',
        '{key} 须为单位数或 "max(N fan)"，现为 {value}',
    ),
    Code.BAD_PIAO: (
        "{key} must be two factors or empty, got {value}",
        "{key} 须为两个倍数，或留空，现为 {value}",
    ),
    Code.TOO_MANY_CONDITIONS: (
        "{key} ask for {count} different properties of a hand; at most {most}",
        "{key} 要看手牌的 {count} 种性质，最多 {most} 种",
    ),
    Code.FRACTIONAL_POINTS: (
        "{key}: a hand of {fan} fan would get {base} / {divisor} points, not a whole number",
        "{key}：{fan} 番的牌应得 {base} / {divisor} 分，不是整数",
    ),
    Code.TOO_MANY_POINTS: (
        "{key}: {fan} fan would be 2^31 points or more; set a cap",
        "{key}：{fan} 番会达到 2^31 分以上；请设封顶",
    ),
    Code.ADDONS_OUT_OF_RANGE: (
        "{key}: together {low} to {high} fan; at most {most}",
        "{key}：合计 {low} 到 {high} 番，最多 {most} 番",
    ),
    Code.TOO_MANY_FAN: (
        "{key}: together more than {most} fan",
        "{key}：合计超过 {most} 番",
    ),
    Code.NEGATIVE_FAN: (
        "{key}: a win could have {fan} fan; it needs 0 or more",
        "{key}：有和牌只有 {fan} 番，应不小于 0",
    ),
    Code.FACTOR_BELOW_ONE: (
        "{key}: values that multiply must be 1 or more",
        "{key}：相乘的番值须不小于 1",
    ),
    # wins and rounds
}

_TILES = ("tile", "turned", "wild")

# words of the game by field: those of English where they are not the names themselves
_ENGLISH = {
    "kind": {"concealed_kong": "concealed kong"},
    "conditions": {
        "all_suits": "tiles of all three suits (三门齐)",
        "triplet_or_dragon_pair": "a pung or kong, or a pair of dragons (有横)",
        "terminal": "a terminal or an honour (有幺九)",
        "open": "an open meld (开门)",
        "hand_one_only_pungs": "with four open melds, every set a pung (飘胡才能手把一)",
    },
}
_CHINESE = {
    "kind": {"chow": "顺子", "pung": "刻子", "kong": "明杠", "concealed_kong": "暗杠"},
    "suits": {"m": "万", "p": "筒", "s": "条"},
    "conditions": {
        "all_suits": "三门齐",
        "triplet_or_dragon_pair": "有横（刻子、杠或一对箭牌）",
        "terminal": "有幺九",
        "open": "开门",
        "hand_one_only_pungs": "飘胡才能手把一",
    },
}


class _Filler(string.Formatter):
    """Fills a template with fields, in one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.words = _CHINESE if lang == "zh" else _ENGLISH

    def get_value(self, key: Any, args: Any, kwargs: Any) -> Any:
        if key == "hint":
            return self._hint(**kwargs)
        value = kwargs[key]
        if key in _TILES and isinstance(value, int) and 0 <= value < KINDS:
            return CHINESE[value] if self.lang == "zh" else f"{NAMES[value]} ({CHINESE[value]})"
        return self._told(value, self.words.get(key, {}))

    def _told(self, value: Any, words: Mapping[str, str]) -> Any:
        if isinstance(value, EvaluatorError):
            return value._text(self.lang) if value.code is not None else str(value)
        if isinstance(value, tuple):
            return self._listed([str(self._told(each, words)) for each in value])
        return visible(words.get(value, value)) if isinstance(value, str) else value

    def _listed(self, names: list[str]) -> str:
        return ("、" if self.lang == "zh" else ", ").join(names)

    def _hint(self, *, choices: Any, name: str = "", key: str = "", **_: Any) -> str:
        """What may have been meant, or all there is."""
        near = difflib.get_close_matches((name or key).lower(), choices, 3)
        if self.lang == "zh":
            return f"是不是 {' 或 '.join(near)}？" if near else f"可用：{self._listed(choices)}"
        if near:
            return f"did you mean {' or '.join(near)}?"
        return f"choose from {self._listed(choices)}"

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" not in format_spec:
            return str(super().format_field(value, format_spec))
        one, many = format_spec.split("|")
        return f"{value} {one if value == 1 else many}"


_FILLERS = {lang: _Filler(lang) for lang in LANGUAGES}


def text(code: Code, fields: Mapping[str, Any], lang: str) -> str:
    """What a code says with these fields.

    >>> text(Code.BAD_CHOW, {"tile": 7}, "en"), text(Code.BAD_CHOW, {"tile": 7}, "zh")
    ('no chow starts at 8m (八万)', '没有以八万开头的顺子')
    """
    return _FILLERS[lang].vformat(TEXTS[code][LANGUAGES.index(lang)], (), fields)


def without_key(code: Code, fields: Mapping[str, Any]) -> str:
    """The English text of a rule set's error without the key it starts with."""
    template = TEXTS[code][0].removeprefix("{key}").removeprefix(":").lstrip()
    return _FILLERS["en"].vformat(template, (), fields)


def at_character(reason: str, text: Any, position: int, lang: str) -> str:
    """A reason, and under it a caret at the character that it is about."""
    from unicodedata import east_asian_width

    place = f"（第 {position + 1} 个字符）" if lang == "zh" else f" (at character {position + 1})"
    given = visible(str(text))
    start = max(0, position - 40)
    before = ("…" if start else "") + given[start:position]
    after = given[position : position + 40]
    after += "…" if position + 40 < len(given) else ""
    # a wide character (万) takes two columns of a terminal, so does its space
    lead = "".join("  " if east_asian_width(c) in "WF" else " " for c in before)
    return f"{reason}{place}\n  {before}{after}\n  {lead}^"
