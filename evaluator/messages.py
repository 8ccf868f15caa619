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
    Code.FORKED_WHILE_COMPILING: (
        "this process was forked while another thread compiled, so it cannot compile: "
        "call evaluator.warmup() before the fork, or start processes by spawn or forkserver",
        "本进程在另一线程编译时分叉，无法再编译：请在分叉前调用 evaluator.warmup()，"
        "或以 spawn、forkserver 启动进程",
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
    Code.NOT_A_HAND_TEXT: (
        "a hand is read from a str or a list of tiles, not from {dtype}",
        "手牌须为文字或牌的列表，不能是 {dtype}",
    ),
    Code.BYTES_FOR_TEXT: (
        "a hand is read from a str, not from {dtype}: decode it first",
        "手牌须为文字，不能是 {dtype}：请先解码",
    ),
    Code.MELDS_NEED_HAND: (
        "this text has melds: read it with Hand.parse",
        "文字里有副露：请用 Hand.parse 读取",
    ),
    Code.SECTIONS_NEED_HAND: (
        "this text has more than tiles: read it with Hand.parse",
        "文字里不只有牌：请用 Hand.parse 读取",
    ),
    Code.FLOWERS_NEED_HAND: (
        "{letter} is a flower: only Hand.parse reads flowers, outside of melds",
        "{letter} 是花牌：只有 Hand.parse 能读，且不能在副露里",
    ),
    Code.NO_TILES: (
        "the text has no tiles",
        "文字里没有牌",
    ),
    Code.NO_DIGITS_BEFORE: (
        "no digits before {suit}",
        "{suit} 前面没有数字",
    ),
    Code.NO_DIGITS_BESIDE: (
        "no digits before or after {suit}",
        "{suit} 前后都没有数字",
    ),
    Code.NO_SUIT: (
        "no suit for {digits}: write one of {choices}",
        "{digits} 没有花色：请写 {choices} 之一",
    ),
    Code.NUMBER_WITHOUT_LETTER: (
        "a number must follow its letter: W, B, T, F or J",
        "数字须写在字母 W、B、T、F 或 J 之后",
    ),
    Code.NO_CHINESE_RED_FIVE: (
        "no {name}: tiles are 1 to 9 (a red five is 0 in mpsz text only)",
        "没有 {name}：牌是 1 到 9（只有 mpsz 写法用 0 表示红五）",
    ),
    Code.NO_HONOUR_RED_FIVE: (
        "no 0z: 0 is a red five, and honours are 1z to 7z",
        "没有 0z：0 是红五，字牌是 1z 到 7z",
    ),
    Code.NO_SUCH_HONOUR: (
        "no {name}: honours are 1z to 7z",
        "没有 {name}：字牌是 1z 到 7z",
    ),
    Code.NUMBER_MUST_FOLLOW: (
        "a number 1 to {high} must follow {letter}",
        "{letter} 后面须有 1 到 {high} 的数字",
    ),
    Code.NO_SUCH_NAME: (
        "no {name}: there are {letter}1 to {letter}{high}",
        "没有 {name}：只有 {letter}1 到 {letter}{high}",
    ),
    Code.CLAIM_EXPECTED: (
        "a digit must say how the meld was claimed, as in [123m,1]",
        "逗号后须有一个数字，表示副露的来源，如 [123m,1]",
    ),
    Code.BAD_CHOW_CLAIM: (
        "no {digit} here: the digit of a chow is 1, 2 or 3, the tile of the chow that was claimed",
        "这里不能是 {digit}：顺子的数字是 1、2 或 3，表示吃进第几张",
    ),
    Code.BAD_PUNG_CLAIM: (
        "no {digit} here: the digit of a pung is 1, 2 or 3, the player that the pung was "
        "claimed from",
        "这里不能是 {digit}：刻子的数字是 1、2 或 3，表示碰自哪家",
    ),
    Code.BAD_KONG_CLAIM: (
        "no {digit} here: the digit of a kong is 1, 2 or 3, the player that the kong was "
        "claimed from, or 5, 6 or 7 where it was a pung before",
        "这里不能是 {digit}：杠的数字是 1、2 或 3，表示杠自哪家；加杠是 5、6 或 7",
    ),
    Code.MELD_ENDS_HERE: (
        "] must close the meld here",
        "副露到此须以 ] 结束",
    ),
    Code.BRACKET_NEVER_CLOSED: (
        "this bracket is never closed",
        "这个括号没有配对的 ]",
    ),
    Code.WILD_SET: (
        "no set: * can stand in a pung or a kong, beside a natural tile",
        "不成副露：* 只能用在刻子或杠里，且至少有一张真牌",
    ),
    Code.NOT_A_SET: (
        "no set: a meld is a chow, a pung or a kong",
        "不成副露：副露是顺子、刻子或杠",
    ),
    Code.SECTION_TOO_MANY: (
        "one section too many: a text is hand|EE0000|flowers|more",
        "多了一段：格式是 手牌|EE0000|花牌|其他",
    ),
    Code.PREVALENT_WIND_EXPECTED: (
        "the prevalent wind must stand here: E, S, W or N (as in EE0000)",
        "这里须为圈风：E、S、W 或 N（如 EE0000）",
    ),
    Code.SEAT_WIND_EXPECTED: (
        "the seat wind must stand here: E, S, W or N (as in EE0000)",
        "这里须为门风：E、S、W 或 N（如 EE0000）",
    ),
    Code.FLAG_EXPECTED: (
        "0 or 1 for {flag} must stand here (as in EE0000)",
        "这里须为 0 或 1，表示 {flag}（如 EE0000）",
    ),
    Code.FLAGS_TOO_LONG: (
        "this section has six characters, as in EE0000",
        "这一段只有六个字符，如 EE0000",
    ),
    Code.BAD_FLOWER_TEXT: (
        "flowers are a number 0 to 8, or letters a to h",
        "花牌须为 0 到 8 的数字，或字母 a 到 h",
    ),
    Code.FLOWER_TWICE: (
        "flower {letter} twice: there is one of each",
        "花牌 {letter} 出现两次：每种只有一张",
    ),
    Code.WORD_TWICE: (
        "{key} appears twice",
        "{key} 出现两次",
    ),
    Code.ONLY_WIN_NONE: (
        "only win=none can be written here: the winning tile is the last of the hand",
        "这里只能写 win=none：和牌张是手牌的最后一张",
    ),
    Code.UNKNOWN_WORD: (
        "{value} means nothing here: write wilds=, indicator=, win=none, {choices}",
        "{value} 在这里没有意义：可写 wilds=、indicator=、win=none、{choices}",
    ),
    Code.NOTHING_AFTER_COMMA: (
        "nothing follows this comma",
        "逗号后面没有内容",
    ),
    Code.NUMBER_TO_EIGHT: (
        "{key} are a number 0 to 8",
        "{key} 须为 0 到 8 的数字",
    ),
    Code.INDICATOR_ONE_TILE: (
        "the indicator is one tile, as in indicator=1m",
        "翻牌只有一张，如 indicator=1m",
    ),
    Code.NO_OPEN_BRACKET: (
        "no bracket is open here",
        "这里没有未闭合的括号",
    ),
    Code.COMMA_OUTSIDE: (
        "a comma stands in brackets only, as in [123m,1]",
        "逗号只能写在括号里，如 [123m,1]",
    ),
    Code.STAR_OUTSIDE: (
        "* is a wild tile of a meld; write those in hand after the bars: |EE0000|0|wilds=1",
        "* 是副露里的赖子；手里的写在竖线后：|EE0000|0|wilds=1",
    ),
    Code.UNKNOWN_CHARACTER: (
        "{value} means nothing in {notation} notation",
        "{value} 在 {notation} 写法中没有意义",
    ),
    Code.OTHER_NOTATION: (
        "{value} means nothing in {notation} notation, it is {choices}",
        "{value} 在 {notation} 写法中没有意义，它属于 {choices}",
    ),
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
    Code.NOT_A_SEAT: (
        "{key} must be a seat from 0 to 3, got {value}",
        "{key} 须为 0 到 3 的座位，现为 {value}",
    ),
    Code.NOT_ONE_PER_SEAT: (
        "{key} must be a list of four, one for each seat, got {value}",
        "{key} 须为四项的列表，每家一项，现为 {value}",
    ),
    Code.NOT_A_LIST: (
        "{key} must be a list, got {value}",
        "{key} 须为列表，现为 {value}",
    ),
    Code.SEAT_TWICE: (
        "{key} names a seat twice: {value}",
        "{key} 里有座位出现两次：{value}",
    ),
    Code.NOT_ONE_TILE: (
        "{key} must be one tile, by its name or index, got {value}",
        "{key} 须为一张牌的名称或编号，现为 {value}",
    ),
    Code.NOT_A_HAND: (
        "{key} must be a Hand or its text, got {value}",
        "{key} 须为 Hand 或手牌文字，现为 {value}",
    ),
    Code.BAD_VALUE: (
        "{key}: {error}",
        "{key} 有误：{error}",
    ),
    Code.BAD_JSON: (
        "the round is not valid JSON: {detail}",
        "这一局不是正确的 JSON：{detail}",
    ),
    Code.ROUND_NEEDS_SCORES: (
        "the rule set {rules} has no scores, so there is nothing to settle",
        "规则 {rules} 不能算番，无法结算",
    ),
    Code.NO_PIAO: (
        "piao: the rule set {rules} has no piao (飘)",
        "piao：规则 {rules} 没有飘",
    ),
    Code.SIZE_OF_SEAT: (
        "the hand of seat {seat} has {count:tile|tiles} and {melds:meld|melds}; it "
        "needs the 13 it has at the end (a kong counts as three), without the winning "
        "tile",
        "座位 {seat} 有 {count} 张手牌、{melds} 副副露；须为结束时的 13 张（杠算三张），不含和牌张",
    ),
    Code.FLAGS_OF_SEAT: (
        "the hand of seat {seat} has win flags; put them into the event of the win",
        "座位 {seat} 的手牌带有和牌标志；请写在和牌事件里",
    ),
    Code.HONOUR_OF_SEAT: (
        "seat {seat} holds {tile}, but {rules} is played without honours",
        "座位 {seat} 有{tile}，但 {rules} 不用字牌",
    ),
    Code.CHOW_OF_SEAT: (
        "seat {seat} has a chow meld, but {rules} does not allow chow melds",
        "座位 {seat} 吃过牌，但 {rules} 不可以吃牌",
    ),
    Code.WILDS_OF_SEAT: (
        "seat {seat} holds {count:wild tile|wild tiles}; {rules} has {most}",
        "座位 {seat} 有 {count} 张听用，{rules} 只有 {most} 张",
    ),
    Code.TURNED_TILES_DIFFER: (
        "the hands name different turned tiles (indicator)",
        "各家给出的翻开的牌（indicator）不同",
    ),
    Code.KONG_NOT_HELD: (
        "seat {seat} has no {kind} of {tile} among its melds",
        "座位 {seat} 的副露里没有{tile}的{kind}",
    ),
    Code.ROBBED_KONG_NOT_PUNG: (
        "seat {seat} has no pung of {tile} among its melds; a robbed kong leaves a pung",
        "座位 {seat} 的副露里没有{tile}的刻子；被抢的杠仍是刻子",
    ),
    Code.KONG_IS_PUNG: (
        "seat {seat} has a pung of {tile}, not a kong; a win that robs the kong needs "
        "the flag kong",
        "座位 {seat} 的{tile}是刻子，不是杠；抢杠的和牌须有标志 kong",
    ),
    Code.KONG_WITHOUT_EVENT: (
        "seat {seat} has a kong of {tile}, but no event reports it",
        "座位 {seat} 有{tile}的杠，但没有相应的事件",
    ),
    Code.WILDS_ON_TABLE: (
        "{count} wild tiles on the table; there are only {most}",
        "桌上有 {count} 张听用，一共只有 {most} 张",
    ),
    Code.COPIES_ON_TABLE: (
        "{count} copies of {tile} on the table; there are only {most}",
        "桌上有 {count} 张{tile}，一共只有 {most} 张",
    ),
    Code.COPIES_OF_WILD: (
        "{count} copies of {tile} on the table, wild or not; there are only {most}",
        "桌上连听用在内有 {count} 张{tile}，一共只有 {most} 张",
    ),
    Code.COPIES_OF_TURNED: (
        "{count} copies of {tile} on the table without the turned one; there are only {most}",
        "桌上除翻开的一张外有 {count} 张{tile}，一共只有 {most} 张",
    ),
    Code.TILE_OF_ITS_OWN: (
        "seat {seat} cannot give itself the tile; from must be another seat",
        "座位 {seat} 不能给自己牌；from 须为另一家",
    ),
    Code.KONG_NEEDS_FROM: (
        "a direct kong needs from, the seat that fed it",
        "直杠须写 from（引杠者）",
    ),
    Code.KONG_WITHOUT_FEEDER: (
        "nobody feeds a kong of the kind {value}; leave out from",
        "{value} 没有引杠者；请去掉 from",
    ),
    Code.FRESH_OF_ADDED: (
        "fresh belongs to added kongs only, this kong is {value}",
        "fresh 只用于补杠（added），这个杠是 {value}",
    ),
    Code.WIN_WITHOUT_TILE: (
        "a win needs the tile, or the hand with it",
        "和牌须写 tile（和牌张），或写 hand（含和牌张）",
    ),
    Code.TILES_DIFFER: (
        "tile and the winning tile of hand differ",
        "tile 与 hand 的和牌张不同",
    ),
    Code.DRAWN_FROM_SEAT: (
        "self_drawn, but the tile is from seat {seat}",
        "标明自摸（self_drawn），但牌是座位 {seat} 打出的",
    ),
    Code.WILD_NOT_DRAWN: (
        "a wild tile wins only when it is drawn",
        "听用只有自己摸到才能和",
    ),
    Code.NOT_BY_DEALER: (
        "heavenly (天胡), but the dealer is seat {seat}",
        "天胡（heavenly），但庄家是座位 {seat}",
    ),
    Code.BY_DEALER: (
        "earthly (地胡), but the dealer is seat {seat}",
        "地胡（earthly），但庄家是座位 {seat}",
    ),
    Code.NOT_FIRST_DISCARD: (
        "earthly (地胡) on a discard is won on the first discard, but the dealer is seat {seat}",
        "点炮的地胡（earthly）须和第一张打出的牌，但庄家是座位 {seat}",
    ),
    Code.NOT_FIRST_TURN: (
        "{flag}, but something happened before",
        "{flag}，但之前已有事件",
    ),
    Code.WIN_OF_SEAT: (
        "the win of seat {seat}: {error}",
        "座位 {seat} 和牌：{error}",
    ),
    Code.HAND_OF_ANOTHER: (
        "hand is not the hand of seat {seat} with the winning tile",
        "hand 不是座位 {seat} 的手牌加和牌张",
    ),
    Code.SEPARATE_WHEN_DRAWN: (
        "separate belongs to wins on a discard only",
        "separate 只用于点炮的和牌",
    ),
    Code.FLAG_NOT_SHARED: (
        "the same discard with {flag} and without; all winners of a tile share it "
        '(mark a later discard of the same tile as "separate")',
        "同一张打出的牌，有的带 {flag}，有的不带；和同一张牌的各家须一致"
        '（后来打出的同种牌请标 "separate"）',
    ),
    Code.ENDED_BY_WINS: (
        "the hand has ended: enough have won",
        "这一盘已经结束：和牌人数已够",
    ),
    Code.ENDED_BY_DRAW: (
        "the hand has ended: it was a draw",
        "这一盘已经结束：流局",
    ),
    Code.ENDED_BY_LEAVING: (
        "the hand has ended: somebody left",
        "这一盘已经结束：有人离开",
    ),
    Code.AFTER_LAST_TILE: (
        "the win before took the last tile of the wall (wall_last); only wins with the "
        "same tile may follow, then the draw",
        "上一次和的是最后一张牌（wall_last）；之后只能有和同一张牌的人，然后流局",
    ),
    Code.HAS_WON: (
        "seat {seat} has won before and plays no more",
        "座位 {seat} 已经和牌，不再行牌",
    ),
    Code.HAS_LEFT: (
        "seat {seat} has left before",
        "座位 {seat} 已经离开",
    ),
    Code.WINS_TWICE: (
        "seat {seat} wins twice with one tile",
        "座位 {seat} 用一张牌和了两次",
    ),
    Code.ONE_WINNER: (
        "{rules} has one winner on a discard: seat {seat}, the next after the discarder",
        "{rules} 一炮只能一家和：打牌者之后最先的座位 {seat}",
    ),
    Code.NOT_AFTER_KONG: (
        "{flag}, but the event before is not a kong by seat {seat}",
        "{flag}，但之前的事件不是座位 {seat} 的杠",
    ),
    Code.NOT_AFTER_ADDED_KONG: (
        "{flag}, but the event before is not an added kong of the tile by seat {seat}",
        "{flag}，但之前的事件不是座位 {seat} 用这张牌补杠",
    ),
    Code.FAN_DIFFERS: (
        "the win of seat {seat} is {fan} fan, not {value}",
        "座位 {seat} 和的是 {fan} 番，不是 {value} 番",
    ),
    Code.NOT_A_SCORE: (
        "{value} is not a score under {rules}",
        "{value} 不是 {rules} 的算番结果",
    ),
    Code.NO_SCORE: (
        "the hand has no score: {name}",
        "这手牌不能算番：{name}",
    ),
    Code.SCORE_OF_OTHER_RULES: (
        "{value} was scored under another rule set than {rules}",
        "{value} 不是按 {rules} 算的",
    ),
    Code.BELOW_MINIMUM: (
        "{fan} fan, below the minimum of {least} (flowers apart)",
        "只有 {fan} 番，不到起和的 {least} 番（花牌不算）",
    ),
    Code.SCORES_AND_WINNERS: (
        "{count} scores for {winners:winner|winners}",
        "有 {count} 个算番结果，但和牌者有 {winners} 家",
    ),
    Code.WINNERS_WITHOUT_DISCARDER: (
        "several winners need a discarder; only one seat wins by self-draw",
        "几家同时和牌须有打牌者；自摸只有一家",
    ),
    Code.ALREADY_OUT: (
        "the winners and the discarder must be different seats that have not won before",
        "和牌者和打牌者须为不同的座位，且此前都没有和牌",
    ),
    Code.DISCARDER_WINS: (
        "seat {seat} cannot win with its own discard",
        "座位 {seat} 不能和自己打出的牌",
    ),
    Code.NOT_WAITING: (
        "this hand has {count:tile|tiles}, so it does not wait for a tile; it needs 1, "
        "4, 7, 10 or 13",
        "这手牌有 {count} 张，不在等牌；须为 1、4、7、10 或 13 张",
    ),
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
        "hand_one_only_pungs": "with four melds, every set a pung (飘胡才能手把一)",
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
