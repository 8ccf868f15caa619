"""``python -m evaluator`` is ``mahjong-eval``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
