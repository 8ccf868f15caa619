"""``python -m tests.fuzz``: every check at length, on one core."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # where the references lie

from .checks import ARRAY_CHECKS, CHECKS, TEXT_CHECKS
from .common import Missing


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="array rows in all")
    parser.add_argument("--texts", type=int, default=100_000, help="texts in all")
    parser.add_argument("--chunk", type=int, default=20_000, help="rows of one part")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", nargs="*", choices=CHECKS, help="these checks")
    parser.add_argument("--part", type=int, help="this part alone, as a failure names it")
    parser.add_argument("--most", type=int, default=5, help="failures of a check to go on after")
    asked = parser.parse_args()
    wanted = {name: share * asked.rows for name, (_, share) in ARRAY_CHECKS.items()}
    wanted |= {name: share * asked.texts for name, (_, share) in TEXT_CHECKS.items()}
    total = failures = 0
    for name, rows in wanted.items():
        if asked.only and name not in asked.only:
            continue
        began, done, failed, part = time.perf_counter(), 0, 0, asked.part or 0
        while done < rows and failed < asked.most:
            try:
                done += CHECKS[name](f"{asked.seed} {name} {part}", asked.chunk)
            except Missing as error:
                print(f"{name}: {error} is not installed", flush=True)
                break
            except Exception as error:  # an exception that is no answer is one, too
                failed += 1
                print(
                    f"FAILED {name}: {type(error).__name__}: {error}\n  again: python -m tests.fuzz"
                    f" --seed {asked.seed} --only {name} --part {part} --chunk {asked.chunk}",
                    flush=True,
                )
            if asked.part is not None:
                break
            part += 1
        seconds = time.perf_counter() - began
        print(f"{name:16} {done:>10,} rows, {failed} failures, {seconds:.0f} s", flush=True)
        total, failures = total + done, failures + failed
    print(f"{total:,} rows, {failures} failures, seed {asked.seed}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
