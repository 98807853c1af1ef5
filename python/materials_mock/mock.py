"""The controls of a mock: what a test does with it."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import datetime
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import urlencode

from .controls import MockError, request, segment, send

Item = Dict[str, Any]
Query = Mapping[str, Any]

# The most requests that one page of the journal has, and the ids that a URL has room for.
_PAGE = 500
_IDS = 200

# The statuses that no job leaves by itself, and the time between two looks at a job, in seconds.
_ENDS = {"finished", "error", "terminated", "timeout", "deleted"}
_PAUSE = 0.1


def connect(url: str) -> Mock:
    """Connects to a mock that runs, or to a sandbox of it: ``http://127.0.0.1:4000/sandboxes/one``.

    Raises MockError if there is no mock, or if it has no controls.
    """
    mock = Mock(url)
    send(mock.url, "GET", "/health")
    return mock


class Mock:
    """A mock, or a sandbox of it. Members raise MockError with the message of the server.

    It is a context: at its end, and with ``close()``, a started server or a sandbox ends.
    """
    def __init__(self, url: str, on_close: Callable[[], None] = lambda: None) -> None:
        self.url = url.rstrip("/")
        self.api = f"{self.url}/api/2018-10-01"
        self.faults = Faults(self.url)
        self.clock = Clock(self.url)
        self._on_close = on_close

    @property
    def headers(self) -> Dict[str, str]:
        """The credentials of a new session of the first account."""
        session = send(self.url, "POST", "/sessions", {})
        return {key: session[key] for key in ("X-Account-Id", "X-Auth-Token")}

    def login(self, username: str, password: str) -> Dict[str, str]:
        """Logs in, and returns the credentials."""
        form = urlencode({"username": username, "password": password})
        path, kind = "/api/2018-10-01/login", "application/x-www-form-urlencoded"
        return request(self.url, "POST", path, form, kind)

    def reset(self) -> None:
        """Restores the state right after the start: items, clock, sessions, faults, journal."""
        send(self.url, "POST", "/reset")

    def snapshot(self, name: str) -> None:
        """Takes a snapshot of the items and sessions."""
        send(self.url, "PUT", f"/snapshots/{segment(name)}")

    def restore(self, name: str) -> None:
        """Restores a snapshot."""
        send(self.url, "POST", f"/snapshots/{segment(name)}/restore")

    def scenario(self, name: str) -> None:
        """Resets, and applies a scenario of ``scenarios.json``."""
        send(self.url, "POST", f"/scenarios/{segment(name)}")

    def to_scenario(self) -> Item:
        """How the state differs from the fixtures, as an entry of ``scenarios.json``."""
        return send(self.url, "GET", "/scenario")

    def seed(self, items: Mapping[str, Sequence[Query]], seed: int = 1) -> Dict[str, List[Item]]:
        """Replaces the items of resources by partial items, which are completed, and returns these.

        The same ``seed`` completes them in the same way. Jobs may refer to other items of the call.
        If an item is wrong, nothing is replaced.
        """
        body = {
            resource: partial if isinstance(partial, (Mapping, str)) else list(partial)
            for resource, partial in items.items()
        }
        seeded = send(self.url, "POST", "/seed", body, {"seed": seed})
        return {resource: seeded[resource] for resource in items}

    def run(self, job_id: str) -> Item:
        """Returns the life of a job, with what is still to come: its times, and those of its units."""
        return send(self.url, "GET", f"/runs/{segment(job_id)}")

    def requests(self, query: Query = {}, projection: Query = {}) -> List[Item]:
        """Returns the recorded requests that match a query, the newest first."""
        if "limit" in projection:
            return self._list(query, projection)
        # Requests that arrive meanwhile would move the pages.
        newest = self._list({}, {"limit": 1})
        earlier = {"$and": [query, {"_id": {"$lte": newest[0]["_id"] if newest else ""}}]}
        found: List[Item] = []
        page: List[Item] = [{}] * _PAGE
        while len(page) == _PAGE:
            skip = projection.get("skip", 0) + len(found)
            page = self._list(earlier, {**projection, "limit": _PAGE, "skip": skip})
            found.extend(page)
        return found

    def expect_requests(
        self, query: Union[Query, Sequence[Query]], count: Union[int, Query, None] = None
    ) -> List[Item]:
        """Checks how many requests match a query (default: at least one), and returns them.

        ``count`` is a number, or ``{"min": 1, "max": 3}``. With a list of queries, a request
        matches the first one, a later request the second one, and so on.
        Raises AssertionError with the closest requests, and why they do not match.
        """
        __tracebackhide__ = True  # pytest shows the line of the test
        parameters = {"query": query} if isinstance(query, Mapping) else {"order": list(query)}
        verified = send(self.url, "GET", "/requests/verify", None, {**parameters, "count": count})
        if not verified["verified"]:
            raise AssertionError(verified["text"])
        found: List[Item] = []
        for start in range(0, len(verified["ids"]), _IDS):
            ids = verified["ids"][start : start + _IDS]
            page = self._list({"_id": {"$in": ids}}, {"limit": _PAGE})
            found.extend(sorted(page, key=lambda each: ids.index(each["_id"])))
        return found

    def wait_for_job(
        self, id: str, timeout: float = 30.0, *, headers: Optional[Mapping[str, str]] = None
    ) -> Item:
        """Waits until a job has ended, and returns it, also with the status ``error``.

        ``headers`` are the credentials of another account than the first one. The journal and the
        faults leave out what it asks. Raises TimeoutError with the status of the job after ``timeout``
        seconds: a job that was not submitted never ends, nor does one while the clock is frozen.
        """
        credentials = {**(headers or self.headers), "X-Mock-Page": "true"}
        path = f"/api/2018-10-01/jobs/{segment(id)}"
        end = time.monotonic() + timeout
        while True:
            job = request(self.url, "GET", path, credentials=credentials)
            if job["status"] in _ENDS:
                return job
            if time.monotonic() >= end:
                break
            time.sleep(_PAUSE)
        if job["status"] == "pre-submission":
            why = f": POST /jobs/{id}/submit submits it"
        elif self.clock.frozen:
            why = ": the clock is frozen; clock.advance(ms) or clock.freeze(False) lets it go on"
        else:
            why = ""
        raise TimeoutError(f"the job {id} is {job['status']} after {timeout} s{why}")

    def explain(
        self, resource: str, id: str, query: Query = {}, *,
        account_id: Optional[str] = None, projection: Optional[Query] = None,
    ) -> Item:
        """Explains why an item is in a list, or why not. ``["text"]`` is a readable tree."""
        parameters = {"query": query, "projection": projection, "accountId": account_id,
                      "lists": "documented"}  # migrated lists drop the query
        return send(self.url, "GET", f"/explain/{segment(resource)}/{segment(id)}", None, parameters)

    def footprint(self) -> Item:
        """Returns what requests have relied on since the start or the last reset."""
        return send(self.url, "GET", "/footprint")

    def sandbox(self, name: str) -> Mock:
        """Makes a sandbox of the server, or brings it back to the fixtures as loaded."""
        root = self.url.split("/sandboxes/")[0]
        path = f"/sandboxes/{segment(name)}"
        send(root, "PUT", path)
        return Mock(root + path, lambda: _end_sandbox(root, path))

    def close(self) -> None:
        """Ends the started server, or the sandbox. A mock of ``connect`` goes on."""
        self._on_close()

    def __enter__(self) -> Mock:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _list(self, query: Query, projection: Query) -> List[Item]:
        return send(self.url, "GET", "/requests", None, {"query": query, "projection": projection})


def _end_sandbox(root: str, path: str) -> None:
    with suppress(MockError):  # it has ended, or the server has
        send(root, "DELETE", path)


class _Part:
    def __init__(self, url: str) -> None:
        self._url = url


class Faults(_Part):
    """The rules by which requests are delayed or fail (docs/controls.md#faults)."""
    def add(self, **fault: Any) -> Item:
        """Adds a rule: ``add(path="/api/*/materials", status=503, times=1)``. Returns it."""
        return send(self._url, "POST", "/faults", fault)

    def list(self) -> List[Item]:
        """Returns all rules in their order."""
        return send(self._url, "GET", "/faults")

    def remove(self, id: str) -> None:
        """Removes one rule."""
        send(self._url, "DELETE", f"/faults/{segment(id)}")

    def clear(self) -> None:
        """Removes all rules."""
        send(self._url, "DELETE", "/faults")


class Clock(_Part):
    """The time of items, jobs and sessions. What becomes due by a change has then happened."""
    @property
    def now(self) -> str:
        """The time, in ISO 8601."""
        return send(self._url, "GET", "/clock")["now"]

    @property
    def offset(self) -> int:
        """The difference from the system's clock, in ms."""
        return send(self._url, "GET", "/clock")["offset"]

    @property
    def frozen(self) -> bool:
        """Whether time stands still."""
        return send(self._url, "GET", "/clock")["frozen"]

    def advance(self, ms: int) -> Item:
        """Goes forward."""
        return send(self._url, "POST", "/clock", {"advance": ms})

    def set(self, time: Union[datetime, str]) -> Item:
        """Sets the time: a datetime with a zone, or a text such as ``2026-01-01T00:00:00Z``."""
        return send(self._url, "POST", "/clock", {"set": time})

    def rewind(self, time: Union[datetime, str]) -> Item:
        """Sets the time as ``set`` does, and shows each job as it was then."""
        return send(self._url, "POST", "/clock", {"rewind": time})

    def freeze(self, frozen: bool = True) -> Item:
        """Lets time stand still, or with False go on from where it stands."""
        return send(self._url, "POST", "/clock", {"freeze": frozen})

    def reset(self) -> Item:
        """Returns to the clock of the system."""
        return send(self._url, "DELETE", "/clock")
