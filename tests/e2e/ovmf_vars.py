# SPDX-License-Identifier: BSD-2-Clause
"""ovmf_vars.py - variables in a file of OVMF's, as its setup would leave them there: UEFI PI specification,
"Firmware Volume Header"; EDK2, AUTHENTICATED_VARIABLE_HEADER."""
import struct
import uuid

PLATFORM = uuid.UUID('7235c51c-0c80-4cab-87ac-3b084a6304b1')
HEADER = struct.Struct('<HBBIQ16sIII16s')
START, ADDED, KEPT = 0x55aa, 0x3f, 7  # non-volatile, for boot services and at run time


def put_variable(path, guid, name, data):
    """Behind the last one; a file of QEMU's package has room."""
    content = bytearray(open(path, 'rb').read())
    at = struct.unpack_from('<H', content, 48)[0] + 28
    while struct.unpack_from('<H', content, at)[0] == START:
        names, size = HEADER.unpack_from(content, at)[7:9]
        at = (at + HEADER.size + names + size + 3) & ~3
    coded = (name + '\0').encode('utf-16le')
    head = HEADER.pack(START, ADDED, 0, KEPT, 0, bytes(16), 0, len(coded), len(data), guid.bytes_le)
    new = head + coded + data
    assert content[at:at + len(new)] == b'\xff' * len(new), 'no room'
    content[at:at + len(new)] = new
    open(path, 'wb').write(content)


def set_resolution(path, width, height):
    put_variable(path, PLATFORM, 'PlatformConfig', struct.pack('<II', width, height))
