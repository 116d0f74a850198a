#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""noisy.py LISTEN MACHINE RATE HARM: a serial line for tests of uploads, between two UNIX sockets: who
connects to LISTEN talks to the one at MACHINE, RATE bytes in a second. Of 1000 bytes of typed frames HARM
are lost, flipped, repeated or joined by another; of 1000 answers TAKEN ten times as many have a byte
that is. All else is left alone, so that what is tested is the upload."""
import os
import random
import select
import socket
import sys
import time

SOH, EOT = 1, 4
TAKEN = b"\xf5\xfe\x20"
TAKEN_BYTES = 40


def harmed(byte):
    return random.choice([b"", bytes([byte, byte]), bytes([byte, random.randrange(256)]),
                          bytes([byte ^ 1 << random.randrange(8)])])


class Typed:
    inside = False

    def __call__(self, data, harm):
        out = bytearray()
        for byte in data:
            self.inside |= byte == SOH
            out += harmed(byte) if self.inside and random.randrange(1000) < harm else bytes([byte])
            self.inside &= byte != EOT
        return bytes(out)


class Sent:
    rest = b""

    def __call__(self, data, harm):
        data, out = self.rest + data, bytearray()
        while data:
            at = data.find(TAKEN)
            if at < 0:
                keep = next((n for n in (2, 1) if data.endswith(TAKEN[:n])), 0)
                at = len(data) - keep
            out += data[:at]
            data = data[at:]
            if len(data) < TAKEN_BYTES:
                break
            frame, data = data[:TAKEN_BYTES], data[TAKEN_BYTES:]
            if random.randrange(1000) < 10 * harm:
                hit = random.randrange(TAKEN_BYTES)
                frame = frame[:hit] + harmed(frame[hit]) + frame[hit + 1:]
            out += frame
        self.rest = data
        return bytes(out)


def serve(host, machine, rate, harm):
    ways = {host: (machine, Typed()), machine: (host, Sent())}
    while True:
        for side in select.select(list(ways), [], [])[0]:
            other, way = ways[side]
            data = side.recv(max(1, rate // 100))
            if not data:
                return side is host
            other.sendall(way(data, harm))
            time.sleep(len(data) / rate)


def main():
    listen, machine_path, rate, harm = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    random.seed(1)
    machine = socket.socket(socket.AF_UNIX)
    machine.connect(machine_path)
    server = socket.socket(socket.AF_UNIX)
    server.bind(listen)
    server.listen()
    while True:
        host = server.accept()[0]
        host.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        try:
            if not serve(host, machine, rate, harm):
                break
        except (BrokenPipeError, ConnectionResetError):
            pass
        host.close()
    os.unlink(listen)


main()
