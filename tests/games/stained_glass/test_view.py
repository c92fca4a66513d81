"""The table as a scene: clicks, previews and flights."""

from __future__ import annotations

import random
from collections import Counter

import azulejos
from azulejos import Position
from azulejos.core.scene import Choice, Flight, Scene, flights
from azulejos.games.stained_glass.moves import Take
from azulejos.games.stained_glass.preview import chain_points, glass_loss
from azulejos.games.stained_glass.view import VIEW, scene
from azulejos.parts.offer import tiles_at
from games.stained_glass.table import Board, position

NAMES = ("Ana", "Bruno", "Cleo", "Dora")


def scene_of(game: Position) -> Scene:
    return scene(game, names=NAMES[: game.players])


def choices(game: Position) -> dict[str, Choice]:
    """One choice for each legal move, by its text."""
    return {game.game.moves.text(choice.action): choice for choice in scene_of(game).choices}


def said(game: Position, text: str) -> str:
    return str(game.preview(text))


def flown(game: Position, move: str) -> set[Flight]:
    before = scene_of(game)
    game.play(move)
    return set(flights(before, scene_of(game)))


# --- clicks ----------------------------------------------------------------------------------------------


def test_the_clicks_of_each_kind_of_move() -> None:
    board = Board(strips=("1f", *Board().strips[1:]), glazier=7)
    found = choices(position(board, centre="b", factories=("ooyy",)))
    assert found["1y8"].path == ("F1.yellow", "seat1.strip8")
    assert found["0b8"].path == ("C.blue", "seat1.strip8")
    assert found["1ox"].path == ("F1.orange", "seat1.broken")
    assert found["g"].path == ("seat1.glazier7", "seat1.glazier1")


def test_any_pane_of_a_colour_can_be_clicked_to_keep_it() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="pb", start_tile=1)
    game.play("0p1")
    paths = [(game.game.moves.text(c.action), *c.path) for c in scene_of(game).choices]
    assert paths == [
        ("kb", "seat1.strip1.1"), ("kb", "seat1.strip1.2"), ("kb", "seat1.strip1.3"),
        ("kp", "seat1.strip1.4"), ("ko", "seat1.strip1.5"),
    ]
    assert str(scene_of(game).status) == "Ana chooses a pane to keep for window 1."


# --- previews --------------------------------------------------------------------------------------------


def test_previews_say_what_fits_breaks_and_scores() -> None:
    game = position(Board(broken=2).with_strip(1, "1f bbb"), centre="oooyb", factories=("ooww", "bpyw"))
    assert said(game, "0o2") == "all 3 fit, with the start marker (−2)"
    assert said(game, "0o1") == "1 of 3 fit, 2 break, with the start marker (−6)"
    assert said(game, "1o1") == "1 of 2 fit, 1 breaks (−2)"
    assert said(game, "2p1") == "1 fits"


def test_previews_of_breaking_completing_going_back_and_keeping() -> None:
    game = position(Board(broken=6, glazier=7), factories=("oooo",), centre="b")
    assert said(game, "1ox") == "4 break (−9)"  # 18 at once, then -2 in place of -11
    assert said(game, "g") == "all strips can be reached again"
    windows = ("", "", "b", *[""] * 5)
    game = position(Board(windows=windows).with_strip(1, "1f bbbo"), factories=("pp", "po"), bonus="b")
    assert said(game, "1p1") == "1 of 2 fit, 1 breaks (−1); completes the strip: +10"
    assert said(game, "2p1") == "completes the strip: +10"
    game.play("2p1")
    assert said(game, "kb") == "+7 for the windows"


