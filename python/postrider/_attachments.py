"""Converts files to send to the form that the API takes."""
from __future__ import annotations

import base64
import os
from typing import Any, Dict, List, Sequence, TypedDict, Union

from ._generated.types import AttachmentInput
from .errors import PostriderError


class _AttachmentFields(TypedDict, total=False):
    filename: str
    """The file name. Default: the name in the path."""
    content_type: str
    """The media type. Default: guessed from the name."""
    content_id: str
    """The Content-ID, by which HTML refers to the file (RFC 2392): `<img src="cid:logo">`."""


class AttachmentContent(_AttachmentFields):
    """A file to send, as bytes, with a `filename`."""

    content: bytes


class AttachmentPath(_AttachmentFields):
    """A file to send from the disk."""

    path: Union[str, "os.PathLike[str]"]


AttachmentSource = Union[AttachmentPath, AttachmentContent, AttachmentInput]
"""A file to send: from the disk, as bytes, or in Base64 as the API takes it."""


def encode_attachments(sources: Sequence[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """Reads the files and returns them in the form that the API takes."""
    return [_encode(source, index) for index, source in enumerate(sources)]


def _encode(source: Dict[str, Any], index: int) -> Dict[str, Any]:
    if "content_base64" in source:
        return source
    fields = {key: value for key, value in source.items() if key not in ("path", "content")}
    if "path" in source:
        fields.setdefault("filename", os.path.basename(source["path"]))
        content = _read(source["path"], index)
    else:
        content = source.get("content")
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise PostriderError(f"attachments[{index}] needs a path, content_base64, or content as bytes.")
        if "filename" not in fields:
            raise PostriderError(f"attachments[{index}] needs a filename: only paths have their own.")
    return {**fields, "content_base64": base64.b64encode(content).decode("ascii")}


def _read(path: Union[str, "os.PathLike[str]"], index: int) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise PostriderError(f"attachments[{index}] cannot be read: {error}") from error
