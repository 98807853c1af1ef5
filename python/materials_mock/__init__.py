"""Starts and controls materials-mock, a local server of materials (docs/python.md)."""

from .client import Client, Resource
from .controls import MockError
from .mock import Clock, Faults, Mock, connect
from .server import StartError, start

__all__ = ["Client", "Clock", "Faults", "Mock", "MockError", "Resource", "StartError", "connect", "start"]
