"""Requests to the controls of a mock (docs/controls.md of materials-mock)."""

from __future__ import annotations

import json
from datetime import date
from functools import partial
from http.client import HTTPException
from typing import Any, Mapping, Optional
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

# A mock is on this computer: no proxy is asked.
_OPENER = build_opener(ProxyHandler({}))

# Encodes a text as one segment of a path.
segment = partial(quote, safe="")

# The time that a mock may take for an answer, in seconds.
_TIMEOUT = 60.0


class MockError(Exception):
    """An error of a mock. ``code`` is stable, such as ``SNAPSHOT_NOT_FOUND`` (docs/contract.md).

    It is ``DEPLOYMENT_UNUSABLE`` if no mock answers. ``status`` is that of the response, if any.
    """
    def __init__(self, message: str, code: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


def send(
    base: str, method: str, path: str, body: Any = None, parameters: Mapping[str, Any] = {}
) -> Any:
    """Sends a request to a control, and returns the data of its response.

    Parameters that are no text are sent as JSON; those that are None are left out.
    Raises MockError for a failure, and if there is no mock at the URL.
    """
    texts = {
        key: value if isinstance(value, str) else json.dumps(value)
        for key, value in parameters.items()
        if value is not None
    }
    search = f"?{urlencode(texts)}" if texts else ""
    content = None if body is None else json.dumps(body, default=_to_text, allow_nan=False)
    return request(base, method, f"/__admin{path}{search}", content)


def _to_text(value: Any) -> str:
    """Returns the text of a date or a time in ISO 8601."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def request(
    base: str, method: str, path: str, content: Optional[str] = None,
    kind: str = "application/json", credentials: Mapping[str, str] = {},
) -> Any:
    """Sends a request with a content of a media type, and returns the data of its response."""
    data = None if content is None else content.encode()
    headers = dict(credentials) if data is None else {"Content-Type": kind}
    sent = Request(base + path, data, headers, method=method)
    try:
        with _OPENER.open(sent, timeout=_TIMEOUT) as response:
            # A request that leaves no trace fails with 200.
            status = int(response.headers.get("X-Mock-Status", response.status))
            text = response.read()
    except HTTPError as failure:
        with failure:
            status, text = failure.code, failure.read()
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise MockError(f"there is no mock at {base}: {reason}", "DEPLOYMENT_UNUSABLE") from None
    try:
        answer = json.loads(text)
        if status < 400:
            # With the option --login-envelope flat, a login has no envelope.
            return answer["data"] if answer.get("status") == "success" else answer
        message, code = answer["message"], answer["data"]["code"]
    except (ValueError, KeyError, TypeError, AttributeError):
        message = f"{base} is not a mock: {method} {path} answered {status}"
        code = "DEPLOYMENT_UNUSABLE"
    raise MockError(message, code, status)
