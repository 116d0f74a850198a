# SPDX-License-Identifier: BSD-2-Clause
"""Reads rows of `bench --trace -j`, and compares them with what the tables of docs/MODEL.md imply:
bench_trace.py UARCH RING COPIES model|ipc1 CLASS..., the classes of the instructions of one copy."""
import json
import re
import sys

width = {}
uops = {}
for line in open("docs/MODEL.md"):
    cells = [c.strip() for c in line.strip().strip("|").split("|")]
    if cells[0] == "micro-operations a cycle":
        width = dict(zip(["hsw", "skx", "icl", "adl", "atom", "zen4"], map(int, cells[1:])))
    name = re.fullmatch(r"`([A-Z_]+)`", cells[0])
    if name and len(cells) == 4 and cells[1].isdigit():
        uops[name.group(1)] = int(cells[1])

BEFORE_RING_0 = 3  # loads that put registers back, between the WRMSR that starts counting and the code


def ends_of(classes, copies, ipc1, ring):
    """How many slots lie before the first instruction, and with which one each ends."""
    before = at = BEFORE_RING_0 if ring == 0 else 0
    ends = []
    for name in classes * copies:
        at += 1 if ipc1 else uops[name]
        ends.append(at)
    return before, ends


def wanted(uarch, ring, classes, copies, ipc1):
    """Of each cycle: (cycle, instructions retired, cycle at which the counters stand)."""
    per = 1 if ipc1 else width[uarch]
    before, ends = ends_of(classes, copies, ipc1, ring)
    begin = before // per
    rows, cycle = [], begin
    while not rows or rows[-1][1] < len(ends):
        cycle += 1
        retired = next((i + 1 for i, end in enumerate(ends) if end >= cycle * per), len(ends))
        rows.append((cycle - begin, retired, ends[retired - 1] // per - begin))
    return rows


def main():
    uarch, ring, copies, time = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    rows = {}
    for line in sys.stdin:
        r = json.loads(line)
        if (r["min"] != r["max"] or r["mean"] != r["median"]) and r["event"] != "cycles":
            print("various:", r)
        rows.setdefault(r["cycle"], {})[r["event"]] = r["median"]
    got = [(c, e["instructions"], e["cycles"]) for c, e in sorted(rows.items())]
    want = wanted(uarch, ring, sys.argv[5:], copies, time == "ipc1")
    # In the last cycle all of the code has retired. The cycle count includes code after it, so it is not compared.
    if got[:-1] == want[:-1] and got[-1:] and got[-1][:2] == want[-1][:2]:
        print("as the model says")
    else:
        print("got", got, "want", want)


main()
