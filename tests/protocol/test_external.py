"""External programs as bots: good ones play, and bad ones cannot disturb a match."""

from __future__ import annotations

import random
import shlex
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import azulejos
from azulejos.bots.words import PROGRAMS, add_program, program_levels
from azulejos.bots.words import open as open_bot
from azulejos.core.position import Position
from azulejos.protocol.bot import Limit
from azulejos.protocol.check import check
from azulejos.protocol.external import ExternalBot, ProgramFailed, ProgramLimits
from bots.positions import late_in_round
from patience import PATIENCE

REFERENCE = Path(__file__).parents[2] / "examples" / "protocol_bot.py"
CALM = ProgramLimits(start=PATIENCE, ready=PATIENCE, grace=PATIENCE, memory=2**30)
HASTY = replace(CALM, grace=0.5)
"""For programs that never answer."""

GOOD = """
import subprocess, sys, os, time
CHILD = "import os, time; os.fork() and os._exit(0); time.sleep(1000)"
def say(*words): print(*words, flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "uai":
        say("id name hostile"); say("game azul players 2"); say("uaiok")
    elif words[0] == "isready": say("readyok")
    elif words[0] == "go":
        number, moves = words[2], words[words.index("searchmoves") + 1:]
        {go}
"""
"""A correct bot except for its answer to `go`."""

HOSTILE = {
    "hangs": ("late", "time.sleep(1000)"),
    "spins": ("late", "while True: pass"),
    "prints garbage": ("late", "say('\\x00\\xff garbage bestmove'); time.sleep(1000)"),
    "prints garbage without end": ("dead", "while True: say('garbage')"),
    "prints one endless line": ("dead", "while True: print('x' * 1000, end='', flush=True)"),
    "prints bytes": ("dead", "os.write(1, bytes(range(256)) * 300 + b'\\n'); os._exit(0)"),
    "exits": ("dead", "sys.exit(3)"),
    "closes its output": ("dead", "os.close(1); time.sleep(1000)"),
    "eats memory": ("dead", "hoard = bytearray(2**31); say('bestmove id', number, moves[0])"),
    "plays what is no move": ("illegal", "say('bestmove id', number, 'resign')"),
    "plays what is not legal": ("illegal", "say('bestmove id', number, '9w1')"),
    "answers another question": ("late", "say('bestmove id 999', moves[0]); time.sleep(1000)"),
    "answers without a move": ("late", "say('bestmove id', number); time.sleep(1000)"),
    "leaves a child in another session that holds its output": (
        "late", "subprocess.Popen([sys.executable, '-c', CHILD], start_new_session=True); time.sleep(1000)"
    ),
}


def program(source: str) -> str:
    return shlex.join([sys.executable, "-u", "-c", source])


def dealt(name: str = "azul") -> Position:
    position = azulejos.new(name)
    position.deal(random.Random(1))
    return position


def play(bot: ExternalBot, moves: int = 6) -> Position:
    """Play some moves with the bot on both seats."""
    position, rng = dealt(), random.Random(2)
    for _ in range(moves):
        position.play(bot.play(position, Limit(seconds=0.1)).move)
        position.deal(rng)
    return position


@pytest.mark.parametrize(
    "said", ["nodes " + "9" * 400, "depth " + "9" * 5000, "score -1e999", "nodes ٣", "score nan"],
    ids=["nodes", "depth", "exponent", "digits", "nan"],
)
def test_numbers_that_nobody_can_mean_are_ignored(said: str) -> None:
    go = f"say('info id', number, {said!r}); say('bestmove id', number, moves[0])"
    bot = ExternalBot(program(GOOD.replace("{go}", go)), limits=CALM)
    choice = bot.play(dealt(), Limit(seconds=0.1))
    bot.close()
    assert not bot.faults
    assert (choice.nodes, choice.depth, choice.value) == (0, 0, None)


def test_a_declaration_with_endless_digits_declares_nothing() -> None:
    source = GOOD.replace("players 2", "players " + "2" * 5000)
    bot = ExternalBot(program(source), limits=CALM, strict=True)
    with pytest.raises(ProgramFailed, match="unfit"):
        bot.play(dealt(), Limit(seconds=0.1))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose children processes are")
