# SPDX-License-Identifier: BSD-2-Clause
"""Reads rows of `bench --trace -j`, and says whether a core may do so: bench_trace.py UARCH RING COPIES
model|ipc1 N, of N instructions in a copy. With ipc1 an instruction is a cycle. With the model, counters stop at the
cycle that a row is of, or behind it, and there have been as many instructions as the core is wide in each cycle, at
most. Each row is of another run, whose code may be in the op cache or not: the run of the last row may be LATE cycles
behind the one that found the last cycle, which had all instructions."""
import json
import sys

LATE = 3
BEFORE_RING_0 = 3  # loads that put registers back, between the WRMSR that starts counting and the code


def width_of(uarch):
    """From the table of docs/MODEL.md."""
    for line in open("docs/MODEL.md", encoding="utf-8"):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if cells[0] == "micro-operations a cycle":
            return dict(zip(["hsw", "skx", "icl", "adl", "atom", "zen4"], map(int, cells[1:])))[uarch]
    raise SystemExit("docs/MODEL.md has no widths")


def one_a_cycle(got, ring, instructions):
    """The last cycle has code behind the measured one, so its count of cycles is not compared."""
    begin = BEFORE_RING_0 if ring == 0 else 0
    want = [(c, c, c) for c in range(1, instructions + 1)]
    return got[:-1] == want[:-1] and got[-1][:2] == want[-1][:2] and begin >= 0


def as_wide(got, width, instructions):
    """Whether rows are those of a core of that width. The code of the last row may end in the cycle before it."""
    last = got[-1][0]
    if any(stopped < cycle - (cycle == last) or not 0 < now <= width * (stopped + 1) for cycle, now, stopped in got):
        return False
    return instructions - LATE * width <= got[-1][1] <= instructions and [r[0] for r in got] == list(range(1, len(got) + 1))


def main():
    """Prints one line."""
    uarch, ring, copies, time, insns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
    rows = {}
    for line in sys.stdin:
        r = json.loads(line)
        if (r["min"] != r["max"] or r["mean"] != r["median"]) and r["event"] != "cycles" and time == "ipc1":
            print("various:", r)
        rows.setdefault(r["cycle"], {})[r["event"]] = r["median"]
    got = [(c, e["instructions"], e["cycles"]) for c, e in sorted(rows.items())]
    whole = copies * insns
    good = one_a_cycle(got, ring, whole) if time == "ipc1" else as_wide(got, width_of(uarch), whole)
    print("as a core may" if got and good else f"got {got}")


main()
