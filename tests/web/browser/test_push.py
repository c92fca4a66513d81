"""Web Push as far as a browser in a closed network goes: what the worker shows, and what a refusal says."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, expect

from web.guests import Guest
from web.server import Server

WORKER = "async () => (await navigator.serviceWorker.ready).scope"
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  const all = await worker.getNotifications();
  return all.map(({ title, body, tag, data }) => ({ title, body, tag, link: data.link }));
}"""


def test_the_worker_shows_what_is_pushed_and_a_double_replaces_the_first(
    browser: Browser, server: Server
) -> None:
    pytest.importorskip("py_vapid")
    ana = Guest(browser, server)
    ana.context.grant_permissions(["notifications"], origin=server.url)
    page = ana.page
    page.goto(f"{server.url}/notices")
    page.evaluate(WORKER)
    session = ana.context.new_cdp_session(page)
    found: list[str] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(
        one["registrationId"] for one in event["registrations"] if not one["isDeleted"]
    ))
    session.send("ServiceWorker.enable")
    page.evaluate(WORKER)
    assert found
    for tag, title in (("one", "Your turn: Azul"), ("one", "Your turn: Azul"), ("two", "The game is over")):
        link = f"{server.url}/t/{tag}"
        session.send("ServiceWorker.deliverPushMessage", {
            "origin": server.url, "registrationId": found[0],
            "data": json.dumps({"title": title, "body": "Bo has played.", "link": link, "tag": tag}),
        })
    page.wait_for_function(f"() => ({SHOWN})().then((all) => all.length === 2)")
    shown = sorted(page.evaluate(SHOWN), key=lambda one: str(one["tag"]))
    assert [one["tag"] for one in shown] == ["one", "two"]
    assert shown[0] == {"title": "Your turn: Azul", "body": "Bo has played.", "tag": "one",
                        "link": f"{server.url}/t/one"}
    page.get_by_role("button", name="Show notices on this device").click()
    expect(page.locator("#push-said")).to_contain_text("cannot reach the service")
    assert "A browser" not in page.content()
    ana.context.close()


def test_whoever_allows_no_notices_is_told_so(browser: Browser, server: Server) -> None:
    pytest.importorskip("py_vapid")
    ana = Guest(browser, server)
    ana.page.goto(f"{server.url}/notices")
    ana.page.evaluate("Notification.requestPermission = async () => 'denied'")
    ana.page.get_by_role("button", name="Show notices on this device").click()
    expect(ana.page.locator("#push-said")).to_contain_text("does not allow notices")
    ana.context.close()
