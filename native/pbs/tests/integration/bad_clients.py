# SPDX-License-Identifier: Apache-2.0
"""Clients of hprio-pbsd that break its rules: bad_clients.py SOCKET FILE FILE_ELSEWHERE"""

import array
import os
import socket
import struct
import sys

MAGIC = 0x34534250
HELLO, READ = 1, 2
REQUEST = struct.Struct("=IIIIQQIIII")
REPLY = struct.Struct("=IIqIIi256s")
MIB = 1 << 20

path, file_path, elsewhere = sys.argv[1:]
device = os.stat(file_path).st_dev


def connect():
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.settimeout(10)
    client.connect(path)
    return client


def send(client, data, *fds):
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    client.sendmsg([data], rights)


def request(operation, offset=0, length=0, level=1, dev=device):
    return REQUEST.pack(MAGIC, operation, os.major(dev), os.minor(dev), offset, length, level, 0, 0, 0)


def answer(client):
    """The result and the text; None if the helper has closed."""
    try:
        data = client.recv(4096)
    except ConnectionResetError:
        return None
    if not data:
        return None
    _, _, result, _, _, _, text = REPLY.unpack_from(data)
    return result, text.split(b"\0")[0].decode()


def memory():
    fd = os.memfd_create("test")
    os.ftruncate(fd, MIB)
    return fd


def greeted():
    client = connect()
    shared = memory()
    send(client, request(HELLO), shared)
    assert answer(client) == (0, ""), "hello"
    return client, shared


def refused(text, client, data, *fds):
    send(client, data, *fds)
    got = answer(client)
    assert got and got[0] == -1 and text in got[1], f"wanted {text!r}, got {got!r}"
    print("refused:", got[1])


def closed(client, data, *fds):
    send(client, data, *fds)
    assert answer(client) is None, "not closed"


fd = os.open(file_path, os.O_RDONLY)
other = os.open(elsewhere, os.O_RDONLY)

# Messages that make no sense.
closed(connect(), b"x")
closed(connect(), b"x" * 100000)
closed(connect(), b"\0" * REQUEST.size)
closed(connect(), request(3))
closed(greeted()[0], request(READ, 0, 4096), fd, fd)
connect().close()

# Hello.
refused("with memory", connect(), request(HELLO))
refused("not a memfd", connect(), request(HELLO), fd)
refused("not a memfd", connect(), request(HELLO), os.open("/proc/self/comm", os.O_RDWR))
refused("does not serve", connect(), request(HELLO, dev=os.makedev(250, 1)), memory())
client, _ = greeted()
refused("one hello", client, request(HELLO), memory())

# Reads.
refused("before hello", connect(), request(READ, 0, 4096), fd)
client, shared = greeted()
refused("too large", client, request(READ, 0, MIB + 1), fd)
refused("too large", client, request(READ, (1 << 63) - 10, 4096), fd)
refused("too large", client, request(READ, 0, 4096, level=2), fd)
refused("descriptor", client, request(READ, 0, 4096))
refused("is on device", client, request(READ, 0, 4096), other)
refused("not a regular file", client, request(READ, 0, 4096), os.open(os.path.dirname(file_path), os.O_RDONLY))
refused("not open for reading", client, request(READ, 0, 4096), os.open(file_path, os.O_WRONLY))
refused("not open for reading", client, request(READ, 0, 4096), os.open(file_path, os.O_PATH))
refused("not a regular file", client, request(READ, 0, 4096), os.open("/dev/zero", os.O_RDONLY))
send(client, request(READ, os.stat(file_path).st_size - 10, 4096), fd)
assert answer(client) == (10, ""), "the end"
assert os.pread(shared, 20, 0) == os.pread(fd, 20, os.stat(file_path).st_size - 10) + b"\0" * 10
send(client, request(READ, 1 << 40, 4096), fd)
assert answer(client) == (0, ""), "behind the end"

# Memory that shrinks under the helper, or may not be written.
os.ftruncate(shared, 0)
send(client, request(READ, 0, 4096), fd)
assert answer(client) == (4096, ""), "the memory grows again"
readonly = os.open(f"/proc/self/fd/{memory()}", os.O_RDONLY)
client = connect()
send(client, request(HELLO), readonly)
assert answer(client) == (0, ""), "hello"
refused("cannot write to the memory", client, request(READ, 0, 4096), fd)
