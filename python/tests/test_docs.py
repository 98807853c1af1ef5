"""Runs the code of docs/python.md and the cells of docs/jobs.md."""

from __future__ import annotations

import os
import re
import sys
import types
from pathlib import Path
from urllib.request import Request, urlopen

DOCS = Path(__file__).parents[2] / "docs"


def read_code(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(), re.S | re.M)


class Answer:
    def __init__(self, text: bytes) -> None:
        self.text = text

    def json(self):
        import json

        return json.loads(self.text)


def get(url: str, headers: dict) -> Answer:
    with urlopen(Request(url, headers=headers)) as response:
        return Answer(response.read())


def test_the_first_test_and_the_start(mock, monkeypatch, capsys):
    requests = types.ModuleType("requests")
    requests.get = get
    monkeypatch.setitem(sys.modules, "requests", requests)
    first, start = read_code("python.md")
    scope: dict = {}
    exec(first, scope)
    scope["test_silicon"](mock)
    assert len(first.splitlines()) <= 10
    exec(start, scope)
    assert "X-Auth-Token" in capsys.readouterr().out


def test_the_cells_of_a_notebook(monkeypatch):
    for name in ("API_HOST", "API_PORT", "API_SECURE", "ACCOUNT_ID", "AUTH_TOKEN"):
        monkeypatch.setenv(name, "")
    scope: dict = {}
    for cell in read_code("jobs.md"):
        exec(cell, scope)
    with scope["mock"]:
        url = f"http://{os.environ['API_HOST']}:{os.environ['API_PORT']}/api/2018-10-01/materials"
        headers = {
            "X-Account-Id": os.environ["ACCOUNT_ID"],
            "X-Auth-Token": os.environ["AUTH_TOKEN"],
        }
        assert len(get(url, headers).json()["data"]) == 50
