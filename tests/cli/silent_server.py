#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# silent_server.py FILE: accepts connections and never answers. Writes its port to FILE, and another line for each
# connection. Ends with its parent.
import os
import socket
import sys

parent = os.getppid()
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(64)
server.settimeout(0.2)
kept = []
with open(sys.argv[1], "w", buffering=1) as log:
    print(server.getsockname()[1], file=log)
    while os.getppid() == parent:
        try:
            kept.append(server.accept())
            print("connection", file=log)
        except socket.timeout:
            pass
