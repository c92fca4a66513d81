"""Plots for notebooks and papers; they need Matplotlib: pip install 'azulejos[plot]'.

    azulejos.plot.margins("games.npz")               # how the difference of points grows, round by round
    azulejos.plot.ratings(match, results)            # bots with their intervals
    azulejos.plot.course(azulejos.insight.review(record))
    azulejos.plot.curve("training.json")

Each draws on the axes that it is given, or on new ones, and returns them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from azulejos.core.extras import explained
from azulejos.core.layout import Cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from azulejos.arena.match import Match, Result
    from azulejos.insight.results import Review


def margins(games: Path | str | Mapping[str, Cells], *, ax: Axes | None = None) -> Axes:
    """Points ahead of the best other seat, of the winner, at the end of every round: median, half of all
    games, nine tenths. `games` is a file of `azulejos dataset`, or its columns.
    """
    ax = _axes(ax)
    ahead = margins_by_round(games)
    rounds = sorted(ahead)
    shares = {share: [np.quantile(ahead[number], share) for number in rounds] for share in QUANTILES}
    ax.fill_between(rounds, shares[0.05], shares[0.95], alpha=0.15, color="C0", label="90 % of games")
    ax.fill_between(rounds, shares[0.25], shares[0.75], alpha=0.3, color="C0", label="half of all games")
    ax.plot(rounds, shares[0.5], color="C0", label="median")
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.set(xlabel="round", ylabel="winner's points ahead", xticks=rounds)
    ax.legend()
    return ax


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def margins_by_round(games: Path | str | Mapping[str, Cells]) -> dict[int, Cells]:
    """[round]: points of each game's winner ahead of the best other seat when the round had ended."""
    columns = _columns(games) if isinstance(games, Path | str) else games
    game, number = np.asarray(columns["game"]), np.asarray(columns["round"])
    last = np.append((game[1:] != game[:-1]) | (number[1:] != number[:-1]), True)
    first = np.append(True, game[1:] != game[:-1])
    final = np.stack([*np.asarray(columns["final_scores"])])
    before = np.stack([*np.asarray(columns["scores"])])
    after = np.concatenate([before[1:], final[-1:]])  # a row's scores are those before its action
    ends = np.append(first[1:], True)
    after[ends] = final[ends]
    winner = final.argmax(axis=1)
    rows = np.arange(len(game))
    own = after[rows, winner]
    others = after.copy()
    others[rows, winner] = np.iinfo(np.int16).min
    ahead = own - others.max(axis=1)
    return {int(each): ahead[last & (number == each)] for each in np.unique(number)}


def ratings(match: Match, results: Sequence[Result], *, ax: Axes | None = None) -> Axes:
    """The share of wins of every bot of a match with its 95 % interval; the dashed line is a fair share."""
    from azulejos.arena.statistics import table

    ax = _axes(ax)
    lines = table(match, results)
    wins = 100 * np.array([[line.wins.low, line.wins.middle, line.wins.high] for line in lines])
    reach = np.abs(np.diff(wins, axis=1)).T
    ax.errorbar(wins[:, 1], range(len(lines)), xerr=reach, fmt="o", capsize=4)
    ax.axvline(100 / len(match.bots), color="0.6", linestyle="--", linewidth=0.8)
    ax.set(xlabel=f"wins in {len(results)} games of {match.game}, %", xlim=(0, 100),
           yticks=range(len(lines)), yticklabels=[line.word for line in lines])
    ax.invert_yaxis()
    return ax


def course(review: Review, *, seat: int = 0, ax: Axes | None = None) -> Axes:
    """What a seat could expect at every moment of a reviewed game: its margin, with how sure that is."""
    ax = _axes(ax)
    plies = [moment.ply for moment in review.moments]
    margin = [moment.margin[seat] for moment in review.moments]
    ax.fill_between(plies, [each.low for each in margin], [each.high for each in margin], alpha=0.25)
    name = review.record.seats[seat].name or f"seat {seat + 1}"
    ax.plot(plies, [each.value for each in margin], label=name)
    for turn in review.mattered():
        ax.axvline(turn.ply, color="C3" if turn.seat == seat else "C2", linewidth=0.8)
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.set(xlabel="ply (lines: the turns that mattered)", ylabel="expected margin")
    ax.legend()
    return ax


def curve(
    told: Path | str | Sequence[Mapping[str, float]], *, against: str = "seconds", ax: Axes | None = None
) -> Axes:
    """A curve of training: `wins` with its `error`, over `seconds`, `steps` or `games` (a list, or a file
    of JSON, as examples/selfplay_ppo.py writes it)."""
    ax = _axes(ax)
    points = json.loads(Path(told).read_text("utf-8")) if isinstance(told, Path | str) else told
    over = [point[against] for point in points]
    wins = np.array([100 * point["wins"] for point in points])
    error = np.array([100 * point["error"] for point in points])
    ax.fill_between(over, wins - error, wins + error, alpha=0.25)
    ax.plot(over, wins)
    ax.axhline(50, color="0.6", linestyle="--", linewidth=0.8)
    ax.set(xlabel=against, ylabel="wins, %", ylim=(0, 100))
    return ax


def _columns(path: Path | str) -> dict[str, Cells]:
    wanted = ("game", "round", "scores", "final_scores")
    if str(path).endswith(".npz"):
        with np.load(path) as data:
            return {name: data[name] for name in wanted}
    from azulejos.arena.dataset import read_parquet

    return read_parquet(Path(path), wanted)


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError as error:
        raise explained(error) from error
    return plt.subplots(layout="constrained")[1]
