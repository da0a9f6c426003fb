"""The async client."""
from __future__ import annotations

import ssl
from typing import Any, Mapping, Optional, Union

from . import _async_resources as resources
from ._async_caller import AsyncCaller, Threads
from ._caller import Caller
from ._given import NOT_GIVEN, NotGiven, RequestOptions
from ._http import Transport
from .client import MAX_RETRIES, TIMEOUT, ApiKey, changed_settings, read_settings

THREADS = 64


class AsyncPostrider:
    """
    The client of the API for programs that use `asyncio`. It runs `Postrider` in threads: each call occupies a thread until it
    ends, as does each wait, and each stream while it waits for its next item. Cancelling a task closes its connection.
    """

    def __init__(
        self,
        *,
        api_key: Optional[ApiKey] = None,
        base_url: Optional[str] = None,
        timeout: float = TIMEOUT,
        max_retries: int = MAX_RETRIES,
        webhook_secret: Optional[str] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        threads: int = THREADS,
    ) -> None:
        """
        Creates a client. The options are those of `Postrider` and `threads`, the maximum number of calls, waits and streams in
        progress at once. Further ones wait for their turn.
        """
        settings = read_settings(api_key, base_url, timeout, max_retries, Transport(ssl_context))
        self._build(AsyncCaller(Caller(settings), Threads(threads)), webhook_secret)

    def _build(self, caller: AsyncCaller, webhook_secret: Optional[str]) -> None:
        self._caller = caller
        self._webhook_secret = webhook_secret
        self.inboxes = resources.AsyncInboxes(caller)
        self.messages = resources.AsyncMessages(caller)
        self.threads = resources.AsyncThreads(caller)
        self.attachments = resources.AsyncAttachments(caller)
        self.labels = resources.AsyncLabels(caller)
        self.rules = resources.AsyncRules(caller)
        self.suppressions = resources.AsyncSuppressions(caller)
        self.drafts = resources.AsyncDrafts(caller)
        self.domains = resources.AsyncDomains(caller)
        self.events = resources.AsyncEvents(caller)
        self.webhooks = resources.AsyncWebhooks(caller, webhook_secret)
        self.deliveries = resources.AsyncDeliveries(caller)
        self.account = resources.AsyncAccount(caller)
        self.policy = resources.AsyncPolicy(caller)

    def with_options(
        self,
        *,
        api_key: Union[ApiKey, NotGiven] = NOT_GIVEN,
        timeout: Union[float, NotGiven] = NOT_GIVEN,
        max_retries: Union[int, NotGiven] = NOT_GIVEN,
    ) -> "AsyncPostrider":
        """
        Returns a new client with the given options in place of this client's own, in the same threads. The waits and streams
        of each client take the calls of the other into account.
        """
        client = AsyncPostrider.__new__(AsyncPostrider)
        sync = self._caller.sync
        settings = changed_settings(sync.settings, api_key, timeout, max_retries)
        client._build(AsyncCaller(Caller(settings, sync), self._caller.threads), self._webhook_secret)
        return client

    async def request(
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
        return await self._caller.run(
            lambda caller, work: caller.request(method, path, query, body, options, work)
        )

    async def close(self) -> None:
        """
        Ends the calls, waits and streams that are in progress, with an `AbortedError` for calls and waits, and closes the
        connections.
        """
        self._caller.threads.close()
        self._caller.sync.settings.transport.close()

    async def __aenter__(self) -> "AsyncPostrider":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
