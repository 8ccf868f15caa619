"""What complete hands are worth, and what a hand that waits would be worth."""

from .door import parts_of, ready_max_fan, score, wait_scores
from .results import NO_SCORE, Part, Score, Scores, Wait, WaitScores

__all__ = [
    "NO_SCORE",
    "Part",
    "Score",
    "Scores",
    "Wait",
    "WaitScores",
    "parts_of",
    "ready_max_fan",
    "score",
    "wait_scores",
]
