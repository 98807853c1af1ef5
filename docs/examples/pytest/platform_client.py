"""Sends what the platform's own Python client sends. It stands in for it where it is not installed."""

import json
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Endpoints:
    """The endpoints of one resource, such as ``materials``."""

    def __init__(self, api: str, resource: str, headers: dict) -> None:
        self.url = f"{api}/{resource}"
        self.headers = {**headers, "Content-Type": "application/json"}

    def list(self, query: dict = {}, projection: dict = {}) -> list:
        # The client always sends both.
        parameters = {"query": json.dumps(query), "projection": json.dumps(projection)}
        return self._send("GET", f"?{urlencode(parameters)}")

    def create(self, item: dict) -> dict:
        return self._send("PUT", "/create", item)

    def _send(self, method: str, path: str, body: object = None) -> object:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.url + path, data, self.headers, method=method)) as response:
            return json.load(response)["data"]
