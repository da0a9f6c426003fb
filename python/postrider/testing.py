"""Signed deliveries for tests of a webhook receiver."""
from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, NamedTuple, Optional, Union

from ._generated.routes import EVENT_HEADER, SIGNATURE_HEADER, WEBHOOK_SECRET_PREFIX

TEST_SECRET = f"{WEBHOOK_SECRET_PREFIX}c2VjcmV0IG9mIG5vIHdlYmhvb2ssIGZvciB0ZXN0cyE="
"""A secret for tests, which belongs to no webhook."""


class SignedDelivery(NamedTuple):
    """A request as the server posts it to a webhook."""

    body: bytes
    headers: Dict[str, str]


def sign_delivery(
    event: Union[str, Mapping[str, Any]], secret: str = TEST_SECRET, *, timestamp: Optional[float] = None
) -> SignedDelivery:
    """
    Signs an event as the server does, with both signatures, and returns the body and the headers to post. JSON text is
    signed as it is.
    """
    body = (event if isinstance(event, str) else json.dumps(event)).encode()
    fields = json.loads(body)
    seconds = str(int(time.time() if timestamp is None else timestamp))
    key = base64.b64decode(secret.removeprefix(WEBHOOK_SECRET_PREFIX))
    standard = hmac.new(key, f"{fields['id']}.{seconds}.".encode() + body, hashlib.sha256).digest()
    return SignedDelivery(
        body,
        {
            "content-type": "application/json",
            EVENT_HEADER: fields["event"],
            SIGNATURE_HEADER: f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}",
            "webhook-id": fields["id"],
            "webhook-timestamp": seconds,
            "webhook-signature": f"v1,{base64.b64encode(standard).decode()}",
        },
    )
