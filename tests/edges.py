"""Every kernel over hands of odd kinds: prints what they answer, as one number.

``.ci/run`` runs it with bounds checked and for any processor, too: the answers of all
three are to be the same.
"""

import zlib

import numpy as np

import evaluator as ev
from evaluator.dealing import FAMILIES

ROWS = 200


def checksum(values, so_far: int) -> int:
    return zlib.crc32(np.ascontiguousarray(values).tobytes(), so_far)


def shapes(rules: str, kinds: int, found: int) -> int:
    for family in FAMILIES:
        if family == "half_flush" and kinds == 27:
            continue
        for tiles in (1, 2, 4, 11, 13, 14):
            hands = ev.deal(ROWS, tiles, kinds, 5, family)
            for wilds in (0, 1, 8) if tiles < 6 else (0,):
                if (tiles + wilds) % 3 == 0:
                    continue
                options = {"wilds": wilds, "void": "each" if kinds == 27 else None}
                found = checksum(ev.shanten(hands, rules, **options), found)
                found = checksum(ev.is_win(hands, rules, **options), found)
                if (tiles + wilds) % 3 == 1:
                    found = checksum(ev.waits(hands, rules, **options).mask, found)
                else:
                    found = checksum(ev.discards(hands, rules, **options).left, found)
                if rules != "riichi":
                    found = checksum(ev.pattern_shanten(hands, rules, **options), found)
    return found


def values(rules: str, found: int) -> int:
    kinds = ev.rules(rules).kinds
    for family in ("near_win", "pungs", "quads", "terminals"):
        for wilds in (0, 1, 4) if ev.rules(rules).wilds.count else (0,):
            full = np.zeros((ROWS, 34), np.uint8)
            full[:, :kinds] = ev.deal(ROWS, 14 if wilds < 4 else 10, kinds, 5, family)
            if wilds == 1:
                full[np.arange(ROWS), full.argmax(axis=1)] -= 1
            last = full.argmax(axis=1).astype(np.uint8)
            held = np.full(ROWS, wilds, np.uint8)
            hands = ev.Hands(concealed=full, win_tile=last, wilds=held)
            scores = ev.score(hands, rules, errors="mark")
            found = checksum(scores.total if hasattr(scores, "total") else scores.fan, found)
            full[np.arange(ROWS), last] -= 1
            waiting = ev.Hands(concealed=full, wilds=held)
            worth = ev.wait_scores(waiting, rules, errors="mark")
            found = checksum(worth.discard, checksum(worth.left, found))
    return found


if __name__ == "__main__":
    total = 0
    for name in ("riichi", "guobiao", "yibin"):
        total = shapes(name, ev.rules(name).kinds, total)
    for name in ("guobiao", "qq_sichuan", "yibin", "dandong"):
        total = values(name, total)
    for hand in ("111222333m11p", "19m19p19s12345677z", "147m258p369sEEE99m"):
        total = checksum(ev.shanten(ev.parse(hand)), total)
        total = checksum(len(ev.decompose(ev.parse(hand))), total)
        if sum(ev.parse(hand)) == 14:
            total = checksum(ev.score(ev.Hand.parse(hand), errors="mark").total, total)
    print(total)
