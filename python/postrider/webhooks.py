"""Verifies deliveries of events to webhooks."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
import re
import time
from datetime import datetime
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

from ._generated.routes import ENV_WEBHOOK_SECRET, SIGNATURE_HEADER, WEBHOOK_SECRET_PREFIX
from ._generated.types import Event
from .errors import WebhookVerificationError

RawBody = Union[str, bytes, bytearray, memoryview]
"""The body of a request before any parser has read it."""
DeliveryHeaders = Union[Mapping[str, Any], Iterable[Tuple[str, str]]]
"""Headers as a server has them. Names may be in upper or lower case."""

TOLERANCE_SECONDS = 300.0
_ID = "webhook-id"
_TIMESTAMP = "webhook-timestamp"
_SIGNATURE = "webhook-signature"


def unwrap(
    raw_body: RawBody,
    headers: DeliveryHeaders,
    secret: Optional[str] = None,
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    dangerously_allow_replays: bool = False,
    now: Optional[datetime] = None,
) -> Event:
    """
    Verifies the Standard Webhooks signature and the signed time of a webhook delivery, and returns its event. `secret` is the
    webhook's secret; it defaults to `POSTRIDER_WEBHOOK_SECRET`. Raises a `WebhookVerificationError`, whose `reason` says why.

    `dangerously_allow_replays` accepts a delivery that has only the plain signature, which covers no time. Anybody who
    has recorded such a delivery can post it again later. It is meant for proxies that remove the `webhook-…` headers.
    
    """
    body = _bytes(raw_body)
    key = secret or os.environ.get(ENV_WEBHOOK_SECRET, "").strip()
    if key == "":
        raise WebhookVerificationError(
            "missing_secret",
            f"The secret is missing: pass it or set {ENV_WEBHOOK_SECRET}. "
            "It is shown when a webhook is created or rotated.",
        )
    # A caller may pass a text such as "false", which must not allow replays.
    proof = _read_proof(headers, dangerously_allow_replays is True)
    if proof.timestamp is None:
        expected = hmac.new(key.encode(), body, hashlib.sha256).digest()
    else:
        at = time.time() if now is None else now.timestamp()
        _check_time(at - int(proof.timestamp), tolerance_seconds)
        content = f"{proof.id}.{proof.timestamp}.".encode() + body
        expected = hmac.new(_standard_key(key), content, hashlib.sha256).digest()
    if not any([hmac.compare_digest(one, expected) for one in proof.signatures]):
        raise WebhookVerificationError(
            "signature_mismatch",
            "The signature does not match this secret and body. The secret belongs to another webhook, the body was parsed or "
            "changed, or somebody else sent the request.",
        )
    return _read_event(body)


class _Proof(NamedTuple):
    """Signatures with a signed time (Standard Webhooks), or plain ones only, which have no time."""

    signatures: List[bytes]
    id: str = ""
    timestamp: Optional[str] = None


def _bytes(raw_body: object) -> bytes:
    if isinstance(raw_body, str):
        return raw_body.encode()
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    raise WebhookVerificationError(
        "parsed_body",
        f"The body must be the bytes as received, but it is {type(raw_body).__name__}. Do not parse it first.",
    )


def _standard_key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(WEBHOOK_SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if key:
        return key
    raise WebhookVerificationError(
        "malformed_secret", f"The secret must be {WEBHOOK_SECRET_PREFIX} followed by base64, as it was shown."
    )


def _read_proof(headers: DeliveryHeaders, allows_replays: bool) -> _Proof:
    found = _collect(headers)
    plain = found.get(SIGNATURE_HEADER)
    is_standard = any(name in found for name in (_ID, _TIMESTAMP, _SIGNATURE))
    if plain is not None and not is_standard and allows_replays:
        return _Proof([_plain_signature(plain)])
    for name in (_ID, _TIMESTAMP, _SIGNATURE):
        if not found.get(name):
            advice = "it is not a delivery, or a proxy removed the header" if plain is None else _WITHOUT_TIME
            raise WebhookVerificationError("missing_header", f"The request has no {name}: {advice}.")
    if not re.fullmatch(r"[0-9]{1,12}", found[_TIMESTAMP]):
        raise _malformed(_TIMESTAMP, "seconds since 1970")
    return _Proof(_standard_signatures(found[_SIGNATURE]), found[_ID], found[_TIMESTAMP])


_WITHOUT_TIME = (
    f"{SIGNATURE_HEADER} alone does not prove when the delivery was signed, so this could be a copy of an old one. "
    "Pass on all headers of the request"
)


def _collect(headers: DeliveryHeaders) -> Mapping[str, str]:
    items = getattr(headers, "items", None)
    pairs = items() if callable(items) else headers
    found: "dict[str, str]" = {}
    for name, value in pairs:  # type: ignore[union-attr]
        if value is None:
            continue
        text = value if isinstance(value, str) else ", ".join(map(str, value))
        key = str(name).lower()
        # A header that occurs twice has no single value, so none of these headers may occur twice.
        found[key] = f"{found[key]}, {text.strip()}" if key in found else text.strip()
    return found


def _standard_signatures(text: str) -> List[bytes]:
    """
    Returns the signatures of version `v1`. During a rotation there is one for each secret. Other versions are for future
    verifiers.
    """
    signatures: List[bytes] = []
    for part in text.split(" "):
        if part.startswith("v1,"):
            try:
                signatures.append(base64.b64decode(part[3:], validate=True))
            except (binascii.Error, ValueError):
                continue
    if not signatures:
        raise _malformed(_SIGNATURE, "v1, and base64")
    return signatures


def _plain_signature(text: str) -> bytes:
    if not re.fullmatch(r"sha256=(?:[0-9a-f]{2})+", text):
        raise _malformed(SIGNATURE_HEADER, "sha256= and lower-case hex")
    return bytes.fromhex(text.removeprefix("sha256="))


def _malformed(name: str, form: str) -> WebhookVerificationError:
    return WebhookVerificationError("malformed_header", f"The header {name} is not {form}.")


def _check_time(age: float, tolerance: float) -> None:
    if abs(age) <= tolerance:
        return
    where = "ago" if age > 0 else "ahead of now"
    raise WebhookVerificationError(
        "timestamp_too_old" if age > 0 else "timestamp_too_new",
        f"It was signed {abs(round(age))} s {where}, and {tolerance:g} s are allowed. It is a copy of an old delivery, or a "
        "clock is wrong.",
    )


def _read_event(body: bytes) -> Event:
    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError:
        event = None
    if isinstance(event, dict) and "event" in event:
        return event  # type: ignore[return-value]
    raise WebhookVerificationError("malformed_body", "The signature is valid, but the body is not an event in JSON.")
