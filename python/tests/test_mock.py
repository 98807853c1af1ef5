"""Starts real servers with the command of the project, and uses every member."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

import materials_mock
from materials_mock import Mock, MockError, StartError

ACCOUNTS = [{"_id": "ann", "username": "ann", "password": "x", "tokens": ["ann-token"]}]
FIXTURES = {"accounts": ACCOUNTS, "materials": [{"_id": "m1", "formula": "Si"}], "jobs": []}
# The material of the fixtures has no structure, so a job must say what it leaves.
RUNS = {"outcome": {"results": []}}
PYTHON = Path(__file__).parents[1]


@pytest.fixture
def server():
    with materials_mock.start(fixtures=FIXTURES, log_level="error") as mock:
        yield mock


def ask(mock: Mock, path: str, headers=None, **parameters):
    search = f"?{urlencode(parameters)}" if parameters else ""
    with urlopen(Request(mock.api + path + search, headers=headers or mock.headers)) as response:
        return json.load(response)["data"]


def ids(items) -> str:
    return ",".join(item["_id"] for item in items)


def test_addresses_and_credentials(server):
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", server.url)
    assert server.api == f"{server.url}/api/2018-10-01"
    assert ids(ask(server, "/materials")) == "m1"
    assert ids(ask(server, "/materials", server.login("ann", "x"))) == "m1"
    with pytest.raises(MockError) as error:
        server.login("ann", "wrong")
    assert (error.value.status, error.value.code) == (401, "LOGIN_REJECTED")


def test_faults(server):
    server.faults.add(path="/api/*/materials", status=503, times=1)
    with pytest.raises(HTTPError, match="503"):
        ask(server, "/materials")
    assert ids(ask(server, "/materials")) == "m1"
    rule = server.faults.add(path="/api/*/jobs", status=500)
    assert server.faults.list() == [rule]
    server.faults.remove(rule["_id"])
    assert server.faults.list() == []
    server.faults.add(path="/api/**", status=500)
    server.faults.clear()
    assert server.faults.list() == []
    with pytest.raises(MockError, match="path must match the path of a route"):
        server.faults.add(path="/api/*/matirials", status=500)


def test_requests_and_what_is_expected_of_them(server):
    headers = server.headers
    ask(server, "/materials", headers)
    ask(server, "/materials/m1", headers)
    assert [each["path"][-3:] for each in server.requests()] == ["/m1", "als"]
    assert len(server.requests({"resource": "materials"}, {"limit": 1})) == 1
    assert len(server.expect_requests({"resource": "materials"}, count=2)) == 2
    assert len(server.expect_requests({"resource": "materials"}, count={"min": 1, "max": 5})) == 2
    order = [{"path": {"$regex": "als$"}}, {"path": {"$regex": "m1$"}}]
    assert [each["path"][-3:] for each in server.expect_requests(order)] == ["als", "/m1"]
    with pytest.raises(AssertionError) as error:
        server.expect_requests({"method": "PUT"})
    assert 'method $eq "PUT": no (method is "GET")' in str(error.value)
    with pytest.raises(AssertionError):
        server.expect_requests(order[::-1])
    with pytest.raises(MockError, match=r"\$wrong"):
        server.expect_requests({"$wrong": 1})


def test_more_requests_than_a_page_has(server):
    headers = server.headers
    for _ in range(510):
        ask(server, "/materials/m1", headers)
    assert len(server.requests({"resource": "materials"})) == 510
    assert len(server.expect_requests({"resource": "materials"}, count=510)) == 510


def test_seeds(server):
    jobs = [{"name": "Relax", "_material": {"_id": "s1"}}]
    seeded = server.seed({"jobs": jobs, "materials": [{"_id": "s1"}]})
    assert ids(seeded["materials"]) == "s1"
    assert seeded["jobs"][0]["_material"]["_id"] == "s1"
    assert server.seed({"materials": [{}]}, seed=5) == server.seed({"materials": [{}]}, seed=5)
    with pytest.raises(MockError, match="formula must be a string, not 5"):
        server.seed({"materials": [{"formula": 5}]})
    before = ask(server, "/materials")
    with pytest.raises(MockError, match=r"seed.matirials must .* the closest one is materials"):
        server.seed({"materials": [], "matirials": []})
    with pytest.raises(MockError, match=r"seed.jobs\[0\]: name must be a string, not 5"):
        server.seed({"materials": [], "jobs": [{"name": 5}]})
    for items in ({}, "m1"):
        with pytest.raises(MockError, match="seed.materials must be"):
            server.seed({"materials": items})
    with pytest.raises(TypeError, match="Object of type Decimal is not JSON serializable"):
        server.seed({"materials": [{"metadata": {"a": Decimal("1.5")}}]})
    with pytest.raises(ValueError, match="JSON compliant"):
        server.seed({"materials": [{"metadata": {"a": float("nan")}}]})
    assert ask(server, "/materials") == before
    [seeded] = server.seed({"materials": [{"metadata": {"on": date(2027, 1, 1)}}]})["materials"]
    assert seeded["metadata"]["on"] == "2027-01-01"


def test_states(server):
    server.snapshot("one")
    server.seed({"materials": []})
    assert ask(server, "/materials") == []
    server.restore("one")
    assert ids(ask(server, "/materials")) == "m1"
    server.seed({"materials": []})
    server.reset()
    assert ids(ask(server, "/materials")) == "m1"
    with pytest.raises(MockError) as error:
        server.restore("none")
    assert error.value.code == "SNAPSHOT_NOT_FOUND"


def test_clock(server):
    server.clock.freeze()
    assert server.clock.frozen
    assert server.clock.set("2026-01-01T00:00:00Z")["now"] == "2026-01-01T00:00:00.000Z"
    assert server.clock.advance(60_000)["now"] == "2026-01-01T00:01:00.000Z"
    server.clock.set(datetime(2027, 1, 1, tzinfo=timezone.utc))
    assert server.clock.now == "2027-01-01T00:00:00.000Z"
    assert server.clock.offset > 0
    assert server.clock.rewind("2026-12-31T00:00:00Z")["now"] == "2026-12-31T00:00:00.000Z"
    server.clock.freeze(False)
    assert server.clock.reset()["offset"] == 0
    assert not server.clock.frozen


def test_run(server):
    with pytest.raises(MockError) as error:
        server.run("j/1")
    assert error.value.code == "ITEM_NOT_FOUND"
    [job] = server.seed({"jobs": [{"status": "finished"}]})["jobs"]
    run = server.run(job["_id"])
    assert run["submittedAt"] <= run["activeAt"] <= run["endsAt"]


def test_a_job_is_awaited(server):
    made = server.seed({"jobs": [{"name": "a", "status": "pre-submission", **RUNS}, {"name": "b"}]})["jobs"]
    id, frozen = made[0]["_id"], made[1]["_id"]
    with pytest.raises(TimeoutError, match=f"{id} is pre-submission after 0.2 s: client.jobs.submit\\('{id}'\\) submits it"):
        server.wait_for_job(id, timeout=0.2)
    server.clock.freeze()
    submit(server, id)
    with pytest.raises(TimeoutError, match="is submitted after 0 s: the clock is frozen; clock.adv"):
        server.wait_for_job(id, timeout=0)
    requests = server.requests()
    server.faults.add(path="/api/**", status=503)
    server.clock.advance(60_000)
    job = server.wait_for_job(id)
    assert (job["_id"], job["status"]) == (id, "finished")
    assert server.requests() == requests, "the journal has none of its requests"
    with pytest.raises(MockError) as error:
        server.wait_for_job("none")
    assert (error.value.status, error.value.code) == (404, "ITEM_NOT_FOUND")
    server.reset()
    with pytest.raises(MockError, match="jobs"):
        server.wait_for_job(frozen)


def test_a_job_that_runs_is_awaited():
    with materials_mock.start(fixtures=FIXTURES, job_duration=300, log_level="error") as mock:
        [job] = mock.seed({"jobs": [{"name": "a", "status": "pre-submission", **RUNS}]})["jobs"]
        submit(mock, job["_id"])
        with pytest.raises(TimeoutError, match=r"is (submitted|active) after 0 s$"):
            mock.wait_for_job(job["_id"], 0)
        assert mock.wait_for_job(job["_id"], 20, headers=mock.login("ann", "x"))["status"] == "finished"


def submit(mock: Mock, id: str) -> None:
    with urlopen(Request(f"{mock.api}/jobs/{id}/submit", headers=mock.headers, method="POST")):
        pass


def test_explain_and_footprint(server):
    assert 'formula $eq "Ge": no' in server.explain("materials", "m1", {"formula": "Ge"})["text"]
    server.explain("materials", "m1", account_id="ann", projection={"limit": 1})
    with pytest.raises(MockError) as error:
        server.explain("materials", "m2")
    assert error.value.code == "ITEM_NOT_FOUND"
    with materials_mock.start(fixtures=FIXTURES, lists="migrated") as mock:
        assert 'formula $eq "Ge": no' in mock.explain("materials", "m1", {"formula": "Ge"})["text"]
    ask(server, "/materials")
    assert server.footprint()["uses"][0]["path"] == "/materials"


def test_sandboxes(server):
    with server.sandbox("one") as one:
        one.seed({"materials": []})
        assert ask(one, "/materials") == []
        assert ids(ask(server, "/materials")) == "m1"
        assert ids(ask(one.sandbox("two"), "/materials")) == "m1"
        assert ids(ask(materials_mock.connect(one.url), "/materials")) == ""
    with pytest.raises(MockError) as error:
        one.reset()
    assert error.value.code == "SANDBOX_NOT_FOUND"
    one.close()


def test_connect(server):
    with materials_mock.connect(server.url + "/") as mock:
        assert ids(ask(mock, "/materials")) == "m1"
    server.reset()  # it goes on
    for url in (server.api, "http://127.0.0.1:9"):
        with pytest.raises(MockError) as error:
            materials_mock.connect(url)
        assert error.value.code in ("DEPLOYMENT_UNUSABLE", "ROUTE_NOT_FOUND")


def test_scenarios_and_options(tmp_path):
    (tmp_path / "scenarios.json").write_text('{"none": {"items": {"materials": []}}}')
    (tmp_path / "materials.json").write_text('[{"_id": "m9"}]')
    with materials_mock.start(tmp_path, read_only=True, cors=False, journal=None) as mock:
        assert ids(ask(mock, "/materials")) == "m9"
        assert mock.to_scenario() == {}
        mock.seed({"materials": [{"_id": "m7"}]})
        assert [item["_id"] for item in mock.to_scenario()["items"]["materials"]] == ["m7"]
        mock.scenario("none")
        assert ask(mock, "/materials") == []
        with pytest.raises(MockError, match='there are "none"'):
            mock.scenario("nine")


def test_a_strict_mock_takes_whole_items_only():
    with materials_mock.start(strict=True) as mock:
        assert mock.client.materials.list({"formula": "Si"}, limit=1)[0]["formula"] == "Si"
        with pytest.raises(MockError, match="lattice, basis must not be missing"):
            mock.client.materials.create({"name": "x"})


def test_a_start_that_fails(tmp_path, monkeypatch):
    for options, message in (
        ({"job_durtion": 5}, "--job-durtion.*the closest one is --job-duration"),
        ({"port": 80_000}, "--port must be an integer"),
        ({"fixtures": {"materials": [{}]}}, "_id or id is missing"),
        ({"fixtures": tmp_path / "none"}, "it does not exist"),
    ):
        with pytest.raises(StartError, match=message):
            materials_mock.start(**options)
    monkeypatch.setenv("MATERIALS_MOCK_COMMAND", "/nowhere/materials-mock")
    with pytest.raises(StartError, match="/nowhere/materials-mock can't be run: No such file"):
        materials_mock.start()
    monkeypatch.delenv("MATERIALS_MOCK_COMMAND")
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StartError, match="install the npm package that this Python package is a part of"):
        materials_mock.start()


def test_the_command_is_found_in_node_modules(tmp_path, monkeypatch):
    command = os.environ["MATERIALS_MOCK_COMMAND"]
    monkeypatch.delenv("MATERIALS_MOCK_COMMAND")
    (tmp_path / "node_modules/.bin").mkdir(parents=True)
    (tmp_path / "node_modules/.bin/materials-mock").symlink_to(Path(command).absolute())
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path / "tests")
    with materials_mock.start(fixtures=FIXTURES) as mock:
        assert ids(ask(mock, "/materials")) == "m1"


def wait_until_closed(url: str) -> None:
    for _ in range(200):
        try:
            urlopen(url).close()
        except (URLError, ConnectionError):
            return
        time.sleep(0.05)
    raise AssertionError(f"{url} still answers")


@pytest.mark.parametrize("end", ["exit", "SIGKILL"])
def test_the_server_ends_with_python(end):
    script = "import materials_mock; print(materials_mock.start().url, flush=True); input()"
    environment = {**os.environ, "PYTHONPATH": str(PYTHON)}
    child = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    url = child.stdout.readline().strip()
    urlopen(url).close()
    if end == "exit":
        child.stdin.write("\n")
        child.stdin.flush()
    else:
        child.send_signal(signal.SIGKILL)
    wait_until_closed(url)
    child.communicate()


def test_the_server_ends_with_close():
    mock = materials_mock.start(fixtures=FIXTURES)
    mock.close()
    mock.close()
    wait_until_closed(mock.url)


def test_versions_agree():
    package = json.loads((PYTHON.parent / "package.json").read_text())
    project = (PYTHON / "pyproject.toml").read_text()
    assert f'version = "{package["version"]}"' in project
    lines = sum(len(file.read_text().splitlines()) for file in PYTHON.glob("materials_mock/*.py"))
    assert lines <= 750


def test_requests_become_a_test(server):
    text = ""
    for name, formula in [("recorded", "Si"), ("again", "Si"), ("changed", "Ge")]:
        with server.sandbox(name) as mock:
            mock.faults.add(path="/api/*/jobs", status=503)
            headers = {**mock.headers, "Content-Type": "application/json"}
            create = Request(mock.api + "/materials/create", b'{"name": "x"}', headers, method="PUT")
            with urlopen(create) as response:
                ask(mock, f"/materials/{json.load(response)['data']['_id']}")
            ask(mock, "/materials", query=json.dumps({"formula": formula, "$nor": [{"a": None}]}))
            if text == "":
                with urlopen(f"{mock.url}/__admin/requests.test?language=pytest") as response:
                    text = response.read().decode()
            scope = {}
            exec(compile(text, "test_requests.py", "exec"), scope)
            if name != "changed":
                scope["test_the_requests_are_as_recorded"](mock)
                assert len(mock.faults.list()) == 2
            else:
                with pytest.raises(AssertionError):
                    scope["test_the_requests_are_as_recorded"](mock)
