"""Runs the code of docs/python.md and the cells of docs/jobs.md."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import types
from functools import partial
from json import dumps
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def read_code(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(), re.S | re.M)


class Answer:
    """What the pages read of a response of the package requests, which the tests do without."""

    def __init__(self, status: int, text: bytes) -> None:
        self.status_code = status
        self.text = text

    def raise_for_status(self) -> None:
        assert self.status_code < 400, self.text

    def json(self):
        return json.loads(self.text)


def ask(method: str, url: str, headers: dict, json: object = None, params: dict = {}) -> Answer:
    body = None if json is None else dumps(json).encode()
    sent = {**headers, "Content-Type": "application/json"} if body else headers
    try:
        with urlopen(Request(f"{url}?{urlencode(params)}", body, sent, method=method)) as response:
            return Answer(response.status, response.read())
    except HTTPError as error:
        with error:
            return Answer(error.code, error.read())


def get(url: str, headers: dict, **options) -> Answer:
    return ask("GET", url, headers, **options)


@pytest.fixture(autouse=True)
def requests(monkeypatch):
    module = types.ModuleType("requests")
    module.request = ask
    for method in ("get", "post", "put"):
        setattr(module, method, partial(ask, method.upper()))
    monkeypatch.setitem(sys.modules, "requests", module)


def test_the_first_test_and_the_start(mock, capsys):
    first, start, *_ = read_code("python.md")
    scope: dict = {}
    exec(first, scope)
    scope["test_silicon"](mock)
    assert len(first.splitlines()) <= 10
    exec(start, scope)
    assert "X-Auth-Token" in capsys.readouterr().out


def test_a_job_and_sessions_after_a_reset(mock):
    scope: dict = {}
    exec(read_code("python.md")[3], scope)
    scope["test_a_job_and_its_results"](mock)


def test_structures(mock):
    if not os.environ.get("CI"):
        pytest.importorskip("ase")
    scope: dict = {}
    exec(read_code("python.md")[2], scope)
    scope["test_copper"](mock)


def test_the_cells_of_a_notebook(monkeypatch):
    for name in ("API_HOST", "API_PORT", "API_SECURE", "ACCOUNT_ID", "AUTH_TOKEN"):
        monkeypatch.setenv(name, "")
    scope: dict = {}
    cells = read_code("jobs.md")
    for cell in cells[:4]:
        exec(cell, scope)
    assert scope["job"]["status"] == "finished"
    assert scope["results"]["total_energy"]["units"] == "eV"
    for cell in cells[4:]:
        exec(cell, scope)
    with scope["mock"]:
        assert len(scope["send"]("GET", "/jobs")) > 0
        url = f"http://{os.environ['API_HOST']}:{os.environ['API_PORT']}/api/2018-10-01/materials"
        headers = {
            "X-Account-Id": os.environ["ACCOUNT_ID"],
            "X-Auth-Token": os.environ["AUTH_TOKEN"],
        }
        assert len(get(url, headers).json()["data"]) == 50


def test_the_installation_into_a_virtual_environment(tmp_path):
    package = tmp_path / "node_modules/materials-mock/python"
    shutil.copytree(DOCS.parent / "python", package, ignore=shutil.ignore_patterns("tests"))
    get, create, install = re.search(r"^```sh\n(.*?)\n```$", (DOCS / "python.md").read_text(), re.S | re.M)[
        1
    ].split("\n")
    if subprocess.run(create, shell=True, cwd=tmp_path, capture_output=True).returncode != 0:
        pytest.skip("this Python makes no virtual environments")
    assert f"\n{get}\n" in (DOCS.parent / "README.md").read_text(), "another test runs it"
    python = tmp_path / ".venv/bin/python"
    installed = subprocess.run(install, shell=True, cwd=tmp_path, capture_output=True, text=True)
    if "requirement setuptools" in installed.stderr:
        pytest.skip("there is no setuptools at hand, and no network to download it")
    assert installed.returncode == 0, installed.stderr
    code = "import materials_mock; print(materials_mock.__file__)"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    found = subprocess.run([python, "-c", code], env=environment, cwd=tmp_path, capture_output=True)
    assert str(tmp_path / ".venv") in found.stdout.decode()
