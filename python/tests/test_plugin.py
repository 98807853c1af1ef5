"""Runs pytest with the plugin on tests of its own."""

from __future__ import annotations

import json

import pytest

import materials_mock

TEST = """
import json
from urllib.request import Request, urlopen

import pytest


@pytest.mark.parametrize("number", range(8))
def test_each_has_a_sandbox(mock, number):
    assert "/sandboxes/" in mock.url
    mock.seed({"materials": [{"_id": f"m{number}"}]})
    with urlopen(Request(mock.api + "/materials", headers=mock.headers)) as response:
        assert [item["_id"] for item in json.load(response)["data"]] == [f"m{number}"]
    mock.expect_requests({"resource": "materials"}, count=1)


def test_the_server(mock, materials_mock_server):
    assert mock.url.startswith(materials_mock_server.url)
"""


def test_each_test_has_a_sandbox_of_its_own(pytester):
    pytester.makepyfile(TEST)
    pytester.runpytest_subprocess().assert_outcomes(passed=9)


def test_in_parallel(pytester):
    pytest.importorskip("xdist")
    pytester.makepyfile(TEST)
    pytester.runpytest_subprocess("-n", "4").assert_outcomes(passed=9)


def test_a_failure_shows_the_closest_requests(pytester):
    pytester.makepyfile(
        """
        from urllib.request import Request, urlopen

        def test_it(mock):
            urlopen(Request(mock.api + "/materials", headers=mock.headers)).close()
            mock.expect_requests({"resource": "projects"})
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            '>*mock.expect_requests({"resource": "projects"})',
            'E*AssertionError: 0 requests match {"resource": "projects"}, expected: at least 1',
            'E*resource $eq "projects": no (resource is "materials")',
        ]
    )


def test_options_of_the_command(pytester):
    (pytester.path / "data.json").write_text(json.dumps({"materials": [{"_id": "mine"}]}))
    pytester.makeini("[pytest]\nmaterials_mock_options = --fixtures data.json --read-only")
    pytester.makepyfile(
        """
        def test_it(mock):
            assert mock.explain("materials", "mine")["text"]
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_server_that_runs(pytester):
    with materials_mock.start(fixtures={"materials": [{"_id": "theirs"}]}) as server:
        pytester.makepyfile(
            f"""
            def test_it(mock, materials_mock_server):
                assert materials_mock_server.url == "{server.url}"
                assert mock.explain("materials", "theirs")["text"]
            """
        )
        result = pytester.runpytest_subprocess("--materials-mock-url", server.url)
        result.assert_outcomes(passed=1)
        server.reset()


def test_a_server_that_does_not_start(pytester):
    pytester.makeini("[pytest]\nmaterials_mock_options = --fixtures /nowhere")
    pytester.makepyfile("def test_it(mock): pass")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["materials-mock ended with code 1:*", "*nowhere*"])
    result.stdout.no_fnmatch_line("*materials_mock/*.py*")


def test_a_traceback_ends_in_the_line_of_the_test(pytester):
    pytester.makepyfile(
        """
        from materials_mock import structures

        def test_a_control(mock):
            mock.restore("none")

        def test_an_item(mock):
            mock.client.materials.get("none")

        def test_a_structure():
            structures.to_pymatgen({})
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=3)
    result.stdout.no_fnmatch_line("*materials_mock/*.py*")