def test_children_in_other_sessions_end_with_their_program(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    child = (
        f"import os, time; os.fork() and os._exit(0); "
        f"open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(1000)"
    )
    go = f"""
        subprocess.run([sys.executable, '-c', {child!r}], start_new_session=True)
        while not os.path.exists({str(note)!r}) or not open({str(note)!r}).read(): time.sleep(0.01)
        say('bestmove id', number, moves[0])"""
    bot = ExternalBot(program(GOOD.replace("{go}", go)), limits=CALM)
    bot.play(dealt(), Limit(seconds=0.1))
    pid = int(note.read_text())
    assert _lives(pid)
    bot.close()
    while _lives(pid):  # killed, but the system may take a moment to remove it
        threading.Event().wait(0.01)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_bot_costs_only_its_own_moves(name: str) -> None:
    kind, go = HOSTILE[name]
    bot = ExternalBot(program(GOOD.format(go=go)), limits=HASTY if kind == "late" else CALM)
    assert play(bot).ply > 6
    assert [fault.kind for fault in bot.faults] == [kind] * CALM.faults
    bot.close()


@pytest.mark.parametrize(("kind", "source"), [
    ("dead", "raise SystemExit(1)"),
    ("dead", "while True: print('hello')"),
    ("late", "import time; time.sleep(1000)"),
    ("unfit", "print('uaiok', flush=True); input(); input()"),
])
def test_a_bot_that_does_not_shake_hands_never_plays(kind: str, source: str) -> None:
    limits = ProgramLimits(start=0.5 if kind == "late" else PATIENCE, faults=1)
    bot = ExternalBot(program(source), limits=limits)
    play(bot, 2)
    assert [fault.kind for fault in bot.faults] == [kind]
    bot.close()


def test_a_command_that_does_not_exist_is_dead() -> None:
    bot = ExternalBot("./no-such-bot", limits=CALM)
    play(bot, 3)
    assert {fault.kind for fault in bot.faults} == {"dead"}


def test_a_bot_that_fails_once_comes_back() -> None:
    go = "say('bestmove id', number, moves[0] if number != '2' else 'oops')"
    bot = ExternalBot(program(GOOD.format(go=go)), limits=CALM)
    play(bot)
    assert [fault.kind for fault in bot.faults] == ["illegal"]
    bot.close()


def test_another_game_is_another_chance() -> None:
    bot = ExternalBot("./no-such-bot", limits=ProgramLimits(faults=1))
    first, rng = dealt(), random.Random(3)
    late = first.copy()
    while late.state.round == first.state.round:
        late.play(rng.choice(late.legal_actions()))
        late.deal(rng)
    for position in (first, late, first):
        bot.play(position, Limit(nodes=1))
    assert len(bot.faults) == 2


def test_the_proper_answer_is_played_and_understood() -> None:
    go = "say('info id', number, 'depth 3 nodes 40 score -1.5 pv', moves[1]); " \
         "say('  bestmove   id ', number, moves[1])"
    bot = ExternalBot(program(GOOD.format(go=go)), limits=CALM)
    choice = bot.play(dealt(), Limit(seconds=1))
    assert choice.move == dealt().legal_moves[1]
    assert (choice.depth, choice.nodes, choice.value) == (3, 40, -1.5)
    assert bot.name == "hostile"
    bot.close()


def test_what_a_program_says_while_it_thinks_is_a_stream() -> None:
    go = "say('info id', number, 'depth 1 score 1 pv', moves[0]); say('info id', number, 'string hm'); " \
         "say('info id', number, 'depth 2 score 2.5 pv', moves[1], 'resign'); sys.stdin.readline(); " \
         "say('bestmove id', number, moves[1])"
    legal = dealt().legal_moves
    with ExternalBot(program(GOOD.format(go=go)), limits=CALM) as bot, bot.analysis(dealt()) as stream:
        answers = iter(stream)
        first, second = next(answers).best, next(answers).best
        assert (first.move, first.value, first.depth) == (legal[0], 1, 1)
        assert (second.move, second.value, second.line) == (legal[1], 2.5, (legal[1],))
        stream.stop()
        assert stream.wait().best.move == legal[1]
        assert not bot.faults


def test_our_own_engine_streams_through_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(REFERENCE.parents[1] / "src"))
    monkeypatch.setenv("AZULEJOS_JIT", "0")
    command = shlex.join([sys.executable, "-m", "azulejos", "engine", "search"])
    position = late_in_round("azul", 50, at_most=6)
    with open_bot(f"cmd:{command}", commands=True) as bot, bot.analysis(position) as stream:
        answers = iter(stream)
        first, second = next(answers), next(answers)
        assert second.best.depth > first.best.depth == 0
        assert second.best.move in position.legal_moves


def test_stop_from_another_thread_is_passed_on() -> None:
    go = "sys.stdin.readline(); say('bestmove id', number, moves[0])"
    bot = ExternalBot(program(GOOD.format(go=go)), limits=CALM)
    stop = threading.Event()
    stop.set()
    assert bot.play(dealt(), Limit(stop=stop)).move == dealt().legal_moves[0]
    assert not bot.faults
    bot.close()


