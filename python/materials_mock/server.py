"""Starts the command of materials-mock as a process of its own."""

from __future__ import annotations

import atexit
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from pathlib import Path
from typing import IO, Any, Deque, List, Mapping, Optional, Sequence, Union

from .controls import MockError
from .mock import Mock

__tracebackhide__ = True  # pytest shows the line of the test

# The command, where it is not in the usual places. The command itself knows no such variable.
_VARIABLE = "MATERIALS_MOCK_COMMAND"
_NAME = "materials-mock.cmd" if os.name == "nt" else "materials-mock"

# The line of the banner, in text or JSON, from which on the server answers.
_API = re.compile(r"API +(https?://\S+?)/api/2018-10-01")


class StartError(MockError):
    """The server did not start. The message has its last lines."""
    def __init__(self, message: str) -> None:
        super().__init__(message, "START_FAILED")


def start(
    fixtures: Union[Mapping[str, Any], str, "os.PathLike[str]", None] = None,
    *,
    flags: Sequence[str] = (),
    **options: Any,
) -> Mock:
    """Starts a server on a free port. It ends with the context, ``close()`` and Python.

    ``fixtures`` is a path, or a dict with a list of items for each resource. ``options`` are those
    of the command in snake case (docs/options.md), such as ``job_duration=200``, ``cors=False``;
    ``flags`` are some as the command has them. Raises StartError with the server's last lines.
    """
    server = _Server()
    try:
        if isinstance(fixtures, Mapping):
            options["fixtures"] = server.write_fixtures(fixtures)
        elif fixtures is not None:
            options["fixtures"] = os.fspath(fixtures)
        if not any(flag.split("=")[0] == "--port" for flag in flags):
            options.setdefault("port", 0)
        url = server.run([*find_command(), "--stop-with-stdin", *_to_flags(options), *flags])
    except BaseException:
        server.close()
        raise
    return Mock(url, server.close)


def find_command() -> List[str]:
    """Finds the command by the variable, in node_modules here or above, or in the PATH."""
    given = os.environ.get(_VARIABLE)
    if given:
        return [given] if Path(given).exists() else shlex.split(given)
    for folder in (Path.cwd(), *Path.cwd().parents):
        path = folder / "node_modules" / ".bin" / _NAME
        if path.exists():
            return [str(path)]
    found = shutil.which("materials-mock")
    if found is not None:
        return [found]
    raise StartError(
        "the command materials-mock is not in node_modules here or above, nor in the PATH: "
        f"install the npm package that this Python package is a part of, or name the command in {_VARIABLE}"
    )


def _to_flags(options: Mapping[str, Any]) -> List[str]:
    flags = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            flags.append(f"--{flag}" if value else f"--no-{flag}")
        elif value is not None:
            text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value
            flags.append(f"--{flag}={text}")
    return flags


def _drain(output: IO[str]) -> None:
    with output:
        deque(output, maxlen=0)  # a full pipe would stop the server


class _Server:
    """The process of a server, and the folder of its fixtures."""
    def __init__(self) -> None:
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._process: Optional[subprocess.Popen[str]] = None
        atexit.register(self.close)

    def write_fixtures(self, fixtures: Mapping[str, Any]) -> str:
        self._folder = tempfile.TemporaryDirectory(prefix="materials-mock-")
        path = Path(self._folder.name) / "fixtures.json"
        path.write_text(json.dumps(fixtures), encoding="utf-8")
        return str(path)

    def run(self, command: Sequence[str]) -> str:
        """Runs the command, and returns the URL of the server when it answers."""
        environment = {key: value for key, value in os.environ.items() if key != _VARIABLE}
        try:
            # The server ends with its standard input, also if Python is killed.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=environment, encoding="utf-8", errors="replace",
            )
        except OSError as error:
            raise StartError(f"{command[0]} can't be run: {error.strerror}") from None
        output = self._process.stdout
        assert output is not None
        lines: Deque[str] = deque(maxlen=20)
        for line in output:
            lines.append(line)
            found = _API.search(line)
            if found is not None:
                threading.Thread(target=_drain, args=(output,), daemon=True).start()
                return found.group(1)
        output.close()
        code = self._process.wait()
        raise StartError(f"materials-mock ended with code {code}:\n{''.join(lines).rstrip()}")

    def close(self) -> None:
        """Ends the server, and removes its folder."""
        atexit.unregister(self.close)
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._folder is not None:
            self._folder.cleanup()
