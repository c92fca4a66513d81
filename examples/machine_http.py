"""A program that plays at a table in the browser, over HTTP, without any package (docs/machines.md).

    python machine_http.py https://azulejos.example.org/t/TABLE TOKEN
"""

import random
import sys
import time
import urllib.error
import urllib.request


def request(url: str, token: str, line: str = "") -> str:
    asked = urllib.request.Request(url, line.encode() or None, {"authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(asked) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        if error.code not in (409, 429, 503):
            raise
        time.sleep(2)  # too fast, or somebody was faster: ask again
        return "wait"


def play(table: str, token: str) -> None:
    url = f"{table}/program"
    told = request(url, token)
    while "gameover" not in told:
        for line in told.splitlines():
            words = line.split()
            if words[0] == "go":  # go id NUMBER searchmoves MOVE MOVE …
                number, moves = words[2], words[words.index("searchmoves") + 1 :]
                told = request(url, token, f"bestmove id {number} {random.choice(moves)}")
                break
        else:
            told = request(url, token)  # waits until there is something to do, for 20 seconds at most
    print(told.strip())


if __name__ == "__main__":
    play(*sys.argv[1:])
