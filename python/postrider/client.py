"""The blocking client."""
from __future__ import annotations

import os
import re
import ssl
import urllib.parse
from typing import Any, Callable, Mapping, Optional, Union

from . import _resources as resources
from ._caller import Caller, Settings, check_limits
from ._generated.routes import DEFAULT_BASE_URL, ENV_API_KEY, ENV_BASE_URL
from ._given import NOT_GIVEN, NotGiven, RequestOptions
from ._http import Transport
from .errors import PostriderError

ApiKey = Union[str, Callable[[], str]]
TIMEOUT = 60.0
MAX_RETRIES = 2


class Postrider:
    """The client of the API. Its fields are the resources, and their methods make the calls. Threads may share it."""

    def __init__(
        self,
        *,
        api_key: Optional[ApiKey] = None,
        base_url: Optional[str] = None,
        timeout: float = TIMEOUT,
        max_retries: int = MAX_RETRIES,
        webhook_secret: Optional[str] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """
        Creates a client. Raises a `PostriderError` if the API key is missing or an option is invalid.

        `api_key`: The API key, or a function that returns it and is called before every attempt. Default:
        `POSTRIDER_API_KEY`.

        `base_url`: The base URL of the API, with its version. Default: `POSTRIDER_BASE_URL`, or the address of a server on
        this machine.

        `timeout`: The time limit of each attempt, in seconds.

        `max_retries`: The maximum number of retries of a call that may be repeated.

        `webhook_secret`: The secret of the webhook whose deliveries `webhooks.unwrap` verifies. Default:
        `POSTRIDER_WEBHOOK_SECRET`.

        `ssl_context`: The certificates that are trusted. Default: those of the system.
        """
        settings = read_settings(api_key, base_url, timeout, max_retries, Transport(ssl_context))
        self._build(Caller(settings), webhook_secret)

    def _build(self, caller: Caller, webhook_secret: Optional[str]) -> None:
        self._caller = caller
        self._webhook_secret = webhook_secret
        self.inboxes = resources.Inboxes(caller)
        self.messages = resources.Messages(caller)
        self.threads = resources.Threads(caller)
        self.attachments = resources.Attachments(caller)
        self.labels = resources.Labels(caller)
        self.rules = resources.Rules(caller)
        self.suppressions = resources.Suppressions(caller)
        self.drafts = resources.Drafts(caller)
        self.domains = resources.Domains(caller)
        self.events = resources.Events(caller)
        self.webhooks = resources.Webhooks(caller, webhook_secret)
        self.deliveries = resources.Deliveries(caller)
        self.account = resources.Account(caller)
        self.policy = resources.Policy(caller)

    def with_options(
        self,
        *,
        api_key: Union[ApiKey, NotGiven] = NOT_GIVEN,
        timeout: Union[float, NotGiven] = NOT_GIVEN,
        max_retries: Union[int, NotGiven] = NOT_GIVEN,
    ) -> "Postrider":
        """
        Returns a new client with the given options in place of this client's own. The waits and streams of each client take
        the calls of the other into account.
        """
        client = Postrider.__new__(Postrider)
        settings = changed_settings(self._caller.settings, api_key, timeout, max_retries)
        client._build(Caller(settings, self._caller), self._webhook_secret)
        return client

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        options: Optional[RequestOptions] = None,
    ) -> Any:
        """
        Calls an endpoint that this client has no method for, with the key, retries and errors of the client. A POST is
        retried only if the server did nothing.
        """
        return self._caller.request(method, path, query, body, options)

    def close(self) -> None:
        """Closes the idle connections."""
        self._caller.settings.transport.close()

    def __enter__(self) -> "Postrider":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_settings(
    api_key: Optional[ApiKey],
    base_url: Optional[str],
    timeout: float,
    max_retries: int,
    transport: Transport,
) -> Settings:
    """Returns the settings of a client. Options that are left out come from the environment or have defaults."""
    check_limits(timeout, max_retries)
    url = base_url or _environment(ENV_BASE_URL) or DEFAULT_BASE_URL
    return Settings(
        _checked_url(url), _key_source(api_key or _environment(ENV_API_KEY)), timeout, max_retries, transport
    )


def changed_settings(
    settings: Settings,
    api_key: Union[ApiKey, NotGiven],
    timeout: Union[float, NotGiven],
    max_retries: Union[int, NotGiven],
) -> Settings:
    """Returns a copy of the settings with some values changed."""
    changed = settings
    if not isinstance(api_key, NotGiven):
        changed = changed._replace(get_api_key=_key_source(api_key))
    if not isinstance(timeout, NotGiven):
        changed = changed._replace(timeout=timeout)
    if not isinstance(max_retries, NotGiven):
        changed = changed._replace(max_retries=max_retries)
    check_limits(changed.timeout, changed.max_retries)
    return changed


def _environment(name: str) -> Optional[str]:
    return os.environ.get(name, "").strip() or None


def _checked_url(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise PostriderError(f"base_url must be a URL like {DEFAULT_BASE_URL}, not {url!r}.")
    return url.rstrip("/")


def _key_source(api_key: Optional[ApiKey]) -> Callable[[], str]:
    if api_key is None:
        raise PostriderError(
            f"The API key is missing: pass Postrider(api_key=…) or set {ENV_API_KEY}. "
            "A server prints its first key when it starts for the first time."
        )
    if callable(api_key):
        ask = api_key
        return lambda: _checked_key(ask())
    key = _checked_key(api_key)
    return lambda: key


def _checked_key(key: object) -> str:
    text = key.strip() if isinstance(key, str) else ""
    if not re.fullmatch(r"[!-~]+", text):
        raise PostriderError("The API key is empty or contains invalid characters.")
    return text
