# SPDX-License-Identifier: BSD-2-Clause
# unpack.py PACK FOLDER: unpacks a pack (include/perf0/programs.h) into a folder, and data about the run into
# FOLDER/.run. Prints name, kind and permissions, size, and the offset of the content in its page.
import os
import sys

data = open(sys.argv[1], "rb").read()
folder = sys.argv[2]
os.mkdir(folder + "/.run")
at = 0
before = ""
while True:
    assert data[at : at + 6] == b"070701"
    field = [int(data[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
    mode, size, named = field[1], field[6], field[11]
    name = data[at + 110 : at + 110 + named].split(b"\0")[0].decode()
    start = at + 110 + named
    content = data[start : start + size]
    at = start + size + -(start + size) % 4
    if name == "TRAILER!!!":
        break
    assert before < name
    before = name
    path = folder + (name if name[0] == "/" else "/.run/" + name)
    print(name, oct(mode), size, start % 4096)
    if mode >> 12 == 4:
        os.mkdir(path)
    elif mode >> 12 == 10:
        os.symlink(content, path)
    else:
        open(path, "wb").write(content)
        os.chmod(path, mode & 0o777)
assert at == len(data)
