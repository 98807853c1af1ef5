"""The controls of a mock: what a test does with it."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import datetime
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import urlencode

from .client import Client, Item, Query, open_session
from .controls import MockError, pick, request, segment, send

__tracebackhide__ = True  # pytest shows the line of the test

# The most requests that one page of the journal has, and the ids that a URL has room for.
_PAGE = 500
_IDS = 200

# The statuses that no job leaves by itself, and the time between two looks at a job, in seconds.
_ENDS = {"finished", "error", "terminated", "timeout", "deleted"}
_PAUSE = 0.1


def connect(url: str) -> Mock:
    """Connects to a mock that runs, or to a sandbox of it. Raises MockError if there is none."""
    mock = Mock(url)
    send(mock.url, "GET", "/health")
    return mock


class Mock:
    """A mock, or a sandbox of it, as a context. Members raise MockError."""
    def __init__(self, url: str, on_close: Callable[[], None] = lambda: None) -> None:
        self.url = url.rstrip("/")
        self.api = f"{self.url}/api/2018-10-01"
        self.faults = Faults(self.url)
        self.clock = Clock(self.url)
        self.client = Client(self.url)
        self._on_close = on_close

    @property
    def headers(self) -> Dict[str, str]:
        """The credentials of a new session of the first account."""
        return open_session(self.url)

    def login(self, username: str, password: str) -> Dict[str, str]:
        """Logs in, and returns the credentials."""
        form = urlencode({"username": username, "password": password})
        path, kind = "/api/2018-10-01/login", "application/x-www-form-urlencoded"
        return request(self.url, "POST", path, form, kind)

    def reset(self) -> None:
        """Restores the state right after the start: items, clock, sessions, faults, journal."""
        send(self.url, "POST", "/reset")
        self.client.sign_in_again()

    def snapshot(self, name: str) -> None:
        """Takes a snapshot of items and sessions."""
        send(self.url, "PUT", f"/snapshots/{segment(name)}")

    def restore(self, name: str) -> None:
        """Restores a snapshot."""
        send(self.url, "POST", f"/snapshots/{segment(name)}/restore")
        self.client.sign_in_again()

    def scenario(self, name: str) -> None:
        """Resets, and applies a scenario of ``scenarios.json``."""
        send(self.url, "POST", f"/scenarios/{segment(name)}")
        self.client.sign_in_again()

    def to_scenario(self) -> Item:
        """How the state differs from the fixtures, as an entry of ``scenarios.json``."""
        return send(self.url, "GET", "/scenario")

    def seed(self, items: Mapping[str, Sequence[Query]], seed: int = 1) -> Dict[str, List[Item]]:
        """Replaces items by partial items, and returns these as ``seed`` has completed them."""
        body = {
            resource: partial if isinstance(partial, (Mapping, str)) else list(partial)
            for resource, partial in items.items()
        }
        seeded = send(self.url, "POST", "/seed", body, {"seed": seed})
        return {resource: pick(seeded, resource) for resource in items}

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
        """Checks that ``count`` requests match a query (default: at least one), and returns them.

        ``count`` is a number, or ``{"min": 1, "max": 3}``. A list of queries is an order.
        Raises AssertionError with the closest requests, and why they do not match.
        """
        parameters = {"query": query} if isinstance(query, Mapping) else {"order": list(query)}
        verified = send(self.url, "GET", "/requests/verify", None, {**parameters, "count": count})
        if not pick(verified, "verified"):
            raise AssertionError(pick(verified, "text"))
        found: List[Item] = []
        all_ids = pick(verified, "ids")
        for start in range(0, len(all_ids), _IDS):
            ids = all_ids[start : start + _IDS]
            page = self._list({"_id": {"$in": ids}}, {"limit": _PAGE})
            found.extend(sorted(page, key=lambda each: ids.index(each["_id"])))
        return found

    def wait_for_job(
        self, id: str, timeout: float = 30.0, *, headers: Optional[Mapping[str, str]] = None
    ) -> Item:
        """Returns a job at its end, also with the status ``error``. No fault meets the requests.

        ``headers`` are those of another account. Raises TimeoutError after ``timeout`` seconds.
        """
        client = Client(self.url, {**(headers or self.headers), "X-Mock-Page": "true"})
        end = time.monotonic() + timeout
        while (job := client.jobs.get(id)).get("status") not in _ENDS:
            if time.monotonic() >= end:
                raise TimeoutError(self._describe_delay(id, job, timeout))
            time.sleep(_PAUSE)
        return job

    def _describe_delay(self, id: str, job: Item, timeout: float) -> str:
        delay = f"the job {id} is {job.get('status')} after {timeout} s"
        if job.get("status") == "pre-submission":
            return f"{delay}: client.jobs.submit({id!r}) submits it"
        frozen = ": the clock is frozen; clock.advance(ms) or clock.freeze(False) lets it go on"
        return delay + frozen if self.clock.frozen else delay

    def explain(
        self, resource: str, id: str, query: Query = {}, *,
        account_id: Optional[str] = None, projection: Optional[Query] = None,
    ) -> Item:
        """Explains why an item is in a list, or why not. ``["text"]`` is a readable tree."""
        parameters = {"query": query, "projection": projection, "accountId": account_id}
        parameters["lists"] = "documented"  # migrated lists drop the query
        return send(self.url, "GET", f"/explain/{segment(resource)}/{segment(id)}", None, parameters)

    def footprint(self) -> Item:
        """Returns what requests have used since the start or the last reset."""
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
    """The rules by which requests are delayed or fail (docs/faults.md)."""
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
        return pick(send(self._url, "GET", "/clock"), "now")

    @property
    def offset(self) -> int:
        """The difference from the system's clock, in ms."""
        return pick(send(self._url, "GET", "/clock"), "offset")

    @property
    def frozen(self) -> bool:
        """Whether time stands still."""
        return pick(send(self._url, "GET", "/clock"), "frozen")

    def advance(self, ms: int) -> Item:
        """Goes forward."""
        return send(self._url, "POST", "/clock", {"advance": ms})

    def set(self, time: Union[datetime, str]) -> Item:
        """Sets the time: a datetime with a zone, or a text such as ``2026-01-01T00:00:00Z``."""
        return send(self._url, "POST", "/clock", {"set": time})

    def rewind(self, time: Union[datetime, str]) -> Item:
        """Sets the time, and shows each job as it was then."""
        return send(self._url, "POST", "/clock", {"rewind": time})

    def freeze(self, frozen: bool = True) -> Item:
        """Lets time stand still, or with False go on from where it stands."""
        return send(self._url, "POST", "/clock", {"freeze": frozen})

    def reset(self) -> Item:
        """Returns to the clock of the system."""
        return send(self._url, "DELETE", "/clock")
