"""How a notice leaves the server: by mail, to a browser that is closed (Web Push), to another program.

Everything here blocks and runs in a thread. Addresses of webhooks and of push services come from visitors:
they are resolved once, must be public unless the operator allows others, and the connection goes to the
address that was looked at, so that a name cannot change its mind in between. Redirects are not followed.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import smtplib
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formatdate
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import unquote, urlsplit

PATIENCE: Final = 15.0
"""Seconds for a whole delivery step."""
MOST_READ: Final = 1000
"""Bytes of an answer that are read."""
DAY: Final = 24 * 3600


class Undelivered(Exception):
    """It may work later."""


class Gone(Exception):
    """It will never work again: the address does not exist any more, or may not be used."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Letter:
    """One notice, in the language of who gets it."""

    id: str
    """The same each time it is sent, so that doubles can be told."""
    about: str
    subject: str
    text: str
    link: str
    stop: str
    """The address that ends these notices with one click."""


# --- mail ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Mail:
    """The operator's mail server."""

    host: str
    port: int
    sender: str
    tls: str = ""
    """"": none; "start": STARTTLS; "all": from the first byte."""
    user: str = ""
    password: str = ""


def read_mail(url: str, sender: str) -> Mail:
    """`smtp://host:25`, `smtp+starttls://user:password@host:587` or `smtps://user:password@host:465`."""
    parts = urlsplit(url)
    tls = {"smtp": "", "smtp+starttls": "start", "smtps": "all"}.get(parts.scheme)
    if tls is None or not parts.hostname or "@" not in sender:
        raise ValueError("--smtp is smtp://HOST:PORT, smtp+starttls://USER:PASSWORD@HOST:PORT or "
                         "smtps://…, and --mail-from the address from which mail comes")
    return Mail(
        host=parts.hostname, port=parts.port or {"": 25, "start": 587, "all": 465}[tls], sender=sender,
        tls=tls, user=unquote(parts.username or ""), password=unquote(parts.password or ""),
    )


WHOLE: Final = ("list-unsubscribe", "message-id")


class _MailPolicy(EmailPolicy):
    """Long addresses stay as they are: folded as words are, no mail program would find them."""

    def fold(self, name: str, value: str) -> str:
        return f"{name}: {value}{self.linesep}" if name.lower() in WHOLE else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in WHOLE:
            return self.fold(name, value).encode()
        return super().fold_binary(name, value)


def send_mail(mail: Mail, to: str, letter: Letter) -> None:
    message = EmailMessage(policy=_MailPolicy(linesep="\r\n"))
    message["From"], message["To"], message["Subject"] = mail.sender, to, letter.subject
    message["Date"] = formatdate()
    message["Message-ID"] = f"<{letter.id}@{mail.sender.rpartition('@')[2].strip('>')}>"
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"] = f"<{letter.stop}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    try:
        with _connected(mail) as server:
            server.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        code = next(iter(error.recipients.values()))[0]
        raise (Gone if code >= 550 else Undelivered)(f"refused with {code}") from error
    except (OSError, smtplib.SMTPException) as error:
        raise Undelivered(type(error).__name__) from error


def _connected(mail: Mail) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if mail.tls == "all":
        server: smtplib.SMTP = smtplib.SMTP_SSL(mail.host, mail.port, timeout=PATIENCE, context=context)
    else:
        server = smtplib.SMTP(mail.host, mail.port, timeout=PATIENCE)
    if mail.tls == "start":
        server.starttls(context=context)
    if mail.user:
        server.login(mail.user, mail.password)
    return server


# --- addresses that visitors give ------------------------------------------------------------------------