def test_strict_bots_raise() -> None:
    bot = ExternalBot(program(GOOD.format(go="sys.exit(3)")), limits=CALM, strict=True)
    with pytest.raises(ProgramFailed, match="exit code 3"):
        bot.play(dealt(), Limit(seconds=0.1))


def test_our_own_engine_plays_through_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(REFERENCE.parents[1] / "src"))
    command = shlex.join([sys.executable, "-m", "azulejos", "engine", "random"])
    bot = ExternalBot(command, limits=CALM)
    choice = bot.play(dealt("azul"), Limit(nodes=10))
    assert choice.move == open_bot("random").play(dealt("azul"), Limit(nodes=10)).move
    assert bot.name.startswith("azulejos random")
    bot.close()


OPTIONAL = """
import sys
first = "yes"
for line in sys.stdin:
    words = line.split()
    if words[0] == "uai":
        print("game azul players 2\\noption name First type check default yes\\nuaiok", flush=True)
    elif words[0] == "isready": print("readyok", flush=True)
    elif words[:3] == ["setoption", "name", "First"]: first = words[4]
    elif words[0] == "go":
        moves = words[words.index("searchmoves") + 1:]
        print("bestmove id", words[2], moves[0 if first == "yes" else -1], flush=True)
"""


@pytest.mark.parametrize(("given", "index"), [("", 0), ("First=yes ", 0), ("First=no ", -1)])
def test_options_before_the_command_are_set(given: str, index: int) -> None:
    bot = ExternalBot(given + program(OPTIONAL), limits=CALM, strict=True)
    position = dealt()
    assert bot.play(position, Limit(seconds=0.1)).move == position.legal_moves[index]
    bot.close()


def test_an_option_that_was_not_declared_is_said() -> None:
    bot = ExternalBot("Depth=3 " + program(OPTIONAL), limits=CALM, strict=True)
    with pytest.raises(ProgramFailed, match="no option Depth"):
        bot.play(dealt(), Limit(seconds=0.1))


def test_words_start_commands_only_where_that_was_allowed() -> None:
    with pytest.raises(ValueError, match="no bot is called"):
        open_bot("cmd:./MyBot")
    bot = open_bot("cmd:./MyBot --Level 3", commands=True)
    assert isinstance(bot, ExternalBot)
    assert bot.command == ["./MyBot", "--Level", "3"]
    with pytest.raises(ValueError, match="needs a command"):
        open_bot("cmd:", commands=True)


def test_the_operator_gives_programs_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROGRAMS, "")
    add_program("mine=./mybot --depth=4")
    bot = open_bot("mine")
    assert isinstance(bot, ExternalBot)
    assert (bot.word, bot.command) == ("mine", ["./mybot", "--depth=4"])
    assert [level.word for level in program_levels()] == ["mine"]
    for pair in ("mine=./other", "search=./other", "cmd=./other"):
        with pytest.raises(ValueError, match="already"):
            add_program(pair)
    for pair in ("nothing", "My Bot=./other", "=./other", "other="):
        with pytest.raises(ValueError, match="should read name=command"):
            add_program(pair)


# --- checking a bot ----------------------------------------------------------------------------------


def test_the_reference_bot_is_short_and_passes_the_check() -> None:
    assert len(REFERENCE.read_text().splitlines()) < 60
    findings = list(check(shlex.join([sys.executable, str(REFERENCE)]), positions=24, limits=CALM))
    assert all(finding.good for finding in findings), [str(finding.text) for finding in findings]


@pytest.mark.parametrize(("go", "complaint"), [
    ("say('bestmove id', number, 'resign')", "illegal"),
    ("sys.exit(1)", "dead"),
    ("say('bestmove id', number, moves[0])", "fails on extra white space"),
    ("say('bestmove id', number, moves[int(time.time_ns() // 7) % len(moves)])", "not deterministic"),
])
def test_the_check_says_what_is_wrong(go: str, complaint: str) -> None:
    findings = list(check(program(GOOD.format(go=go)), positions=10, limits=CALM))
    assert any(complaint in str(finding.text) for finding in findings if not finding.good)


@pytest.mark.parametrize(("source", "complaint"), [
    ("raise SystemExit", "handshake failed"),
    ("print('uaiok', flush=True); input(); input()", "no game"),
    ("print('game ludo players 2'); print('uaiok', flush=True); input(); input()", "does not exist"),
])
def test_the_check_looks_at_the_declaration(source: str, complaint: str) -> None:
    findings = list(check(program(source), limits=CALM))
    assert any(complaint in str(finding.text) for finding in findings if finding.good is False)
