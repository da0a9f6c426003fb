"""Finds the content of HTML that a reader sees: its text and its links."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List, NamedTuple, Optional

_LENGTH_MAX = 2_000_000
"""No legitimate mail is longer."""
_LINKS_MAX = 1_000
_BEFORE_LENGTH = 100
_HIDDEN = frozenset(["style", "script", "title"])
"""
Elements whose content is not shown. `head` is not one of them, because it may have no end tag, and its other elements
have no text.
"""
_INLINE = frozenset("a abbr b em font i img mark small span strong sub sup u wbr".split())


@dataclass
class HtmlLink:
    """A link of an HTML mail, with the text that is clicked."""

    url: str
    text: str
    before: str
    """The end of the text before the link."""


class ReadHtml(NamedTuple):
    """The text of HTML, and its links."""

    text: str
    links: List[HtmlLink]


def read_html(html: str) -> ReadHtml:
    """
    Reads HTML in one pass from tag to tag. Mail may be hostile, so nothing here searches for an end that may not exist,
    and the time depends on the length alone.
    """
    links: List[HtmlLink] = []
    texts: List[str] = []
    before = ""
    link: Optional[HtmlLink] = None
    hidden_by: Optional[str] = None
    for index, part in enumerate(html[:_LENGTH_MAX].split("<")):
        end = part.find(">")
        if hidden_by == "-->" or part.startswith("!--"):
            hidden_by = None if "-->" in part else "-->"
            if hidden_by is None:
                texts.append(_decode(part[part.index("-->") + 3 :]))
            continue
        is_tag = index > 0 and end >= 0
        named = _TAG_NAME.match(part) if is_tag else None
        name = named.group().lower() if named else ""
        if hidden_by is not None:
            if name != f"/{hidden_by}":
                continue
            hidden_by = None
        elif name in _HIDDEN:
            hidden_by = name
            continue
        if name == "a":
            link = HtmlLink(_attribute(part[:end], _HREF).strip(), "", before)
            if link.url and len(links) < _LINKS_MAX:
                links.append(link)
        elif name == "/a":
            link = None
        shown = _decode(_SPACES.sub(" ", part[end + 1 :] if is_tag else part))
        if link is not None:
            # An image that is not loaded shows its text.
            link.text += (_attribute(part[:end], _ALT) if name == "img" else "") + shown
        added = f"\n{shown}" if is_tag and name.replace("/", "") not in _INLINE else shown
        texts.append(added)
        before = (before + added)[-_BEFORE_LENGTH:]
    return ReadHtml("".join(texts), links)


_TAG_NAME = re.compile(r"/?[a-z][a-z0-9]*", re.IGNORECASE | re.ASCII)
_SPACES = re.compile(r"\s+")
_HREF = re.compile(r"\shref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"']+))", re.IGNORECASE)
_ALT = re.compile(r"\salt\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"']+))", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));", re.IGNORECASE)
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}


def _attribute(tag: str, attribute: "re.Pattern[str]") -> str:
    found = attribute.search(tag)
    return "" if found is None else _decode(next((one for one in found.groups() if one is not None), ""))


def _decode(text: str) -> str:
    return _ENTITY.sub(_decode_one, text)


def _decode_one(found: "re.Match[str]") -> str:
    decimal, hexadecimal, name = found.groups()
    if name is not None:
        return _ENTITIES.get(name.lower(), found.group())
    code = int(decimal) if decimal is not None else int(hexadecimal, 16)
    return chr(code) if code <= 0x10FFFF else found.group()
