"""Inboxes, labels and webhooks that a program wants to have at every start."""
from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence

from ._caller import Caller
from ._given import RequestOptions
from ._work import Work
from .errors import APIError


def get_or_create_inbox(
    caller: Caller, work: Work, params: Mapping[str, Any], options: Optional[RequestOptions]
) -> Any:
    """Returns the workspace's inbox with this address, and creates it if it does not exist."""
    try:
        # A repeat fails because the address is taken, and names the inbox that the first attempt created.
        return caller.call("inboxes.create", body=params, options=options, work=work, is_repeatable=True)
    except APIError as error:
        inbox_id = error.body.get("inbox_id") if error.code == "address_taken" else None
        if inbox_id is None:
            raise
        return caller.call("inboxes.get", path_id=inbox_id, options=options, work=work)


def get_or_create_label(
    caller: Caller, work: Work, params: Mapping[str, Any], options: Optional[RequestOptions]
) -> Any:
    """Returns the workspace's label with this name, ignoring case, and creates it if it does not exist."""
    try:
        return caller.call("labels.create", body=params, options=options, work=work, is_repeatable=True)
    except APIError as error:
        if error.code != "label_name_taken":
            raise
        known = caller.list("labels.list", query={"name": params["name"]}, options=options, work=work).items
        # Otherwise it was deleted in the meantime.
        if not known:
            raise
        return known[0]


def ensure_webhook(
    caller: Caller, work: Work, params: Mapping[str, Any], options: Optional[RequestOptions]
) -> Any:
    """
    Returns the webhook with this URL and these inboxes, enabled and with these events. Creates it if it does not exist. If
    several programs create it at the same moment, all but the first delete theirs and return the first one.
    """
    known = _oldest_like(caller, work, params, options)
    if known is None:
        created = caller.call("webhooks.create", body=params, options=options, work=work)
        oldest = _oldest_like(caller, work, params, options)
        if oldest is None or oldest["id"] >= created["id"]:
            return created
        caller.call("webhooks.delete", path_id=created["id"], options=options, work=work)
        return oldest
    if known["enabled"] and sorted(known["events"]) == sorted(params["events"]):
        return known
    body = {"events": params["events"], "enabled": True}
    return caller.call("webhooks.update", path_id=known["id"], body=body, options=options, work=work)


def _oldest_like(
    caller: Caller, work: Work, params: Mapping[str, Any], options: Optional[RequestOptions]
) -> Any:
    page = caller.list("webhooks.list", query={"limit": 100}, options=options, work=work)
    oldest = None
    for known in page:
        # The server adds the slash of an empty path.
        is_same_url = known["url"] in (params["url"], f"{params['url']}/")
        if is_same_url and _sorted(known["inbox_ids"]) == _sorted(params.get("inbox_ids")):
            oldest = known
    return oldest


def _sorted(items: Optional[Sequence[str]]) -> List[str]:
    return sorted(items or [])
