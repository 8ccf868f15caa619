"""Where a job's answers go: a file, or a folder of parts made here or by a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from ..engine.ordered import in_order
from ..engine.parallel import cores
from ..hands.arrow.fields import no_rows
from .jobs import Done, Job
from .outcomes import BadRow, BadRowError, Summary
from .parquetoutput import Folder, ParquetSink, hold
from .pieces import Piece, refuse_same
from .streams import Sink
from .textrows import Format, header, rows_as_text

if TYPE_CHECKING:
    import pyarrow as pa

ROOM = 3 << 23
"""Bytes of results that may wait for those before them."""


def write_file(
    job: Job,
    sink: str | os.PathLike[str],
    form: Format | None,
    threads: int,
    force: bool = False,
    **follow: Any,
) -> Summary:
    """Write the answers to one file."""
    refuse_same(job.input.paths, sink)
    rules = job.question.rules
    out: Sink | ParquetSink = (
        ParquetSink(sink, job.schema, force=force) if form is None else Sink(sink, force=force)
    )

    def prepare(batch: pa.RecordBatch) -> Any:
        return batch if form is None else rows_as_text(batch, form, rules)

    with out:
        if form is not None:
            out.write(header(job.schema, form, rules))
        done = in_order(
            lambda piece: job.do(piece, prepare), job.runs(), threads, size=_size, room=ROOM
        )
        return take(done, out.write, job.input.paths[0], **follow)[0]


def _size(done: Done) -> int:
    return int(done.batch.nbytes)


def write_folder(
    job: Job,
    sink: str | os.PathLike[str],
    threads: int | None = None,
    force: bool = False,
    resume: bool = False,
    dask: str | None = None,
    strict: bool = False,
    **follow: Any,
) -> Summary:
    """Write the answers to a folder of parts, one for each piece."""
    from .cluster import connect, parts

    refuse_same(job.input.paths, sink)
    with hold(sink), ExitStack() as stack:
        # nothing that was there is replaced before there is a cluster
        client = None if dask is None else stack.enter_context(connect(dask, threads))
        folder = Folder(sink, job.schema, force=force, resume=resume, job=job.fingerprint)

        def work(piece: Piece) -> Done:
            return job.do_part(folder, piece, resume, strict)

        if client is None:
            done = in_order(work, job.runs(), threads or cores())
        else:
            done = parts(client, job, folder, resume, strict)
        summary, pieces = take(done, None, job.input.paths[0], strict=strict, **follow)
        if not pieces:
            # a folder without rows still says what its columns are
            folder.write_part(0, [no_rows(job.schema)])
        folder.complete(max(pieces, 1))
    return summary


def take(
    done: Generator[Done],
    write: Callable[[Any], None] | None,
    name: str,
    *,
    strict: bool = False,
    report: Callable[[BadRow], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Summary, int]:
    """Take results as they come."""
    rows = bad = weight = pieces = 0
    with closing(done) as results:
        for result in results:
            bad += result.bad
            if strict and result.first:
                first = result.first[0]
                raise BadRowError(first.name or name, first.line, first.error, first.unit)
            if write is not None:
                write(result.batch)
            rows += result.rows
            weight += result.piece.weight
            pieces += 1
            if report is not None:
                for row in result.first:
                    report(row)
            if progress is not None:
                progress(weight, rows)
    return Summary(rows, bad), pieces
