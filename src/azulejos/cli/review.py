"""Finished games: what each turn lost, what was luck, and how strong somebody plays.

    azulejos review game.txt
    azulejos review games.jsonl --number 3 --json
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, TextIO

import click
import msgspec

from azulejos.cli.common import (
    complaints, console, cores_option, json_option, progress, records_of, results_table, say, speak,
    takes_record,
)
from azulejos.core.game import MAX_SEATS, Seat
from azulejos.core.message import Problem, msg
from azulejos.core.record import Record
from azulejos.insight import headlines, report
from azulejos.insight.headlines import TurnTold, told_turns
from azulejos.insight.level import estimate, losses, told
from azulejos.insight.report import deal_story
from azulejos.insight.results import JudgedTurn, Review
from azulejos.insight.review import review as judged, reviews
from azulejos.insight.words import sentences

if TYPE_CHECKING:
    from rich.console import Console


@click.command(short_help="Review a finished game: mistakes, luck, and where the result came from.")
@cores_option(2)
@click.option("--all", "show_all", is_flag=True, help="Show every turn, not only those that mattered.")
@click.option("--language", metavar="CODE", help="Language of the review: pl, cs, et or zh_Hant.")
@json_option
@takes_record
@click.pass_context
def review(
    context: click.Context, record: Record, cores: int, show_all: bool, language: str | None, as_json: bool
) -> None:
    """Review the finished game in RECORD: what each turn lost and why, what was luck, and how sure that
    is."""
    if language:
        speak(context, language)
    with complaints(), progress() as bar:
        findings = reviews(record, cores=cores)  # says first what is wrong with a record
        task = bar.add_task("")
        for found in findings:
            bar.update(task, completed=found.judged, total=found.stretches,
                       description=say(report.progress_line(found)))
    if as_json:
        json.dump(report.as_json(found), sys.stdout, indent=1)
        click.echo()
    else:
        _print(console(), found, show_all)


def _print(out: Console, found: Review, show_all: bool) -> None:
    for seat, player in enumerate(found.record.seats):
        out.print(player.name, style="bold", markup=False)
        shown = results_table("", say(msg("points")), "90 %", words=("",))
        for what, points, sure in report.ledger_lines(found, seat):
            shown.add_row(say(what), say(points), say(sure))
        out.print(shown)
        for deal in found.deals:
            if deal_story(found, deal, seat):
                out.print(say(report.deal_line(found, deal, seat)), markup=False)
        story = headlines.told(found, headlines.recap(found, Seat(seat)))
        out.print(" ".join(say(sentence) for sentence in story), markup=False)
        turns = told_turns(found, seat)
        for turn in found.mattered(seat):
            _print_turn(out, found, turn, turns[turn.ply])
        nothing = report.nothing_found(found, seat)
        if nothing is not None:
            out.print(say(nothing), markup=False)
        helped = report.helped_line(found, seat)
        if helped is not None:
            out.print(say(helped), markup=False)
        out.print()
    if show_all:
        every = {ply: each for seat in range(len(found.record.seats))
                 for ply, each in told_turns(found, seat).items()}
        for turn in found.turns:
            _print_turn(out, found, turn, every.get(turn.ply))


def _print_turn(out: Console, found: Review, turn: JudgedTurn, told: TurnTold | None) -> None:
    out.print(say(report.turn_line(found, turn)), markup=False)
    for sentence in told.headline if told else ():
        out.print("  " + say(sentence), markup=False, style="bold")
    for sentence in sentences(found, turn):
        out.print("  " + say(sentence), markup=False)


# --- level --------------------------------------------------------------------------------------------
#     azulejos level monday.txt tuesday.txt --seat 1
#     azulejos level games.jsonl --seat 2 --json


@click.command(short_help="Estimate how strong somebody plays, from finished games.")
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
                games.append(losses(judged(record, cores=cores), seat - 1))
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
