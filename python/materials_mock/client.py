"""The items of the platform's API: ``mock.client.materials.list()``."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional
from urllib.parse import urlencode

from .controls import pick, request, segment, to_json

__tracebackhide__ = True  # pytest shows the line of the test

Item = Dict[str, Any]
Query = Mapping[str, Any]


class Resource:
    """The items of one resource. Members raise MockError with the message of the server."""
    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._path = f"/{segment(name)}"

    def list(
        self, query: Query = {}, *, sort: Optional[Mapping[str, int]] = None,
        skip: Optional[int] = None, limit: Optional[int] = None, fields: Optional[Query] = None,
    ) -> List[Item]:
        """Returns the items that match a query in MongoDB's language, 50 without a ``limit``.

        ``sort`` has paths with 1 or -1, and ``fields`` has paths with 1 or 0.
        """
        projection = _omit_none(sort=sort, skip=skip, limit=limit, fields=fields)
        search = urlencode({"query": to_json(query), "projection": to_json(projection)})
        return self._client.send("GET", f"{self._path}?{search}")

    def get(self, id: str) -> Item:
        """Returns one item."""
        return self._client.send("GET", self._item(id))

    def create(self, item: Query) -> Item:
        """Creates an item, and returns it with the fields that the server completes."""
        return self._client.send("PUT", f"{self._path}/create", item)

    def update(self, id: str, change: Query) -> Item:
        """Changes an item by fields, or by operators such as ``$set``. Returns it."""
        return self._client.send("PATCH", self._item(id), change)

    def delete(self, id: str) -> None:
        """Deletes an item."""
        self._client.send("DELETE", self._item(id))

    def _item(self, id: str) -> str:
        return f"{self._path}/{segment(id)}"


def _omit_none(**values: Any) -> Dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


class Materials(Resource):
    def import_file(
        self, content: str, format: Optional[str] = None, *, name: Optional[str] = None
    ) -> Item:
        """Creates a material from the text of a POSCAR (``format="poscar"``) or a CIF (``"cif"``)."""
        body = _omit_none(content=content, format=format, name=name)
        return self._client.send("POST", f"{self._path}/import", body)


class Jobs(Resource):
    def submit(self, id: str) -> Item:
        """Submits a job, and returns it. ``mock.wait_for_job(id)`` waits for its end."""
        return self._client.send("POST", f"{self._item(id)}/submit")


class Client:
    """The resources, for the first account or that of ``headers``: ``client.bank_materials``.

    ``client["bank-materials"]`` takes any name. The first request opens a session.
    """
    materials: Materials
    workflows: Resource
    jobs: Jobs
    projects: Resource
    properties: Resource
    bank_materials: Resource
    bank_workflows: Resource

    def __init__(self, url: str, headers: Optional[Mapping[str, str]] = None) -> None:
        self._url = url
        self._headers = headers

    def __getitem__(self, resource: str) -> Resource:
        kind = {"materials": Materials, "jobs": Jobs}.get(resource, Resource)
        return kind(self, resource)

    def __getattr__(self, name: str) -> Resource:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name.replace("_", "-")]

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request to a path below the version of the API, and returns its ``data``."""
        if self._headers is None:
            self._headers = open_session(self._url)
        content = None if body is None else to_json(body)
        path = f"/api/2018-10-01{path}"
        return request(self._url, method, path, content, credentials=self._headers)

    def sign_in_again(self) -> None:
        """Opens another session with the next request, since a reset has ended the last one."""
        self._headers = None


def open_session(url: str) -> Dict[str, str]:
    """Opens a session of the first account, and returns its credentials."""
    session = request(url, "POST", "/__admin/sessions", "{}")
    return {key: pick(session, key) for key in ("X-Account-Id", "X-Auth-Token")}
