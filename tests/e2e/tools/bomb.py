# SPDX-License-Identifier: BSD-2-Clause
"""bomb.py FILE FRAMES - a stream of right frames whose records take 260 times its bytes, unpacked:
each of 264 bytes that are those of the one before comes in one byte."""
import struct
import sys

TABLE = []
for i in range(256):
    crc = i
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    TABLE.append(crc)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


MAIN, CPU = 255, 0
HELLO, BEGIN, EVENT, RESULT, BYE, PACKED, KEY = 1, 3, 4, 7, 8, 10, 11
sequence = {MAIN: 0, CPU: 0}
out = bytearray()


def frame(kind, stream, payload):
    head = struct.pack("<BBBBIH", 0xF5, 0xFE, kind, stream, sequence[stream], len(payload))
    sequence[stream] += 1
    head += struct.pack("<H", crc32c(head) & 0xFFFF)
    out.extend(head + payload + struct.pack("<I", crc32c(head + payload)))


frames = int(sys.argv[2])
RECORD = struct.pack("<IHH", 9, 1, 264) + bytes(256)
PER_FRAME = 4080
frame(HELLO, MAIN, struct.pack("<HHI20sI4xQQQII", 1, 1, 0, b"", 1000, 0, 0, 0, 0, 64) + b"\0\0\0\0")
frame(BEGIN, MAIN, struct.pack("<I", 0) + b"record loop\0")
attr = bytearray(struct.pack("<IIQQQ", 0, 128, 1, 1, 0x1 | 0x2 | 0x4 | 0x10000) + bytes(96))
frame(EVENT, MAIN, struct.pack("<IHH", 0, 128, 1) + attr + struct.pack("<Q", 1) + b"e\0")
frame(KEY, CPU, struct.pack("<IIIHH", 1, 264, 0, 1, 1) + b"\x40\0" + RECORD[:8])
n = 1
for _ in range(frames):
    frame(PACKED, CPU, struct.pack("<IIIHH", 1, PER_FRAME * 264, n, PER_FRAME, PER_FRAME) + bytes(PER_FRAME))
    n += PER_FRAME
books = struct.pack("<6Q", n, n, 0, 0, n * 264, 0)
frame(RESULT, MAIN, struct.pack("<Ii", 0, 0) + books)
frame(BYE, MAIN, struct.pack("<iI", 0, 1) + books)
with open(sys.argv[1], "wb") as f:
    f.write(out)
print(len(out), n * 264)
