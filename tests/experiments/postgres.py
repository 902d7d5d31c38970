"""A real PostgreSQL server for the tests, in a folder of its own, on a free port of loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg

from tests.system import program


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server and yield its URL; it is stopped and its folder removed at the end."""
    initdb, server = program("initdb", "postgresql"), program("pg_ctl", "postgresql")
    # PostgreSQL refuses to run as root
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="elgeo-postgres-"))
    if user:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data, log = str(folder / "data"), str(folder / "log")

    def run(*command: str) -> None:
        subprocess.run([*user, *command], check=True, stdout=subprocess.DEVNULL, cwd=folder)

    try:
        run(initdb, "-D", data, "-U", "elgeo", "--auth=trust", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        run(server, "-D", data, "-l", log, "-w", "-o", options, "start")
        try:
            yield f"postgresql+psycopg://elgeo@127.0.0.1:{port}/postgres"
        finally:
            run(server, "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def new_database(server: str) -> str:
    """The URL of an empty database of a server."""
    name = f"elgeo_{uuid4().hex}"
    with psycopg.connect(server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{server.rpartition('/')[0]}/{name}"
