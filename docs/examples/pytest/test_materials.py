"""Tests of code that uses the platform, against a mock."""

from urllib.error import HTTPError

import pytest
from platform_client import Endpoints


@pytest.fixture
def materials(mock):
    mock.seed({"materials": [{"_id": "m1", "formula": "Si"}, {"_id": "m2", "formula": "Ge"}]})
    return Endpoints(mock.api, "materials", mock.headers)


def test_a_query(mock, materials):
    assert [item["_id"] for item in materials.list({"formula": "Si"})] == ["m1"]
    mock.expect_requests({"resource": "materials", "query": {"formula": "Si"}}, count=1)


def test_a_failure(mock, materials):
    mock.faults.add(path="/api/*/materials", status=503, times=1)
    with pytest.raises(HTTPError, match="503"):
        materials.list()
    assert len(materials.list()) == 2


def test_a_job_that_runs(mock):
    mock.seed({"jobs": [{"name": "Relax", "status": "pre-submission"}]})
    jobs = Endpoints(mock.api, "jobs", mock.headers)
    assert jobs.list()[0]["status"] == "pre-submission"
    mock.clock.advance(60_000)
    assert jobs.list({"name": "Relax"})[0]["name"] == "Relax"
