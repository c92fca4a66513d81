"""Which names this server answers to, and which pages may talk to it."""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers

HOST = re.compile(r"(?:([A-Za-z0-9._-]{1,253})|\[([0-9A-Fa-f:.]{2,45})\])(?::[0-9]{1,5})?")

ANY = "*"
"""Among the allowed hosts: any name."""


def is_allowed(host: str, allowed: Collection[str]) -> bool:
    """Whether a Host header names this server.

    An address in numbers always does. A name must be allowed: otherwise a page of another site could make
    its own name lead here, and would then be of the same origin as our pages (DNS rebinding).
    """
    found = HOST.fullmatch(host)
    if found is None:
        return False
    name = (found[1] or found[2]).lower().rstrip(".")
    return ANY in allowed or name in allowed or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def own_names() -> set[str]:
    """The names by which this machine knows itself."""
    name = socket.gethostname().lower()
    return {"localhost", name, f"{name.partition('.')[0]}.local"}


def same_origin(headers: Headers, *, required: bool = False) -> bool:
    """Whether a request comes from our own pages (browsers send the origin with forms and sockets)."""
    origin = headers.get("origin")
    if origin is None:
        return not required
    try:
        return urlsplit(origin).netloc == headers.get("host", "")
    except ValueError:  # not an address at all: "http://["
        return False
