# SPDX-License-Identifier: BSD-2-Clause
"""bolt_blocks.py PROFGEN BASE GRAPH - compares the count that BOLT has for each basic block with how often the block's
first instruction was executed. GRAPH is what llvm-bolt -print-cfg prints, PROFGEN what perf0 pgo --profgen wrote; its
addresses count from BASE. Prints the number of blocks and of those that differ."""
import bisect
import re
import sys


def ranges(path, base):
    lines = open(path).read().split("\n")
    found = []
    for line in lines[1:1 + int(lines[0])]:
        first, last, count = re.match(r"([0-9a-f]+)-([0-9a-f]+):(\d+)$", line).groups()
        found.append((int(first, 16) + base, int(last, 16) + base, int(count)))
    return sorted(found)


def blocks(path):
    """(address, count) of each block."""
    address = count = None
    for line in open(path, errors="replace"):
        if found := re.match(r"  Address     : 0x([0-9a-f]+)", line):
            address = int(found.group(1), 16)
        elif found := re.match(r"  Exec Count : (\d+)", line):
            count = int(found.group(1))
        elif (found := re.match(r"    ([0-9a-f]{8}): ", line)) and count is not None:
            yield address + int(found.group(1), 16), count
            count = None


executed = ranges(sys.argv[1], int(sys.argv[2], 16))
starts = [first for first, _, _ in executed]
n = wrong = 0
for address, count in blocks(sys.argv[3]):
    i = bisect.bisect_right(starts, address) - 1
    exact = executed[i][2] if i >= 0 and address <= executed[i][1] else 0
    n += 1
    if count != exact:
        wrong += 1
        print(f"{address:#x}: BOLT has {count}, executed {exact}", file=sys.stderr)
print(n, wrong)
