"""Uses the items of a real server, and converts structures with ASE."""

from __future__ import annotations

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

import materials_mock
from materials_mock import Client, Mock, MockError
from materials_mock.structures import from_ase, to_ase, to_pymatgen

SILICON = {
    "basis": {
        "elements": [{"id": 0, "value": "Si"}, {"id": 1, "value": "Si"}],
        "coordinates": [{"id": 1, "value": [0.25, 0.25, 0.25]}, {"id": 0, "value": [0, 0, 0]}],
        "units": "crystal",
        "labels": [{"id": 1, "value": 2}],
    },
    "lattice": {"type": "FCC", "a": 3.867, "b": 3.867, "c": 3.867, "alpha": 60, "beta": 60, "gamma": 60},
}
POSCAR = "GaAs\n1.0\n0 2.8 2.8\n2.8 0 2.8\n2.8 2.8 0\nGa As\n1 1\nDirect\n0 0 0\n.25 .25 .25\n"


@pytest.fixture(scope="module")
def server():
    with materials_mock.start(job_duration=200, log_level="error") as mock:
        yield mock


@pytest.fixture
def mock(server):
    with server.sandbox("client") as sandbox:
        yield sandbox


@pytest.fixture
def ase():
    """ASE, which only CI must have."""
    return __import__("ase") if os.environ.get("CI") else pytest.importorskip("ase")


def test_lists(mock):
    found = mock.client.materials.list(
        {"formula": {"$in": ["Si", "Ge"]}},
        sort={"formula": 1, "name": -1}, skip=1, limit=2, fields={"formula": 1, "name": 1},
    )
    [sent] = mock.expect_requests({"resource": "materials"}, count=1)
    assert sent["projection"] == {
        "sort": {"formula": 1, "name": -1}, "skip": 1, "limit": 2, "fields": {"formula": 1, "name": 1}
    }
    assert len(found) == 2 and set(found[0]) == {"_id", "formula", "name"}
    assert len(mock.client.materials.list()) == 50
    assert mock.client.materials.list(limit=1, skip=0) == mock.client.materials.list()[:1]
    with pytest.raises(MockError, match="projection.limit must be an integer from 1 to 500, not 0"):
        mock.client.materials.list(limit=0)


def test_items_from_their_creation_to_their_end(mock):
    projects = mock.client.projects
    made = projects.create({"name": "Alloys"})
    assert projects.get(made["_id"])["name"] == "Alloys"
    assert projects.update(made["_id"], {"$set": {"tags": ["a"]}})["tags"] == ["a"]
    projects.delete(made["_id"])
    with pytest.raises(MockError) as error:
        projects.get(made["_id"])
    assert (error.value.status, error.value.code) == (404, "ITEM_NOT_FOUND")


def test_every_resource(mock):
    assert mock.client.bank_workflows.list(limit=1)[0]["systemName"]
    assert mock.client["bank-materials"].list(limit=1)
    with pytest.raises(MockError, match="matirials"):
        mock.client.matirials.list()


def test_imports_and_jobs(mock):
    material = mock.client.materials.import_file(POSCAR, name="Gallium arsenide")
    assert (material["name"], material["formula"]) == ("Gallium arsenide", "GaAs")
    with pytest.raises(MockError, match="CIF"):
        mock.client.materials.import_file(POSCAR, "cif")
    workflow = mock.client.workflows.list(limit=1)[0]
    job = mock.client.jobs.create(
        {"name": "Run", "_material": {"_id": material["_id"]}, "workflow": {"_id": workflow["_id"]}}
    )
    assert mock.client.jobs.submit(job["_id"])["status"] != "pre-submission"
    assert mock.wait_for_job(job["_id"])["status"] == "finished"


def test_a_session_that_a_reset_has_ended(mock):
    client = mock.client
    count = len(client.jobs.list())
    mock.scenario("empty account")
    assert client.jobs.list() == []
    mock.reset()
    mock.snapshot("one")
    assert len(client.jobs.list()) == count
    mock.restore("one")
    assert len(client.jobs.list()) == count


def test_another_account(mock):
    mine = mock.client.materials.create({"name": "Mine"})
    account = mock.headers["X-Account-Id"]
    with pytest.raises(MockError) as error:
        Client(mock.url, {"X-Account-Id": account, "X-Auth-Token": "wrong"}).materials.get(mine["_id"])
    assert error.value.status == 401
    assert Client(mock.url, mock.headers).materials.get(mine["_id"])["name"] == "Mine"


