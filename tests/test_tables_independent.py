"""Every entry of the tables, against distances that were found by another road."""

from itertools import product

import numpy as np
import pytest
import reference

from evaluator.engine import tables

GROUPS = [(9, 0, 405_350, 126), (7, tables.HONOURS, 43_130, 55)]


@pytest.fixture(scope="module")
def shape():
    return tables.load("shape.npz")


@pytest.fixture(scope="module", params=GROUPS, ids=["suits", "honours"])
def group(request):
    """Vectors of one group: first code, kinds, which are real, their ten distances."""
    kinds, first, *expected = request.param
    return kinds, first, reference.totals(kinds), reference.all_distances(kinds), expected


def beside(left, right):
    """Distances of each of ``left`` beside each of ``right``: the best split."""
    best = np.full((len(left), len(right), 5, 2), 99, np.uint8)
    for m, p, k, q in product(range(5), range(2), range(5), range(2)):
        if k <= m and q <= p:
            split = left[:, None, k, q] + right[None, :, m - k, p - q]
            best[:, :, m, p] = np.minimum(best[:, :, m, p], split)
    return best


def test_class_of_every_vector(group, shape):
    kinds, first, totals, distances, (vectors, classes) = group
    real = totals <= 14
    assert real.sum() == vectors
    numbers = shape["suit_class"][first : first + 5**kinds]
    assert len(np.unique(numbers[real])) == classes
    assert np.array_equal(shape["distance"][numbers[real]], distances[real])


def test_classes_and_their_merges(shape):
    distance = shape["distance"]
    assert distance.shape == (180, 5, 2)
    assert len(np.unique(distance.reshape(180, 10), axis=0)) == 180
    assert np.array_equal(distance[shape["merge"]], beside(distance, distance))
    # no class is there for nothing: each is the merge of the classes of vectors
    found = np.unique(shape["suit_class"])
    while len(grown := np.unique(shape["merge"][np.ix_(found, found)])) > len(found):
        found = grown
    assert len(found) == 180


def test_arena_is_laid_out_from_the_tables(shape):
    arena = tables.shape()
    classes = np.arange(180)
    assert np.array_equal(arena[: tables.CODES], shape["suit_class"])
    pairs = 256 * classes[:, None] + classes
    assert np.array_equal(arena[tables.MERGE + pairs], shape["merge"])
    for sets in range(5):
        final = arena[tables.FINAL + 65536 * sets + pairs].view(np.int8)
        distance = beside(shape["distance"], shape["distance"])[:, :, sets, 1]
        assert np.array_equal(final, distance.astype(np.int8) - 1)


def test_accepted_tiles_of_every_vector(group, shape):
    """Beside every class of the rest: a tile is accepted iff the whole comes nearer.

    From the distances of the vector and of the vector with the tile, not from what
    the builder calls optimal splits.
    """
    kinds, first, totals, distances, _ = group
    accept = tables.load("accept.npz")
    rest = shape["distance"]
    profiles, number = np.unique(distances.reshape(-1, 10), axis=0, return_inverse=True)
    best = beside(profiles.reshape(-1, 5, 2), rest)[..., 1].transpose(2, 0, 1)

    codes = np.flatnonzero(totals <= 13)
    place = 5 ** np.arange(kinds - 1, -1, -1)
    room = codes[:, None] // place % 5 < 4
    drawn = np.where(room, number[np.minimum(codes[:, None] + place, 5**kinds - 1)], -1)
    row = accept["row"][first + codes].astype(np.int64)
    # vectors that agree in all of this agree in every answer
    cases = np.unique(np.column_stack([number[codes], row, drawn]), axis=0)
    now, row, drawn = cases[:, 0], cases[:, 1], cases[:, 2:]
    class_of = np.zeros(len(profiles), int)
    class_of[number[totals <= 14]] = shape["suit_class"][first : first + 5**kinds][totals <= 14]
    for sets in range(5):
        expected = np.zeros((len(cases), len(rest)), np.uint16)
        for tile in range(kinds):
            nearer = best[sets][drawn[:, tile]] < best[sets][now]
            expected |= np.where((drawn[:, tile] >= 0)[:, None] & nearer, 1 << tile, 0).astype(
                np.uint16
            )
        column = accept["column"][sets][class_of[now]]
        assert np.array_equal(accept["mask"][row[:, None] + column], expected), sets
