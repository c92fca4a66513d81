"""A browser adds its own number to the draws of the table that it opens, and checks the seed at the end."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from web.guests import Guest

KEPT = "sessionStorage.getItem(`azulejos.number.${document.getElementById('table').dataset.id}`)"


def test_the_number_of_a_browser_joins_the_seed(guest: Guest) -> None:
    page = guest.page
    page.goto(f"{guest.server.url}/new")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".mat .can").first).to_be_attached()
    own = json.loads(page.evaluate(KEPT))
    record = page.request.get(f"{page.url.partition('#')[0]}/record.txt").text()
    assert f'[Numbers "{own["number"]} -"]' in record
    assert f'[Promise "{own["promise"]}"]' in record
    said = page.evaluate("""async () => {
      const { tell } = await import("/static/fair.js");
      const words = JSON.parse(document.getElementById("words").textContent);
      const kept = Object.keys(sessionStorage).find((name) => name.startsWith("azulejos.number."));
      const { number } = JSON.parse(sessionStorage.getItem(kept));
      const seed = "an example of a seed";
      const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(seed)));
      const promise = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
      const heard = [];
      for (const [known, numbers] of [[promise, [number, "-"]], [promise, []], ["00", [number]]]) {
        sessionStorage.setItem(kept, JSON.stringify({ number, promise: known }));
        await tell({ seed, numbers }, words);
        heard.push(document.querySelector("#seed .quiet").textContent);
      }
      return heard;
    }""")
    assert ["was used" in said[0], "too late" in said[1], "does not have" in said[2]] == [True, True, True]
