# SPDX-License-Identifier: Apache-2.0
"""
Clients of hprio-pbsd at the same time: many_clients.py SOCKET FILE COUNT, each of which must be served or get the
reason why not; or many_clients.py --hold SOCKET COUNT, which connect, say so, and stay as long as it does.
"""

import array
import os
import socket
import struct
import sys

MAGIC = 0x34534250
HELLO = 1
REQUEST = struct.Struct("=IIIIQQIIII")
REPLY = struct.Struct("=IIqIIi256s")
MIB = 1 << 20


def connect(path):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.settimeout(30)
    client.connect(path)
    return client


def hello(client, device):
    memory = os.memfd_create("test")
    os.ftruncate(memory, MIB)
    request = REQUEST.pack(MAGIC, HELLO, os.major(device), os.minor(device), *[0] * 6)
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [memory]))]
    client.sendmsg([request], rights)
    os.close(memory)


def answer(client):
    _, _, result, _, _, _, text = REPLY.unpack_from(client.recv(4096))
    return result, text.split(b"\0")[0].decode()


if sys.argv[1] == "--hold":
    held = [connect(sys.argv[2]) for _ in range(int(sys.argv[3]))]
    print(len(held), "connected", flush=True)
    held[0].settimeout(None)
    held[0].recv(1)
    sys.exit()

path, file_path, count = sys.argv[1:]
served = refused = 0
clients = [connect(path) for _ in range(int(count))]
for client in clients:
    try:
        hello(client, os.stat(file_path).st_dev)
    except BrokenPipeError:
        # It may have the reason already.
        pass
    result, text = answer(client)
    served += result == 0
    refused += result < 0
    assert result == 0 or "clients already" in text, text
print(served, "served,", refused, "refused")
assert served > 0 and refused > 0
