# SPDX-License-Identifier: Apache-2.0
"""
A client of hprio-pbsd that gives its file, by EXT4_IOC_MOVE_EXT, blocks that were allocated and never written, and has it
read before the file system has written the data to them: moved_extents.py SOCKET DIRECTORY MARK
"""

import array
import fcntl
import os
import socket
import struct
import sys

MAGIC = 0x34534250
HELLO, READ = 1, 2
REQUEST = struct.Struct("=IIIIQQIIII")
REPLY = struct.Struct("=IIqIIi256s")
MIB = 1 << 20
BLOCK = 4096
# include/uapi/linux/ext4.h: _IOWR('f', 15, struct move_extent).
MOVE_EXT = 0xC028660F
MOVE = struct.Struct("=IIQQQQ")

path, directory, mark = sys.argv[1:]


def call(client, operation, fd, length=0):
    """The result of a request that asks for nothing but the file's bytes."""
    device = os.stat(directory).st_dev
    request = REQUEST.pack(MAGIC, operation, os.major(device), os.minor(device), 0, length, 1, 0, 0, 0)
    client.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd]))])
    result, text = REPLY.unpack_from(client.recv(4096))[2::4]
    assert result >= 0, text.split(b"\0")[0].decode()
    return result


with open(f"{directory}/file", "w+b") as file, open(f"{directory}/donor", "w+b") as donor:
    content = b"mine" * (MIB // 4)
    file.write(content)
    file.flush()
    os.fsync(file.fileno())
    os.posix_fallocate(donor.fileno(), 0, MIB)
    os.fsync(donor.fileno())
    moved = bytearray(MOVE.pack(0, donor.fileno(), 0, 0, MIB // BLOCK, 0))
    fcntl.ioctl(file.fileno(), MOVE_EXT, moved)
    assert MOVE.unpack(moved)[5] == MIB // BLOCK, "not all blocks were exchanged"

    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.settimeout(10)
    client.connect(path)
    memory = os.memfd_create("test")
    os.ftruncate(memory, MIB)
    call(client, HELLO, memory)
    assert call(client, READ, file.fileno(), MIB) == MIB
    read = os.pread(memory, MIB, 0)
    assert mark.encode() not in read, "read what a deleted file has left"
    assert read == content, "not the file's bytes"
