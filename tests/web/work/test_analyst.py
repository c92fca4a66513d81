"""The judge of the study board, in a process of its own."""

from __future__ import annotations

import asyncio

import pytest


def test_a_judge_that_stands_still_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    from azulejos.web.work import analyst as module

    monkeypatch.setattr(module, "STARTING", -module.SHORT)
    monkeypatch.setattr(module, "LONGEST", 0.6)

    async def act() -> list[module.Rest]:
        heard: list[module.Rest] = []
        ended = asyncio.Event()
        analyst = module.Analyst(workers=1)
        process = await asyncio.create_subprocess_exec(
            "sleep", "600", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        analyst._idle.append(module._Worker(process))

        def rest(why: module.Rest) -> None:
            heard.append(why)
            ended.set()

        analyst.ask(module.Request(visitor="ana", address="one", position="", engine="",
                                   hear=lambda outlook: None, rest=rest))
        await ended.wait()
        assert process.returncode is not None
        await analyst.close()
        return heard

    assert [why.value for why in asyncio.run(act())] == ["away"]