def public_address(url: str, *, private: bool) -> tuple[str, int, str, str]:
    """The address in numbers, port, name and path of a URL; Gone if it may not be used. `private` also
    allows addresses that are not public, and http."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise Gone("no address") from error
    allowed = ("https", "http") if private else ("https",)
    if parts.scheme not in allowed or not parts.hostname or parts.username or len(url) > 1000:
        raise Gone("not an address that may be used")
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Undelivered("the name is not known") from error
    numbers = [str(one[4][0]) for one in found]
    if not numbers or not (private or all(_is_public(number) for number in numbers)):
        raise Gone("an address of a private network")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return numbers[0], port, parts.hostname, path


def _is_public(number: str) -> bool:
    found = ip_address(number.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None) or found
    return found.is_global and mapped.is_global and not found.is_multicast and not mapped.is_multicast


class _Pinned(http.client.HTTPConnection):
    """A connection to an address in numbers, under a name."""

    def __init__(self, name: str, port: int, number: str, *, secure: bool) -> None:
        super().__init__(name, port, timeout=PATIENCE)
        self._number, self._secure = number, secure

    def connect(self) -> None:
        self.sock = socket.create_connection((self._number, self.port), timeout=PATIENCE)
        if self._secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> None:
    number, port, name, path = public_address(url, private=private)
    connection = _Pinned(name, port, number, secure=url.startswith("https:"))
    try:
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        answer.read(MOST_READ)
        status = answer.status
    except (OSError, http.client.HTTPException) as error:
        raise Undelivered(type(error).__name__) from error
    finally:
        connection.close()
    if status in (404, 410):
        raise Gone(f"answered {status}")
    if not 200 <= status < 300:
        raise Undelivered(f"answered {status}")


# --- webhooks ------------------------------------------------------------------------------------------


def signature(secret: str, moment: str, body: bytes) -> str:
    """What the receiver calculates, too: HMAC-SHA256 over the time, a dot and the body."""
    return hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest()


def send_hook(url: str, secret: str, letter: Letter, *, private: bool) -> None:
    body = json.dumps({
        "id": letter.id, "about": letter.about, "title": letter.subject, "text": letter.text,
        "link": letter.link, "stop": letter.stop,
    }).encode()
    moment = str(int(time.time()))
    post(url, body, {
        "content-type": "application/json", "user-agent": "azulejos", "azulejos-id": letter.id,
        "azulejos-time": moment, "azulejos-signature": signature(secret, moment, body),
    }, private=private)


# --- Web Push --------------------------------------------------------------------------------------------


class Push:
    """Messages to browsers, encrypted for each (RFC 8291), signed with the key of this server (VAPID)."""

    def __init__(self, pem: str, contact: str) -> None:
        from py_vapid import Vapid02

        self._vapid = Vapid02.from_pem(pem.encode())
        self._contact = contact

    @staticmethod
    def new_key() -> str:
        from py_vapid import Vapid02

        made = Vapid02()
        made.generate_keys()
        return str(made.private_pem().decode())

    @property
    def public_key(self) -> str:
        """As browsers want it: the point, in base64 for addresses."""
        from cryptography.hazmat.primitives import serialization
        from py_vapid.utils import b64urlencode

        point = self._vapid.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return str(b64urlencode(point))

    def send(self, subscription: Mapping[str, Any], letter: Letter, *, private: bool) -> None:
        body = self._encrypted(subscription, json.dumps({
            "title": letter.subject, "body": letter.text.partition("\n")[0], "link": letter.link,
            "tag": letter.id,
        }).encode())
        endpoint = str(subscription["endpoint"])
        parts = urlsplit(endpoint)
        signed = self._vapid.sign({
            "aud": f"{parts.scheme}://{parts.netloc}", "sub": self._contact,
            "exp": int(time.time()) + DAY // 2,
        })
        post(endpoint, body, {
            **signed, "content-encoding": "aes128gcm", "ttl": str(DAY), "topic": letter.id[:32],
            "content-type": "application/octet-stream",
        }, private=private)

    def _encrypted(self, subscription: Mapping[str, Any], content: bytes) -> bytes:
        import http_ece
        from cryptography.hazmat.primitives.asymmetric import ec
        from py_vapid.utils import b64urldecode

        try:
            receiver = b64urldecode(str(subscription["keys"]["p256dh"]).encode())
            auth = b64urldecode(str(subscription["keys"]["auth"]).encode())
            own = ec.generate_private_key(ec.SECP256R1())
            sealed: bytes = http_ece.encrypt(
                content, private_key=own, dh=receiver, auth_secret=auth, version="aes128gcm"
            )
        except (KeyError, ValueError, TypeError, http_ece.ECEException) as error:
            raise Gone("no keys of a browser") from error
        return sealed
