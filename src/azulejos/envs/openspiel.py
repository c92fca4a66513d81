"""OpenSpiel: every box as a Python game with explicit chance (docs/learning.md).

    import pyspiel
    import azulejos.envs.openspiel
    game = pyspiel.load_game("azulejos_azul(players=3)")

OpenSpiel numbers chance outcomes from 0: ours minus the number of decisions.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from azulejos.core.extras import explained
from azulejos.core.game import CHANCE, OVER, Game, Preset
from azulejos.core.observation import size, sliced
from azulejos.core.position import Position, chance_weights, new
from azulejos.core.registry import presets
from azulejos.envs.episode import outcome_rewards

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as error:
    raise explained(error) from error

PLAYERS: Final = {CHANCE: int(pyspiel.PlayerId.CHANCE), OVER: int(pyspiel.PlayerId.TERMINAL)}
MAX_LENGTH: Final = 100_000
"""More decisions than any game takes. The rules end every game, but OpenSpiel requires a bound."""


def short_name(preset: Preset) -> str:
    return f"azulejos_{preset.name.replace('-', '_')}"


def quoted(value: str) -> str:
    """An option as a parameter: OpenSpiel takes whatever looks like numbers for one number."""
    return f"'{value}'" if re.fullmatch(r"[0-9.+-]+", value) else value


def _game_type(game: Game, preset: Preset) -> Any:
    options = {name: quoted(value) for name, value in game.read_options(preset.options).items()}
    return pyspiel.GameType(
        short_name=short_name(preset), long_name=str(preset.title),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4, min_num_players=2,
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={"players": 2, **options},
    )


class BoxGame(pyspiel.Game):  # type: ignore[misc]  # the library is untyped
    """One box of the family, with its options as parameters. Each box has a class derived from this one."""

    box: str
    kind: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {name: str(value).strip("'") for name, value in (params or {}).items()}
        self.players = int(given.pop("players", 2))
        self.start = new(self.box, players=self.players, **given)
        rules = self.start.game
        self.planes = rules.planes(self.players, self.start.options)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.decisions, max_chance_outcomes=rules.num_actions - rules.decisions,
            num_players=self.players, min_utility=-1.0, max_utility=1.0, utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(self.kind, info, params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self, state: Any = None) -> BoxState:
        return BoxState(self, state)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlaneObserver(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class BoxState(pyspiel.State):  # type: ignore[misc]  # the library is untyped
    """A position; `state` is a dict or struct in the form that `to_struct` returns."""

    def __init__(self, game: BoxGame, state: Any = None) -> None:
        super().__init__(game)
        self.position = _position(game, state)
        self._decisions = self.position.game.decisions

    @property
    def _shift(self) -> int:
        """The difference between our action number and OpenSpiel's."""
        return self._decisions if self.position.is_chance else 0

    def current_player(self) -> int:
        player = self.position.to_move
        return player if player >= 0 else PLAYERS[player]

    # OpenSpiel answers the next two by three calls of Python from C++; asked from Python, one is enough.

    def is_chance_node(self) -> bool:
        return self.position.is_chance

    def legal_actions(self, player: int | None = None) -> list[int]:
        position = self.position
        if position.to_move >= 0:
            return position.legal_actions() if player in (None, position.to_move) else []
        return [action - self._decisions for action in position.legal_actions()]  # at the end: none

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions() if player == self.position.to_move else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        (actions, weights), shift = chance_weights(self.position), self._decisions
        total = sum(weights)
        return [(action - shift, weight / total) for action, weight in zip(actions, weights, strict=True)]

    def _apply_action(self, action: int) -> None:
        position = self.position
        position.play(action + self._decisions if position.is_chance else action)

    def _action_to_string(self, player: int, action: int) -> str:
        chance = player == pyspiel.PlayerId.CHANCE
        return self.position.game.moves.text(action + chance * self.position.game.decisions)

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        return list(outcome_rewards(self.position))

    def __str__(self) -> str:
        return self.position.text()

    def _to_struct(self) -> dict[str, Any]:
        return self.position.to_json()

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self.position.to_json()

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"move": self._action_to_string(player, action)}

    def _struct_to_actions(self, action: dict[str, Any]) -> list[int]:
        return [self.position.game.moves.parse(action["move"]) - self._shift]


class PlaneObserver:
    """The game's observation: flat in `tensor`, plane by plane in `dict`."""

    def __init__(self, game: BoxGame, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters; given {params}")
        self.tensor = np.zeros(size(game.planes), np.float32)
        self.dict = {
            plane.name: self.tensor[part].reshape(plane.shape) for plane, part in sliced(game.planes)
        }

    def set_from(self, state: BoxState, player: int) -> None:
        self.tensor[:] = state.position.observation(player)

    def string_from(self, state: BoxState, player: int) -> str:
        return state.position.text()


def _position(game: BoxGame, state: Any) -> Position:
    if state is None:
        return game.start.copy()
    return Position.from_json(state.to_dict() if isinstance(state, pyspiel.StateStruct) else state)


def _register() -> None:
    for game, preset in presets().values():
        kind = _game_type(game, preset)
        own = {"box": preset.name, "kind": kind, "__module__": __name__}
        pyspiel.register_game(kind, type(short_name(preset), (BoxGame,), own))


_register()
