"""Optional parameters, and the options of a call."""
from __future__ import annotations

from typing import Any, Dict, Mapping, TypedDict


class NotGiven:
    """The value of a parameter that was left out. `None` is a value of the API: it clears a field."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


class RequestOptions(TypedDict, total=False):
    """The options of one call."""

    timeout: float
    """The time limit of each attempt, in seconds. Default: the client's limit."""
    max_retries: int
    """The maximum number of retries of a call that may be repeated. Default: the client's maximum."""
    headers: Mapping[str, str]
    """Additional headers."""


def given(fields: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the fields that were given."""
    return {key: value for key, value in fields.items() if not isinstance(value, NotGiven)}
