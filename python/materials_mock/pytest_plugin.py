"""Fixtures of pytest: ``mock`` is a sandbox of its own for each test, on one server for all."""

import os
import shlex
from typing import Iterator
from uuid import uuid4

import pytest

from .controls import MockError
from .mock import Mock, connect
from .server import start

__tracebackhide__ = True


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("materials-mock")
    group.addoption("--materials-mock-url", metavar="URL", help="a materials-mock that runs")
    parser.addini("materials_mock_options", "flags of the command materials-mock", default="")


@pytest.fixture(scope="session")
def materials_mock_server(pytestconfig: pytest.Config) -> Iterator[Mock]:
    """The server of the session. With pytest-xdist, each process has one."""
    url = pytestconfig.getoption("--materials-mock-url") or os.environ.get("MATERIALS_MOCK_URL")
    flags = shlex.split(pytestconfig.getini("materials_mock_options"))
    try:
        server = connect(url) if url else start(flags=flags)
    except MockError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None
    with server:
        yield server


@pytest.fixture
def mock(materials_mock_server: Mock) -> Iterator[Mock]:
    """A sandbox: no other test, also of another process, sees its items and requests."""
    with materials_mock_server.sandbox(f"test-{uuid4().hex}") as sandbox:
        yield sandbox
