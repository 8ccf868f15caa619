"""A histogram as a picture."""

from __future__ import annotations

import io
from typing import Literal

from ..engine.optional import need
from .histograms import QUANTITIES, Histogram

Picture = Literal["png", "svg"]
PICTURES: tuple[Picture, ...] = ("png", "svg")

SIZE = (8.0, 4.5)
DOTS = 150
"""Inches, and dots of an inch."""
TICKS = 25
"""Most values that each get a number on the axis."""


def picture(histogram: Histogram, form: Picture = "png") -> bytes:
    """Draw shares as bars, and the exact ones as points on them.

    Parameters
    ----------
    histogram : Histogram
    form : {"png", "svg"}

    Returns
    -------
    bytes
        The same for the same histogram.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.

    Examples
    --------
    >>> picture(Histogram("shanten", "ten hands", "riichi", {2: 4, 3: 6}))[1:4]
    b'PNG'
    """
    need("matplotlib", "plot")
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    # no time and no chance inside a picture
    with rc_context({"svg.hashsalt": "mahjong-evaluator"}):
        figure = Figure(figsize=SIZE, dpi=DOTS, layout="constrained")
        axes = figure.add_subplot()
        values = histogram.values
        axes.bar(values, [histogram.share(value) for value in values], label="counted")
        if histogram.exact is not None:
            exact = [histogram.exact_share(value) for value in values]
            axes.plot(values, exact, "o", color="black", markersize=5, label="exact, all deals")
            axes.legend()
        axes.set_title(f"{histogram.of}\n{histogram.rules}", fontsize="medium")
        axes.set_xlabel(QUANTITIES[histogram.quantity])
        axes.set_ylabel("share of hands")
        if 0 < len(values) <= TICKS:
            axes.set_xticks(values)
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
        out = io.BytesIO()
        figure.savefig(out, format=form, metadata={"Date": None} if form == "svg" else None)
    return out.getvalue()
