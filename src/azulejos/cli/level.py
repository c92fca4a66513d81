"""Estimate how strong somebody plays, from finished games.

    azulejos level monday.txt tuesday.txt --seat 1
    azulejos level games.jsonl --seat 2 --json
"""

from __future__ import annotations

import json
import sys
from typing import TextIO

import click
import msgspec

from azulejos.cli.common import complaints, console, cores_option, json_option, progress, say
from azulejos.cli.inputs import records_of
from azulejos.core.game import MAX_SEATS
from azulejos.core.message import Problem, msg
from azulejos.core.record import Record
from azulejos.insight.level import GameLosses, estimate, losses, told
from azulejos.insight.review import review


@click.command()
@click.argument("files", metavar="RECORD...", nargs=-1, required=True,
                type=click.File("r", encoding="utf-8"))
@click.option("--seat", required=True, type=click.IntRange(1, MAX_SEATS),
              help="The seat of the person, counted from 1.")
@cores_option(2)
@json_option
def level(files: tuple[TextIO, ...], seat: int, cores: int, as_json: bool) -> None:
    """Estimate the level of the person at a seat from all finished games in the RECORDs: what they gave
    away a turn, compared with what bots of the seven levels would have given away in the same positions."""
    records = [record for file in files for record in records_of(file)]
    with complaints():
        _check(records, seat)
        with progress() as bar:
            task = bar.add_task("", total=len(records))
            games = []
            for record in records:
                games.append(_judged(record, seat - 1, cores))
                bar.advance(task)
    found = estimate(games)
    if as_json:
        json.dump(msgspec.to_builtins({"estimate": found, "games": games}), sys.stdout, indent=1)
        click.echo()
    else:
        console().print(say(told(found)), markup=False)


def _check(records: list[Record], seat: int) -> None:
    for record in records:
        if seat > len(record.seats):
            raise Problem(msg("There is no seat {seat} in a game with {n} seats.",
                              seat=seat, n=len(record.seats)))


def _judged(record: Record, seat: int, cores: int) -> GameLosses:
    return losses(review(record, cores=cores), seat)
