"""Starts and controls materials-mock, a local server of materials (docs/python.md)."""

from .controls import MockError
from .mock import Clock, Faults, Mock, connect
from .server import StartError, start

__all__ = ["Clock", "Faults", "Mock", "MockError", "StartError", "connect", "start"]
