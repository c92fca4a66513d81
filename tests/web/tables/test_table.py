"""Pages and the live protocol: sitting down, playing, undoing, leaving, returning, playing again."""

from __future__ import annotations

import html
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from azulejos.web.app import Settings, create_app
from azulejos.web.tables.boxes import playable
from web.people import open_table, page_of, person, saved_moves, saved_record, seated


def moves_of(client: TestClient, path: str) -> list[str]:
    return [move for move in saved_moves(client, path) if move[0].isdigit()]


def test_a_whole_game_at_one_screen(client: TestClient) -> None:
    path = open_table(client)
    rng = random.Random(5)
    with seated(client, path) as table:
        while not table.frame["over"]:
            table.turn(rng)
        assert "won" in table.frame["band"] or "shared win" in table.frame["band"]
    record = saved_record(client, path)
    assert record.replay().is_over
    assert record.tags["Seed"]
    assert record.tags["Seed"] in client.get(path).text


def test_the_promise_stands_before_the_first_move_and_the_seed_does_not(client: TestClient) -> None:
    path = open_table(client)
    record = saved_record(client, path)
    assert "Seed" not in record.tags
    assert record.tags["Promise"] in client.get(path).text


def test_a_turn_is_a_draft_until_it_is_confirmed(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as table:
        start = table.frame["ply"]
        move = table.frame["choices"][0]["text"]
        table.tell(do="play", move=move, ply=start)
        assert table.until("frame")["confirm"]
        assert moves_of(client, path) == []
        table.tell(do="undo", ply=start + 1)
        assert table.until_frame(undo=False)["ply"] == start
        table.tell(do="play", move=move, ply=start)
        table.until_frame(confirm=True)
        table.tell(do="confirm", ply=start + 1)
        table.until_frame(confirm=False)
        assert moves_of(client, path) == [move]
        table.tell(do="undo", ply=start + 1)
        assert "nothing to undo" in table.until("refused")["text"]


def test_a_draft_survives_a_reload_and_is_seen_by_its_player_alone(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as table:
        table.tell(do="play", move=table.frame["choices"][0]["text"], ply=table.frame["ply"])
        drafted = table.until_frame(confirm=True)["ply"]
    with seated(client, path) as again:
        assert again.frame["confirm"]
        assert again.frame["ply"] == drafted
    with person(client) as other, seated(other, path) as watcher:
        assert watcher.frame["ply"] == drafted - 1
        assert watcher.frame["choices"] == []


def test_a_board_without_a_player_says_so_in_the_language_of_whoever_looks(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    table = f"{path}?watch"
    assert 'data-seat="1"' in client.get(table).text
    assert sorted(board_names(client.get(table).text)) == ["Ana", "free seat"]
    polish = client.get(table, headers={"accept-language": "pl"}).text
    assert sorted(board_names(polish)) == ["Ana", "wolne miejsce"]
    with person(client) as friend:
        friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
    assert sorted(board_names(client.get(path).text)) == ["Ana", "Bo"]


def board_names(page: str) -> list[str]:
    """The names of the boards: the large one first, then the others in the order of the page."""
    place = r'<section class="place board-place {kind}"[^>]* aria-label="([^"]*)"'
    return [name for kind in ("own", "other") for name in re.findall(place.replace("{kind}", kind), page)]


def test_at_a_shared_screen_whoever_is_to_move_has_the_large_board(client: TestClient) -> None:
    path = open_table(client, seat2="you", name2="Cy")
    rng, names = random.Random(5), ["Ana", "Bo", "Cy"]
    with seated(client, path) as table:
        for _ in range(4):
            mover = table.frame["to_move"]
            assert board_names(client.get(path).text) == names[mover:] + names[:mover]
            table.play_any(rng)
            table.until("frame")


def test_a_friend_joins_by_link_and_both_see_every_move(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    assert "Send this link" in client.get(path).text
    with person(client) as friend, person(client) as watcher, seated(client, path) as ana:
        joined = friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"}, follow_redirects=False)
        assert joined.status_code == 303
        ana.until_frame(walk={"index": 1, "last": 1, "back": 0, "on": None})
        with seated(friend, path) as bo, seated(watcher, path) as eye:
            first, second = (ana, bo) if ana.frame["mine"] else (bo, ana)
            assert not second.frame["mine"]
            ply = first.frame["ply"]
            first.play_any(random.Random(1))
            for someone in (first, second, eye):
                someone.until_frame(ply=ply + 1)
            assert second.frame["mine"]
            assert second.frame["title"].startswith("●")
            assert eye.frame["choices"] == []
            eye.play("1b1")
            assert "watching" in eye.until("refused")["text"]


def carry_link(client: TestClient, path: str) -> str:
    """The link to continue on another device; an empty text if the page offers none."""
    found = re.search(r'value="http://testserver(/t/[^"]+/carry/[^"]+)"', client.get(path).text)
    return found[1] if found else ""


def test_a_seat_goes_to_another_device(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random")
    link = carry_link(client, path)
    with person(client) as phone:
        assert phone.get(link).status_code == 200
        assert "Continue on another device" in phone.get(path).text
    with person(client) as stranger:
        refused = stranger.get(f"{path}/carry/forged.word")
        assert refused.status_code == 409
        assert "expired" in refused.text
        other = open_table(stranger, seat1="friend")
        assert stranger.get(link.replace(path, other)).status_code == 409


def test_a_forgotten_device_and_its_links_do_not_play_any_more(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random")
    old = carry_link(client, path)
    with person(client) as phone, person(client) as thief:
        phone.get(old)
        phones = carry_link(phone, path)
        assert thief.post(f"{path}/forget", data={"seat": "0"}).status_code == 409
        with seated(client, path) as ana, seated(phone, path) as lost:
            assert ana.frame["mine"]
            assert lost.frame["mine"]
            answer = client.post(f"{path}/forget", data={"seat": "0"})
            assert "Only this device plays this seat now." in answer.text
            lost.play_any(random.Random(1))
            assert "watching" in lost.until("refused")["text"]
            ana.play_any(random.Random(1))
            ana.until("done")
        for link in (old, phones):
            assert thief.get(link).status_code == 409
        assert not carry_link(phone, path)
        phone.get(carry_link(client, path))
        assert carry_link(phone, path), "a new link does not work"


def test_links_have_qr_codes(client: TestClient) -> None:
    path = open_table(client)
    code = client.get(f"{path}/qr.svg")
    assert code.headers["content-type"] == "image/svg+xml"
    assert code.text.startswith("<?xml")
    links = re.findall(r'src="http://testserver(/[^"]+/qr.svg)"', client.get(path).text)
    assert len(links) == 3
    assert all(client.get(link).status_code == 200 for link in links)
    assert client.get("/t/AAAAAAAAAAAA/qr.svg").status_code == 404


def test_an_empty_chair_can_be_given_to_a_bot(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    client.post(f"{path}/bot", data={"seat": "1", "bot": "random"})
    with seated(client, path) as ana:
        assert ana.frame["mine"] or ana.until_frame(mine=True)


def finished_table(client: TestClient) -> str:
    path = open_table(client, seat1="bot:random")
    rng = random.Random(3)
    with seated(client, path) as table:
        while not table.frame["over"]:
            if table.frame["choices"]:
                table.play_any(rng)
            table.until("frame")
    return path


def test_playing_again_turns_the_seats(client: TestClient) -> None:
    path = finished_table(client)
    again = client.post(f"{path}/again", follow_redirects=False).headers["location"]
    assert again != path
    assert client.post(f"{path}/again", follow_redirects=False).headers["location"] == again
    assert saved_record(client, again).seats[1].name == "Ana"
    with seated(client, again) as table:
        assert table.frame["mine"] or table.until_frame(mine=True)


def test_walking_back_and_branching(client: TestClient) -> None:
    path = finished_table(client)
    with seated(client, path) as table:
        last = table.frame["ply"]
        table.tell(do="look", ply=table.frame["walk"]["back"])
        back = table.until_frame(live=False)
        assert back["ply"] < last
        assert back["choices"] == []
        table.tell(do="look", ply=None)
        assert table.until_frame(live=True, ply=last)
    branch = client.post(f"{path}/branch", data={"ply": str(back["ply"])}, follow_redirects=False)
    new = branch.headers["location"]
    old_moves = saved_moves(client, path)
    assert saved_record(client, new).tags["BranchOf"] == path.rpartition("/")[2]
    assert saved_moves(client, new)[: back["ply"]] == old_moves[: back["ply"]]
    with seated(client, new) as table:
        assert table.frame["mine"] or table.frame["over"] or table.until_frame(mine=True)


def test_a_running_game_among_people_cannot_be_branched(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    with person(client) as friend:
        friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
        assert client.post(f"{path}/branch", data={"ply": "1"}).status_code == 409


def test_blocked_places_say_why(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as table:
        board = "seat1" if "seat1" in table.frame["choices"][0]["path"][1] else "seat2"
        table.tell(do="why", path=["C.blue", f"{board}.line1"])
        answer = table.until("why")
        assert answer["text"] == "There is no blue in the centre."
        assert answer["section"] == "turn"
        assert not answer["plain"]
        table.tell(do="why", path=["C"])
        answer = table.until("why")
        assert answer["text"] == "There is nothing you can do here now."
        assert answer["plain"]


def test_blocked_places_are_told_with_the_moves(client: TestClient) -> None:
    """When a tile of one colour is in line 5, the page says why other colours cannot be added."""
    path = open_table(client)
    with seated(client, path) as table:
        texts = [choice["text"] for choice in table.frame["choices"]]
        first = next(text for text in texts if text.endswith("5"))
        table.play(first)
        table.until_frame(mine=True)
        table.play(table.frame["choices"][0]["text"])
        table.until_frame(mine=True)
        board = table.frame["choices"][0]["path"][1].partition(".")[0]
        source = next(c["path"][0] for c in table.frame["choices"] if c["text"][1] != first[1])
        table.tell(do="preview", path=[source], ply=table.frame["ply"])
        blocked = table.until("preview")["blocked"]
        assert [one["slot"] for one in blocked] == [f"{board}.line5"]
        assert "holds" in blocked[0]["reason"]


def test_scoring_is_seen_when_the_turn_is_confirmed(client: TestClient) -> None:
    """The last turn of a round is a draft without points; they appear at the confirmation, in words too."""
    path = open_table(client)
    with seated(client, path) as table:
        for _ in range(2):  # each fills a line; the rest goes to the floor line, so that lines stay free
            table.play(table.frame["choices"][0]["text"])
            table.until_frame(mine=True)
        while len({choice["path"][0] for choice in table.frame["choices"]}) > 1:
            table.play(next(text for c in table.frame["choices"] if (text := c["text"]).endswith("f")))
            table.until_frame(mine=True)
        move, ply = table.frame["choices"][0]["text"], table.frame["ply"]
        table.tell(do="play", move=move, ply=ply)
        draft = table.until_frame(confirm=True)
        assert draft["ply"] == ply + 1
        assert (draft["scored"], draft["told"]) == ([], [])
        table.tell(do="confirm", ply=ply + 1)
        scored = table.until("frame")
        (scoring,) = scored["scored"]
        gains = Counter[int]()
        for seat, points, *_ in scoring["terms"]:
            gains[seat] += points
        assert len(scored["told"]) == len([gain for gain in gains.values() if gain])


def test_moves_are_foretold_from_where_the_player_has_come(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as table:
        ply, source = table.frame["ply"], table.frame["choices"][0]["path"][0]
        below = {c["text"] for c in table.frame["choices"] if c["path"][0] == source}
        table.tell(do="preview", path=[source], ply=ply)
        effects = table.until("preview")["effects"]
        assert set(effects) == below
        said = [effect["said"] for effect in effects.values()]
        assert all("fit" in effect or "fall" in effect or "fill" in effect for effect in said)
        table.tell(do="preview", path=[source], ply=ply + 1)
        assert table.until("preview")["effects"] == {}
        with person(client) as other, seated(other, path) as watcher:
            watcher.tell(do="preview", path=[source], ply=ply)
            assert watcher.until("preview")["effects"] == {}


def test_questions_in_words(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as table:
        answers = {}
        for question in ("l", "f", "b", "o", "s"):
            table.tell(do="ask", text=question, ply=table.frame["ply"])
            answers[question] = table.until("said")["text"]
        assert "factory 1" in answers["f"]
        assert "Ana: 0" in answers["s"]
        assert answers["l"] == "Nothing has been played yet."
        assert answers["b"].startswith("Ana")
        assert answers["o"].startswith("Bo")
        move = table.frame["choices"][0]["text"]
        table.tell(do="ask", text=move, ply=table.frame["ply"], at_once=True)
        table.until("frame")
        table.tell(do="ask", text="l", ply=table.frame["ply"])
        assert move in table.until("said")["text"]
        table.tell(do="ask", text="nonsense", ply=table.frame["ply"])
        assert "cannot be read" in table.until("refused")["text"]


def test_every_box_opens_and_shows_a_table(client: TestClient) -> None:
    for box in playable():
        for players in (2, 4):
            chairs = {f"seat{i}": "you" if i < players else "none" for i in range(4)}
            path = open_table(client, box=box, **chairs)
            assert client.get(path).text.count("data-panel=") >= players
            assert client.get("/new", params={"box": box}).status_code == 200


def test_clocks_run_for_the_seat_to_move(client: TestClient) -> None:
    path = open_table(client, minutes="5")
    with seated(client, path) as table:
        assert len(table.frame["clocks"]) == 2
        assert all(0 < left <= 300_000 for left in table.frame["clocks"])


def test_wishes_are_kept_and_the_language_follows_the_browser(client: TestClient) -> None:
    assert '<html lang="cs"' in client.get("/", headers={"accept-language": "cs,en;q=0.5"}).text
    client.post("/wishes", data={"language": "et", "motion": "off", "sound": "loud"})
    home = client.get("/", headers={"accept-language": "cs"}).text
    assert '<html lang="et"' in home
    assert 'data-motion="off"' in home
    assert 'data-sound="on"' in home


def test_tables_are_found_from_the_home_page(client: TestClient) -> None:
    shown = open_table(client, seat1="friend", listed="on")
    secret = open_table(client, seat1="friend")
    with person(client) as other:
        home = other.get("/").text
        assert shown in home
        assert secret not in home
    assert secret in client.get("/").text


def test_a_bot_that_thinks_plays_from_its_own_process(client: TestClient) -> None:
    path = open_table(client, seat1="bot:level:1")
    with seated(client, path) as ana:
        if not ana.frame["mine"]:
            ana.until_frame(mine=True)
        ana.play_any(random.Random(4))
        ana.until_frame(mine=True)
    assert len(moves_of(client, path)) >= 2


@pytest.mark.parametrize("seconds", [1, 3, 10])
def test_the_strongest_can_be_given_its_time(client: TestClient, seconds: int) -> None:
    assert f'value="bot:level:7@{seconds}"' in client.get("/new").text
    path = open_table(client, seat1=f"bot:level:7@{seconds}", seat2="friend")
    assert f"Porcelain {seconds} s" in client.get(path).text


@pytest.mark.slow
@pytest.mark.parametrize("box", list(playable()))
def test_whole_games_of_every_box_with_changes_of_mind(client: TestClient, box: str) -> None:
    """Steps are undone now and then; the record replays to the end that was shown."""
    path = open_table(client, box=box, seat2="bot:random")
    rng = random.Random(7)
    with seated(client, path) as table:
        while not table.frame["over"]:
            ply = table.frame["ply"]
            if table.frame["undo"] and rng.random() < 0.2:
                table.tell(do="undo", ply=ply)
            elif table.frame["confirm"]:
                table.tell(do="confirm", ply=ply)
            elif table.frame["choices"]:
                table.tell(do="play", move=rng.choice(table.frame["choices"])["text"], ply=ply)
            elif table.frame["selection"]:
                table.tell(do="play", move=table.frame["selection"]["move"], ply=ply)
            table.until("frame")
    assert saved_record(client, path).replay().is_over


def test_a_payment_is_proposed_marked_anew_and_finishes_the_turn(client: TestClient) -> None:
    """The players acquire and place until a payment is due; pieces are unmarked and marked again."""
    path = open_table(client, box="garden")
    rng = random.Random(1)
    with seated(client, path) as table:
        while not (table.frame["selection"] or {}).get("marked"):  # discards begin with nothing marked
            if table.frame["choices"]:
                texts = [choice["text"] for choice in table.frame["choices"]]
                wanted = [text for text in texts if text not in "-jf"]
                table.play(rng.choice(wanted or ["-"]))
            table.until("frame")
        proposed, ply = table.frame["selection"], table.frame["ply"]
        assert proposed["move"]
        assert proposed["problem"] == ""
        table.tell(do="mark", slots=proposed["marked"][1:], ply=ply)
        assert table.until("judged")["move"] == ""
        table.tell(do="mark", slots=proposed["marked"][::-1], ply=ply)
        assert table.until("judged")["move"] == proposed["move"]
        table.tell(do="mark", slots=["seat1.01"], ply=ply)
        assert "You cannot choose these pieces" in table.until("refused")["text"]
        with person(client) as other, seated(other, path) as watcher:
            watcher.tell(do="mark", slots=proposed["marked"], ply=ply)
            assert "moved in the meantime" in watcher.until("refused")["text"]
        table.tell(do="play", move=proposed["move"], ply=ply)
        table.until_frame(confirm=True)
        assert table.frame["selection"] is None


# --- custom components -------------------------------------------------------------------------------

TRACK = "broken_glass = [0, 4, 5, 6, 8, 18]"


def test_components_are_pasted_at_the_set_up_and_kept_in_the_record(client: TestClient) -> None:
    page = client.get("/new", params={"box": "sintra-a"}).text
    assert "stand-ins" in page
    assert "broken_glass = [0, 1, 2" in page
    path = open_table(client, box="sintra-a", components=TRACK)
    assert saved_record(client, path).start.options["broken"] == "0.4.5.6.8.18"
    assert "−5" in {label["text"] for label in page_of(client, path).plan["labels"]}


def test_components_are_sent_as_a_file(client: TestClient) -> None:
    fields = {"box": "sintra-a", "seat0": "you", "seat1": "you", "components": ""}
    file = {"components-file": ("my.toml", TRACK.encode())}
    answer = client.post("/tables", data=fields, files=file, follow_redirects=False)
    assert answer.status_code == 303
    assert saved_record(client, answer.headers["location"]).start.options["broken"] == "0.4.5.6.8.18"


@pytest.mark.parametrize(("content", "reason"), [
    (b"broken_glass = [1, 8, 18]", "begins with 0, not with 1"),
    (b"glass = 3", "glass is not a component; the components are"),
    (b"broken_glass =", "This is not TOML"),
    (b"\xff", "my.toml is not a text file."),
])
def test_wrong_components_are_refused_with_a_reason(
    client: TestClient, content: bytes, reason: str
) -> None:
    fields = {"box": "sintra-a", "seat0": "you", "seat1": "you"}
    answer = client.post("/tables", data=fields, files={"components-file": ("my.toml", content)})
    assert answer.status_code == 409
    assert reason in html.unescape(answer.text)


def test_a_refusal_of_components_speaks_the_language_of_the_visitor(client: TestClient) -> None:
    fields = {"box": "sintra-a", "seat0": "you", "seat1": "you", "components": "broken_glass = [1, 8, 18]"}
    answer = client.post("/tables", data=fields, headers={"accept-language": "pl"})
    assert "nie od 1" in html.unescape(answer.text)


def test_components_are_read_apart_from_the_tables(tmp_path: Path) -> None:
    """Who owes slow work cannot have components read, but can still open other tables."""
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/games.sqlite"))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        fields = {"box": "sintra-a", "seat0": "you", "seat1": "you"}
        app.state.charges.slow.pay(1e6, visitor="", address="testclient")
        assert client.post("/tables", data={**fields, "components": TRACK}).status_code == 429
        assert client.post("/tables", data=fields).status_code == 200
