"""A real mail server and a real receiver of webhooks and pushes, for tests."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller

from patience import PATIENCE


class Mailbox:
    """Letters, in the order in which they arrived."""

    def __init__(self) -> None:
        self.letters: list[Message] = []
        self.answer = "250 OK"
        self.arrives: Callable[[], None] = lambda: None
        """Called before a letter is acknowledged."""
        self._news = threading.Condition()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.answer.startswith("250"):
            with self._news:
                self.letters.append(message_from_bytes(envelope.content))
                self._news.notify_all()
        self.arrives()
        return self.answer

    def wait(self, count: int) -> list[Message]:
        with self._news:
            assert self._news.wait_for(lambda: len(self.letters) >= count, PATIENCE), self.letters
        return self.letters


@contextmanager
def mail_server() -> Iterator[tuple[Mailbox, int]]:
    mailbox = Mailbox()
    with socket.create_server(("127.0.0.1", 0)) as free:  # the controller has to know its port before
        port = free.getsockname()[1]
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    controller.start()
    yield mailbox, port
    controller.stop()


class Receiver:
    """Requests with their headers and bodies; answers with `status`."""

    def __init__(self) -> None:
        self.posts: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        self.url = ""
        self._news = threading.Condition()

    def wait(self, count: int) -> list[tuple[dict[str, str], bytes]]:
        with self._news:
            assert self._news.wait_for(lambda: len(self.posts) >= count, PATIENCE), self.posts
        return self.posts

    def take(self, headers: dict[str, str], body: bytes) -> int:
        with self._news:
            self.posts.append((headers, body))
            self._news.notify_all()
        return self.status


@contextmanager
def receiver() -> Iterator[Receiver]:
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(found.take({k.lower(): v for k, v in self.headers.items()}, body))
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Not among the results."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    yield found
    server.shutdown()
    thread.join()
    server.server_close()
