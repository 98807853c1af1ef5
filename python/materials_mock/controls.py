"""Requests to the controls of a mock (docs/controls.md of materials-mock)."""

from __future__ import annotations

import json
from datetime import date
from http.client import HTTPException
from typing import Any, Mapping, Optional
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

__tracebackhide__ = True  # pytest shows the line of the test


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Leaves a redirect as it is: it would take the credentials elsewhere."""


# A mock is on this computer: no proxy is asked.
_OPENER = build_opener(ProxyHandler({}), _NoRedirect)

# The time that a mock may take for an answer, in seconds.
_TIMEOUT = 60.0


class MockError(Exception):
    """An error of a mock, with its stable ``code`` (docs/contract.md) and the ``status``, if any."""
    def __init__(self, message: str, code: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


def segment(text: str) -> str:
    """Encodes a text as one segment of a path. An empty one would name all items."""
    if text in ("", ".", ".."):
        raise MockError(f"{text!r} is not an id or a name", "PARAMETER_INVALID")
    return quote(text, safe="")


def send(
    base: str, method: str, path: str, body: Any = None, parameters: Mapping[str, Any] = {}
) -> Any:
    """Sends a request to a control, and returns the data of its response."""
    texts = {
        key: value if isinstance(value, str) else json.dumps(value)
        for key, value in parameters.items()
        if value is not None
    }
    search = f"?{urlencode(texts)}" if texts else ""
    content = None if body is None else to_json(body)
    return request(base, method, f"/__admin{path}{search}", content)


def to_json(value: Any) -> str:
    """Returns the JSON of a value. Dates become texts; NaN and other types are errors."""
    return json.dumps(value, default=_to_text, allow_nan=False)


def pick(data: Any, name: str) -> Any:
    """Returns a field of an answer. Raises MockError if it is not there."""
    if isinstance(data, dict) and name in data:
        return data[name]
    raise MockError(f"the mock answered without {name}", "DEPLOYMENT_UNUSABLE")


def _to_text(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def request(
    base: str, method: str, path: str, content: Optional[str] = None,
    kind: str = "application/json", credentials: Mapping[str, str] = {},
) -> Any:
    """Sends a request with a content of a media type, and returns the data of its response."""
    data = None if content is None else content.encode()
    headers = dict(credentials) if data is None else {**credentials, "Content-Type": kind}
    sent = Request(base + path, data, headers, method=method)
    try:
        with _OPENER.open(sent, timeout=_TIMEOUT) as response:
            # A request that leaves no trace fails with 200.
            status = response.headers.get("X-Mock-Status", response.status)
            text = response.read()
    except HTTPError as failure:
        with failure:
            status, text = failure.code, failure.read()
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise MockError(f"there is no mock at {base}: {reason}", "DEPLOYMENT_UNUSABLE") from None
    try:
        answer = json.loads(text)
        status = int(status)
        if status < 300:
            # With the option --login-envelope flat, a login has no envelope.
            return answer["data"] if answer.get("status") == "success" else answer
        message, code = answer["message"], answer["data"]["code"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        message = f"{base} is not a mock: {method} {path} answered {status}"
        code = "DEPLOYMENT_UNUSABLE"
    raise MockError(str(message), str(code), status if isinstance(status, int) else None)
