"""Stands for `python -m module`: asks `tests.forked` for a process, hands on what ends it, and ends as it does."""

import json
import os
import signal
import socket
import sys


def main(address: str, *options: str) -> int:
    module, *arguments = options[options.index("-m") + 1 :]
    server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    server.connect(address)
    asked = {"module": module, "arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
    socket.send_fds(server, [json.dumps(asked).encode()], [0, 1, 2])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: server.sendall(str(number).encode()))
    code = int(server.recv(100))
    if code < 0:
        if -code in (signal.SIGINT, signal.SIGTERM):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
