"""Which names this server answers to, and which pages may talk to it."""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

HOST = re.compile(r"(?:([A-Za-z0-9._-]{1,253})|\[([0-9A-Fa-f:.]{2,45})\])(?::[0-9]{1,5})?")

ANY = "*"
"""Among the allowed hosts: any name."""

Address = IPv4Address | IPv6Address


def is_allowed(host: str, allowed: Collection[str], here: str = "") -> bool:
    """Whether a Host header names this server; `here` is the address at which the request arrived.

    A name must be allowed: otherwise a page of another site could make its own name lead here, and would
    then be of the same origin as our pages (DNS rebinding). An address in numbers must be `here`, or one of
    a private network that leads to another of such a network (a container, a proxy): links and QR codes are
    made of it, and must not show the way to a stranger's machine.
    """
    found = HOST.fullmatch(host)
    if found is None:
        return False
    name = (found[1] or found[2]).lower().rstrip(".")
    return ANY in allowed or name in allowed or _leads(_address(name), _address(here))


def _leads(asked: Address | None, here: Address | None) -> bool:
    """Without `here` (a socket of this machine) a proxy has passed the request on."""
    if asked is None:
        return False
    return asked == here or not (asked.is_global or (here is not None and here.is_global))


def _address(name: str) -> Address | None:
    try:
        found = ip_address(name)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def own_names() -> set[str]:
    """The names by which this machine knows itself."""
    name = socket.gethostname().lower()
    return {"localhost", name, f"{name.partition('.')[0]}.local"}


def same_origin(connection: HTTPConnection, *, required: bool = False) -> bool:
    """Whether a request comes from our own pages (browsers send the origin with forms and sockets)."""
    origin = connection.headers.get("origin")
    if origin is None:
        return not required
    try:
        parts = urlsplit(origin)
    except ValueError:  # not an address at all: "http://["
        return False
    return parts.netloc == connection.headers.get("host", "") and parts.scheme == _scheme(connection)


def _scheme(connection: HTTPConnection) -> str:
    """The scheme of the page's address. Here even an unknown proxy is believed: the page of another site
    cannot add this header to a form or to a socket."""
    forwarded = connection.headers.get("x-forwarded-proto", "").partition(",")[0].strip()
    scheme = forwarded or str(connection.scope["scheme"])
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def from_another_site(headers: Headers) -> bool:
    """Whether the browser says that another site's page has sent a request; older browsers say nothing."""
    return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
