"""
Finds the link in an email for a confirmation, a sign-in or a reset. The words of its address and of the clicked text decide.
Links that are common in any mail do not count.
"""
from __future__ import annotations

import re
import urllib.parse
from typing import Any, Callable, List, Mapping, Optional, Union

from ._generated.patterns import ELSEWHERE, UNWANTED, URL_IN_TEXT, WANTED
from ._read_html import HtmlLink, read_html

LinkMatch = Union[str, "re.Pattern[str]", Callable[[str], bool]]
"""Selects a link by its address: an expression that matches it, or a function that accepts it."""

_URLS_MAX = 500
_PUNCTUATION = ".,;:!?*_~"
_OPENINGS = {")": "(", "]": "[", "}": "{"}
_ADDRESS = re.compile(r"https?://\S*")
_HTTP = re.compile(r"https?://", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://[^/?#]*", re.IGNORECASE)
_SECRET = re.compile(r"[A-Za-z0-9_-]{16,}")
_LOOPBACK = re.compile(r"(?:(?:[A-Za-z0-9_-]+\.)*localhost|127(?:\.[0-9]+){3}|\[?::1\]?)")


def find_link(
    message: Mapping[str, Any], match: Optional[LinkMatch] = None, *, allows_local: bool = False
) -> Optional[str]:
    """
    Returns the first link that `match` accepts. Without `match`, returns the link that looks most like a confirmation.
    Returns `None` if there is none.
    """
    links = _links_in(message)
    if match is not None:
        return next((link.url for link in links if _is_match(match, link.url)), None)
    best: Optional[str] = None
    best_score = 0
    for link in links:
        score = _score(link) if _is_safe(link.url, allows_local) else 0
        if score > best_score:
            best, best_score = link.url, score
    return best


def is_loopback(hostname: str) -> bool:
    """Returns whether the host of a URL is this machine."""
    return _LOOPBACK.fullmatch(hostname) is not None


def _is_match(match: LinkMatch, url: str) -> bool:
    return bool(match(url)) if callable(match) else re.search(match, url) is not None


def _is_safe(url: str, allows_local: bool) -> bool:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme == "https" or (allows_local and is_loopback(parts.hostname or ""))


def _links_in(message: Mapping[str, Any]) -> List[HtmlLink]:
    html = message["body_html"]
    links = [] if html is None else list(read_html(html).links)
    text = message["body_text"] or ""
    for index, found in enumerate(URL_IN_TEXT.finditer(text)):
        if index == _URLS_MAX:
            break
        # In plain text, the words before an address take the place of the clicked text.
        introducing = _introduction(text[max(0, found.start() - 120) : found.start()])
        links.append(HtmlLink(_without_punctuation(found.group()), introducing, ""))
    return [link for link in links if _HTTP.match(link.url) and _can_parse(link.url)]


def _can_parse(url: str) -> bool:
    try:
        parts = urllib.parse.urlsplit(url)
        return bool(parts.hostname) and (parts.port is None or parts.port >= 0)
    except ValueError:
        return False


def _introduction(before: str) -> str:
    """Returns the last two non-empty lines before an address, without anything before an earlier address."""
    text = _ADDRESS.split(before)[-1]
    return " ".join([line for line in text.split("\n") if line.strip()][-2:])


def _without_punctuation(raw: str) -> str:
    """Returns an address without the punctuation after it, and without a closing bracket that was opened before it."""
    surplus = {closing: raw.count(closing) - raw.count(opening) for closing, opening in _OPENINGS.items()}
    end = len(raw)
    # The scheme is not punctuation, so the loop ends there at the latest.
    while True:
        last = raw[end - 1]
        if surplus.get(last, 0) > 0:
            surplus[last] -= 1
        elif last not in _PUNCTUATION:
            return raw[:end]
        end -= 1


def _score(link: HtmlLink) -> int:
    """Returns how much a link looks like the wanted one; 0 if it does not."""
    if ELSEWHERE.search(link.url):
        return 0
    path = _ORIGIN.sub("", link.url, count=1)
    if UNWANTED.search(path) or UNWANTED.search(link.text):
        return 0
    # An address with a secret is meant for one person.
    has_secret = _SECRET.search(path) is not None
    words = (2 if WANTED.search(link.text) else 0) + (2 if WANTED.search(path) else 0)
    announced = 1 if has_secret and WANTED.search(link.before) else 0
    found = words + announced
    return 0 if found == 0 else found + (1 if has_secret else 0)
