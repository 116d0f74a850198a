#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""branches.py PROGRAM CHOICE [precise]: reads `perf script -F ip,brstack` and says whether the records of each
sample are the branches of tests/linux/few_branches.c, in their order, of the kinds of CHOICE and no others:
"N samples, M of the loop, K records each"; else what was wrong."""
import re
import subprocess
import sys

# The branches of a round, in order: source, target, kind, and perf's type.
ROUND = [
    ("from_jump", "to_jump", "jmp", "UNCOND"),
    ("from_jcc", "to_jcc", "cond", "COND"),
    ("from_icall", "to_icall", "ind_call", "IND_CALL"),
    ("from_iret", "to_iret", "ret", "RET"),
    ("from_call", "to_call", "call", "CALL"),
    ("from_ret", "to_ret", "ret", "RET"),
    ("from_ijump", "to_ijump", "ind_jmp", "IND"),
    ("from_loop", "to_loop", "cond", "COND"),
]
CHOICES = {
    "any": {"jmp", "cond", "ind_call", "ret", "call", "ind_jmp"},
    "any_call": {"ind_call", "call"},
    "any_ret": {"ret"},
}


def addresses(program):
    lines = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    return {name: int(at, 16) for at, _, name in (line.split() for line in lines.splitlines()
                                                if len(line.split()) == 3)}


def main():
    at = addresses(sys.argv[1])
    choice = sys.argv[2]
    precise = sys.argv[3:] == ["precise"]
    kinds = CHOICES.get(choice, {choice})
    expected = [(at[a], at[b], t) for a, b, k, t in ROUND if k in kinds]
    places = {pair[:2]: i for i, pair in enumerate(expected)}
    first, last = at["loop"], at["loop"] + 0x60
    samples = in_loop = most = 0
    depths = set()
    for line in sys.stdin:
        records = [(int(a, 16), int(b, 16), flags, kind) for a, b, flags, kind in
                   re.findall(r"0x([0-9a-f]+)/0x([0-9a-f]+)/([MP-])/-/-/\d+/([A-Z_]*)", line)]
        if not records:
            continue
        samples += 1
        inside = [r for r in records if first <= r[0] < last and first <= r[1] < last]
        if len(inside) != len(records):
            continue
        in_loop += 1
        depths.add(len(records))
        ip = int(line.split()[0], 16)
        if not first <= ip < last:
            sys.exit(f"the sample at {ip:x} is not in the loop")
        for new, old in zip(records, records[1:]):
            for r in (new, old):
                if r[:2] not in places:
                    sys.exit(f"{r[0]:x} does not lead to {r[1]:x}")
            if (places[old[:2]] + 1) % len(expected) != places[new[:2]]:
                sys.exit(f"{old[0]:x} comes before {new[0]:x}")
            if new[3] and new[3] != expected[places[new[:2]]][2]:
                sys.exit(f"{new[0]:x} is a {new[3]}")
            if choice == "any" and not old[1] <= new[0] < old[1] + 16:
                sys.exit(f"from {old[1]:x} nothing leads to {new[0]:x}")
        # No branch lies between the newest record and the sample. A precise sample may be the newest branch itself.
        if precise and records[0][0] == ip:
            continue
        if choice == "any" and not records[0][1] <= ip < records[0][1] + 16:
            sys.exit(f"from {records[0][1]:x} nothing leads to the sample at {ip:x}")
    print(f"{samples} samples, {in_loop} of the loop, {'/'.join(map(str, sorted(depths)))} records each")


main()