def test_to_ase(ase, mock):
    for material in (SILICON, mock.client.materials.create({"name": "Si", **SILICON})):
        atoms = to_ase(material)
        assert atoms.get_chemical_formula() == "Si2"
        assert atoms.get_volume() == pytest.approx(40.889, abs=0.001)
        assert atoms.get_distance(0, 1, mic=True) == pytest.approx(2.368, abs=0.001)
        assert atoms.pbc.all() and list(atoms.get_tags()) == [0, 2]
    cartesian = {
        "basis": {**SILICON["basis"], "units": "cartesian", "labels": [{"id": 0, "value": "up"}]},
        "lattice": SILICON["lattice"],
        "isNonPeriodic": True,
    }
    atoms = to_ase(cartesian)
    assert atoms.positions[1] == pytest.approx([0.25] * 3)
    assert not atoms.pbc.any() and not atoms.get_tags().any()


def test_from_ase(ase, mock):
    from ase.build import bulk, molecule

    created = mock.client.materials.create({"name": "Copper", **from_ase(bulk("Cu", cubic=True))})
    assert created["formula"] == "Cu"
    assert created["derivedProperties"][0]["value"] == pytest.approx(3.61**3, abs=0.01)
    atoms = bulk("GaAs", "zincblende", 5.65)
    atoms.set_tags([1, 2])
    back = to_ase(mock.client.materials.create({"name": "GaAs", **from_ase(atoms)}))
    assert back.get_all_distances(mic=True)[0][1] == pytest.approx(5.65 * 3**0.5 / 4)
    assert list(back.get_tags()) == [1, 2]
    water = molecule("H2O")
    with pytest.raises(MockError, match=r"H2O has no cell .* atoms.center\(vacuum=5.0\)"):
        from_ase(water)
    water.center(vacuum=5.0)
    assert from_ase(water)["isNonPeriodic"]
    assert to_ase(from_ase(water)).get_distance(0, 1) == pytest.approx(water.get_distance(0, 1))


def test_structures_that_are_not_whole(ase):
    for material in ({"_id": "m1"}, {"_id": "m1", **SILICON, "lattice": {"a": 1}}, {"_id": "m1", "basis": None}):
        with pytest.raises(MockError, match="the material 'm1' has no whole structure"):
            to_ase(material)
    with pytest.raises(MockError, match="the material None has no whole"):
        to_ase(None)


def test_a_library_that_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pymatgen.core", None)
    with pytest.raises(MockError, match="to_pymatgen needs pymatgen, which can't be imported") as error:
        to_pymatgen(SILICON)
    assert error.value.code == "LIBRARY_MISSING"


ANSWERS = {
    "/mock-status": (200, {"X-Mock-Status": "abc"}, b"{}"),
    "/deep": (200, {}, b"[" * 100_000),
    "/list": (200, {}, b"[]"),
    "/text": (200, {}, b"hello"),
    "/bytes": (200, {}, b"\xff"),
    "/bare": (400, {}, b'{"message": 5, "data": {"code": null}}'),
    "/empty": (200, {}, b'{"status": "success", "data": {}}'),
    "/redirect": (302, {"Location": "/list/elsewhere"}, b""),
    "/moved": (307, {"Location": "/empty/elsewhere"}, b""),
}


@pytest.fixture(scope="module")
def stranger():
    """A server that is no mock, the answers by the start of the path, and what was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            asked.append(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            self.rfile.read(length)
            status, headers, body = ANSWERS["/" + self.path.split("/")[1]]
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()


@pytest.mark.parametrize("path", ANSWERS)
def test_whatever_a_server_answers_is_a_mock_error(stranger, path):
    url, asked = stranger
    mock = Mock(url + path)
    client = Client(mock.url, {"X-Account-Id": "a", "X-Auth-Token": "secret"})
    calls = [
        lambda: mock.headers,
        lambda: mock.clock.now,
        lambda: mock.expect_requests({}),
        lambda: mock.seed({"materials": []}),
    ]
    if path != "/empty":
        calls += [lambda: client.materials.get("m1"), mock.reset, mock.faults.list]
    for call in calls:
        with pytest.raises(MockError):
            call()
    assert not any("elsewhere" in each for each in asked), "no redirect is followed"


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_an_id_that_is_none(mock, id):
    mock.faults.add(path="/api/*/jobs", status=503)
    for call in (mock.faults.remove, mock.client.jobs.get, mock.client.jobs.delete, mock.restore):
        with pytest.raises(MockError, match="is not an id or a name"):
            call(id)
    assert len(mock.faults.list()) == 1