def test_previews_come_true() -> None:
    rng = random.Random(5)
    game = azulejos.new("sintra-a", players=3)
    while not game.is_over:
        game.deal(rng)
        if game.is_over:
            break
        s, seat = game.state, game.to_move
        action = rng.choice(game.legal_actions())
        move = game.game.moves[action]
        game.play(action)
        after = game.state
        points = sum(scored.points for scored in game.explain(-1) if scored.seat == seat)
        if game.is_over:
            break
        if isinstance(move, Take):
            panes = tiles_at(s.factories, s.centre, move.source, move.colour)
            placed = int(after.panes[seat].sum()) - int(s.panes[seat].sum())
            started = int(s.start_tile < 0 <= after.start_tile)
            loss = glass_loss(s, seat, panes - placed + started)
            on_track = int(s.losses[after.broken[seat]]) - int(s.losses[s.broken[seat]])
            assert loss == int(after.lost[seat]) - int(s.lost[seat]) + on_track
        elif move.text.startswith("k"):
            assert points == chain_points(s, int(s.glazier[seat]))


# --- flights ---------------------------------------------------------------------------------------------


def test_panes_fly_to_the_strip_the_tower_and_the_centre() -> None:
    game = position(Board(), factories=("ooow",), centre="b")
    assert flown(game, "1o1") == {
        Flight("orange", "F1.orange", "seat1.strip1.5", 1),
        Flight("orange", "F1.orange", "tower", 2),
        Flight("white", "F1.white", "C.white", 1),
    }


def test_the_kept_pane_flies_into_the_window() -> None:
    game = position(Board().with_strip(1, "1f bbbo"), centre="pb", start_tile=1)
    game.play("0p1")
    moved = flown(game, "kp")
    assert Flight("pink", "seat1.strip1.4", "seat1.window1.upper", 1) in moved
    assert Flight("orange", "seat1.strip1.5", "tower", 1) in moved


def test_nothing_appears_or_vanishes() -> None:
    rng = random.Random(4)
    game = azulejos.new("sintra-b", players=4)
    game.deal(rng)
    whole = Counter(dict.fromkeys(("blue", "pink", "orange", "yellow", "white"), 20))
    whole += Counter(glazier=4, broken=4, marker=1)
    while not game.is_over:
        counts: Counter[str] = Counter()
        for panel in scene_of(game).panels:
            for piece in panel.pieces:
                if not piece.kind.endswith(".back"):
                    counts[piece.kind] += piece.count
        assert counts == whole
        game.play(rng.choice(game.legal_actions()))


def test_ornaments_are_on_side_a_only() -> None:
    slots = scene_of(azulejos.new("sintra-a")).slots()
    assert "seat1.ornament4" in slots
    assert "seat1.ornament1" not in scene_of(azulejos.new("sintra-b")).slots()


def test_the_other_side_of_a_strip_is_pictured_until_it_is_turned() -> None:
    game = azulejos.new("sintra-a")
    game.deal(random.Random(4))
    backs = [piece for piece in scene_of(game).panel("seat1").pieces if piece.slot == "seat1.back1"]
    s = game.state
    other = s.strips[s.strip[0, 0] - 1, 1 - s.face[0, 0]]
    kinds = ("blue", "pink", "orange", "yellow", "white", "joker")
    wanted = [f"{kind}.back" for kind, count in zip(kinds, other, strict=True) for _ in range(count)]
    assert [piece.kind for piece in backs] == wanted
    assert len(backs) == 5


def test_the_log_tells_of_the_glazier_and_of_the_kept_pane() -> None:
    def told(game: Position, text: str) -> tuple[list[str], str] | None:
        found = VIEW.log_entry(game, game.game.moves.parse(text))
        return found and ([piece.kind for piece in found[0]], str(found[1]))

    game = position(Board(glazier=7), factories=("oooo",), centre="b")
    assert told(game, "g") == (["glazier"], "back above window 1")
    assert told(game, "1ox") is None
    game = position(Board().with_strip(1, "1f bbbo"), factories=("pp", "po"), bonus="b")
    game.play("2p1")
    assert told(game, "kb") == (["blue"], "kept for window 1")
