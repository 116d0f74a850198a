# SPDX-License-Identifier: BSD-2-Clause
# lines.py SOCKET KIND: listens on a Unix socket, and sends the first connection a damaged line.
# `endless` sends text until the other side goes away; each other kind ends the line.
import itertools
import os
import random
import socket
import struct
import sys

TYPES = range(23, -1, -1)  # HELLO (1) near the end: a second one ends the listening
numbers = itertools.count()
LENGTHS = (0, 1, 31, 32, 4095, 4096, 4097, 0x7FFF, 0x8000, 0xFFFF)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def frame(kind, length, payload, damage=0):
    """As include/perf0/wire_frames.h has it; `length` is what the header says."""
    head = struct.pack("<BBBBIH", 0xF5, 0xFE, kind, 0xFF, next(numbers), length)
    head += struct.pack("<H", crc32c(head) & 0xFFFF)
    return head + payload + struct.pack("<I", crc32c(head + payload) ^ damage)


path, kind = sys.argv[1:]
draw = random.Random(1)
kinds = {
    "random": lambda: draw.randbytes(1 << 18),
    "checksums": lambda: b"".join(frame(t, 40, draw.randbytes(40), 1) for t in TYPES),
    "payloads": lambda: b"".join(frame(t, n, draw.randbytes(n)) for t in TYPES for n in (0, 1, 40)),
    "lengths": lambda: b"".join(frame(t, n, draw.randbytes(40)) for t in TYPES for n in LENGTHS),
    "escapes": lambda: b"\x1b[31mred\x1b]0;title\x07\x9b2J\xe2\x80\xae\r\nperf0: forged\r\n" * 20,
    "cut": lambda: frame(1, 100, b"")[:12] + b"\x1b[31m",
    "endless": lambda: b"a line without end ",
}
sent = kinds[kind]()
server = socket.socket(socket.AF_UNIX)
server.bind(path + ".new")
server.listen(1)
os.rename(path + ".new", path)
line, _ = server.accept()
try:
    line.sendall(sent)
    while kind == "endless":
        line.sendall(sent)
except OSError:
    pass
