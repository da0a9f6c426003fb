"""
Finds the one-time code in an email: digits, or letters and digits, near a word that announces a code. Mail has many other
numbers, which do not count. The subject is searched first, then the new text, then the whole text.
"""
from __future__ import annotations

import re
from typing import Any, List, Mapping, NamedTuple, Optional

from ._generated.patterns import AFTER_OTHER_NUMBER, BARGAIN, BEFORE_OTHER_NUMBER, CANDIDATES, CODE_WORDS
from ._read_html import read_html

_BEHIND_MAX = 200
"""The maximum distance from the word that announces a code to a code after it, in characters, on a line of its own."""
_BEHIND_IN_SENTENCE_MAX = 70
_BEFORE_MAX = 60
"""The maximum distance from a code to that word after it: "123456 is your code"."""
_LENGTH_MAX = 20_000
_CANDIDATES_MAX = 300

_WORD = "A-Za-z0-9_"
_BOUNDARY = f"(?:(?<![{_WORD}])(?=[{_WORD}])|(?<=[{_WORD}])(?![{_WORD}]))"
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[^\s@]{1,64}@\S+", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r]+")
_LINE_BEFORE = re.compile(rf"(?:^|\n)[^{_WORD}]*\Z")
_LINE_BEHIND = re.compile(rf"[^{_WORD}]*(?:\n|\Z)")
_NAMED = re.compile(
    rf"(?:[^{_WORD}]|{_BOUNDARY}(?:is|ist|lautet|est|es|è|é|jest|är|er|on|to){_BOUNDARY}){{0,6}}\Z",
    re.IGNORECASE,
)
_OTHER_AHEAD = re.compile(r"[^.!?。\n]{0,25}\Z")
_OTHER_AFTER = re.compile(rf" (?:is|ist|est|es|è){_BOUNDARY}[^.!?\n]{{0,12}}\Z")
_DATE = re.compile(r"(?:19|20)[0-9][0-9](?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))?")
_CAPITALS = re.compile(r"[A-Z]+")
_DIGITS = re.compile(r"[0-9][0-9 -]*")
_SMALL = re.compile(r"[a-z]")
_LARGE = re.compile(r"[A-Z]")
_GAPS = re.compile("[ \u00a0]")


def find_code(message: Mapping[str, Any], pattern: "Optional[re.Pattern[str]]" = None) -> Optional[str]:
    """Returns the one-time code of a message, or the match of `pattern`; `None` if there is none."""
    html = message["body_html"]
    # The subject often only announces the code in the text, as in "Your code".
    texts = (
        lambda: message["subject"],
        lambda: message["extracted_text"] or "",
        lambda: message["body_text"] or "",
        lambda: "" if html is None else read_html(html).text,
    )
    for text in texts:
        found = _code_in(text()) if pattern is None else _match_in(text(), pattern)
        if found is not None:
            return found
    return None


def _match_in(text: str, pattern: "re.Pattern[str]") -> Optional[str]:
    found = pattern.search(text)
    if found is None:
        return None
    group = found.group(1) if pattern.groups > 0 else None
    return (found.group() if group is None else group) or None


class _Word(NamedTuple):
    """A word that announces a code, or a code of another kind."""

    start: int
    end: int
    is_other: bool


def _code_in(original: str) -> Optional[str]:
    text = _SPACES.sub(" ", _ADDRESS.sub(" ", original[:_LENGTH_MAX]))
    words = [
        _Word(found.start(), found.end(), found.group("other") is not None)
        for found in CODE_WORDS.finditer(text)
    ]
    best: Optional[str] = None
    best_score = 0.0
    for index, found in enumerate(CANDIDATES.finditer(text)):
        if index == _CANDIDATES_MAX:
            break
        score = _score(text, found.group(), found.start(), words)
        if score > best_score:
            best, best_score = _GAPS.sub("", found.group()), score
    return best


def _score(text: str, raw: str, at: int, every: List[_Word]) -> float:
    """Returns how much a candidate looks like the code; 0 if it is not one."""
    end = at + len(raw)
    before = text[max(0, at - _BEHIND_MAX) : at]
    behind = text[end : end + _BEFORE_MAX]
    if BEFORE_OTHER_NUMBER.search(before[-40:]) or AFTER_OTHER_NUMBER.match(behind):
        return 0
    if _is_of_other_code(text, end, at, every):
        return 0
    words = [word for word in every if not word.is_other]
    ahead = next((word for word in reversed(words) if word.end <= at), None)
    after = next((word for word in words if word.start >= end), None)
    ahead_by = float("inf") if ahead is None else at - ahead.end
    after_by = float("inf") if after is None else after.start - end
    if ahead_by > _BEHIND_MAX and after_by > _BEFORE_MAX:
        return 0
    is_alone = bool(_LINE_BEFORE.search(before)) and bool(_LINE_BEHIND.match(behind))
    is_named = ahead is not None and bool(_NAMED.match(text[ahead.end : at]))
    is_capitals = bool(_CAPITALS.fullmatch(raw))
    if not is_alone and ahead_by > _BEHIND_IN_SENTENCE_MAX and after_by > _BEFORE_MAX:
        return 0
    if not is_alone and not is_named and (_DATE.fullmatch(raw) or is_capitals):
        return 0
    if _LARGE.search(raw) and BARGAIN.search(before[-80:] + behind):
        return 0
    # A word with digits is usually a name, a unit or a version, unless the text says that it is the code.
    if _SMALL.search(raw) and not is_alone and not is_named:
        return 0
    # A line in capitals is more often a heading than a code.
    if is_capitals and not is_named:
        return 0
    nearness = 1 - min(ahead_by / _BEHIND_MAX, after_by / _BEFORE_MAX, 1)
    return 1 + nearness + is_alone + is_named + (0.5 if _DIGITS.fullmatch(raw) else 0)


def _is_of_other_code(text: str, end: int, at: int, every: List[_Word]) -> bool:
    """Returns whether the code of another kind is named right before or after a candidate."""
    ahead = next((word for word in reversed(every) if word.end <= at), None)
    if ahead is not None and ahead.is_other and _OTHER_AHEAD.match(text[ahead.end : at]):
        return True
    after = next((word for word in every if word.start >= end), None)
    return after is not None and after.is_other and bool(_OTHER_AFTER.match(text[end : after.start]))
