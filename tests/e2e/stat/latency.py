# SPDX-License-Identifier: BSD-2-Clause
"""What `perf0 latency` has to print, from docs/MODEL.md and from a disassembly: prints `same`, or what differs."""
import json
import re
import sys

# Intel's and AMD's manuals: cycles of an addition of floating point, and between two of them.
ADDS = {"hsw": (3, 1), "skx": (4, 0.5), "icl": (4, 0.5), "adl": (3, 0.5), "zen4": (3, 0.5)}
TITLES = {"hsw": "Haswell", "skx": "Skylake-SP", "icl": "Ice Lake", "adl": "Alder Lake", "zen4": "Zen 4"}


def lines_of(path):
    for line in open(path):
        line = line.lstrip(">").strip()
        if line.startswith("{"):
            yield json.loads(line)


def model(uarch):
    """Rows of the table of geometries."""
    rows, titles = {}, []
    for line in open("docs/MODEL.md"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if TITLES[uarch] in cells and not titles:
            titles = cells
        elif line.startswith("| ") and titles and len(cells) == len(titles):
            rows.setdefault(cells[0], cells[titles.index(TITLES[uarch])])
    return rows


def cycles_of(text):
    return int(re.search(r"(\d+) cycles", text).group(1))


def known(uarch, path):
    rows = model(uarch)
    l1, l2 = cycles_of(rows["L1D"]), cycles_of(rows["L2"])
    stlb, entry = int(rows["STLB hit, cycles more"]), {"L1D": l1, "L2": l2}[rows["walks begin in"]]
    adds, loads = ADDS[uarch], 0.33 if uarch in ("adl", "zen4") else 0.5
    wanted = {
        "IMUL (R64, R64)": ({3}, 1, 1),
        "ADD (R64, R64)": ({1}, None, 1),
        "MOV (R64, M64)": ({l1}, loads, 1),
        "ADDPS (XMM, XMM)": ({adds[0]}, adds[1], 1),
        "load/4096": ({l1}, None, None),
        "load/65536": ({l2}, None, None),
        "load_in_pages/128": ({l1 + stlb}, None, None),
        "load_in_pages/1024": ({l2 + stlb}, None, None),
        "misprediction": (None, None, None),
    }
    if uarch not in ("hsw", "icl"):  # where so many lines are L2's
        wanted["load_in_pages/4096"] = (None, None, None)  # an entry of page tables is in L1D or L2
    seen = 0
    for row in lines_of(path):
        if row["truth"] != "modelled":
            yield "%s: %s" % (row["instruction"], row["truth"])
        if row["instruction"] not in wanted:
            continue
        seen += 1
        latency, throughput, uops = wanted[row["instruction"]]
        got = {c["cycles"] for c in row["latencies"] if "at_most" not in c}
        if row["instruction"] == "misprediction" and not 12 <= max(got) <= 25:
            yield "misprediction: %s cycles" % got
        if row["instruction"] == "load_in_pages/4096" and not l2 + stlb + entry <= max(got) <= 2 * l2 + stlb:
            yield "load_in_pages/4096: %s cycles" % got
        if latency is not None and got != latency:
            yield "%s: latencies %s, not %s" % (row["instruction"], got, latency)
        if throughput is not None and row["throughput"] != throughput:
            yield "%s: throughput %s, not %s" % (row["instruction"], row["throughput"], throughput)
        if uops is not None and row["uops"] != uops:
            yield "%s: %s micro-operations, not %s" % (row["instruction"], row["uops"], uops)
    if seen != len(wanted):
        yield "%d rows of %d" % (seen, len(wanted))


def functions(path):
    """name: (instructions beside its loop, those of a turn)"""
    found, name, lines = {}, None, []
    for line in open(path):
        head = re.match(r"^[0-9a-f]+ <(\w+)>:$", line)
        code = re.match(r"^\s+([0-9a-f]+):\s+(\S.*)$", line)
        if head:
            name, lines = head.group(1), []
            found[name] = lines
        elif code and name:
            lines.append((int(code.group(1), 16), code.group(2).strip()))
    return found


def count(lines, turns):
    """A function with one loop, which jumps back at its end; what stands behind a jump over it is in it, too."""
    total, loop = 0, 0
    for at, text in lines:
        jump = re.match(r"(j\w+)\s+([0-9a-f]+)", text)
        if jump and int(jump.group(2), 16) <= at:
            begin = int(jump.group(2), 16)
            loop = sum(begin <= other <= at for other, _ in lines)
    padding = sum(text.startswith(("nop", "xchg   %ax", "data16", "cs nopw")) for _, text in lines)
    total = len(lines) - padding + loop * (turns - 1)
    return total


def kernels(disassembly, path):
    code = functions(disassembly)
    empty = count(code["do_nothing"], 1)
    loads, few = 32768, 1024
    chase = lambda name: count(code[name], (loads + few) // 16) - count(code["chase_few"], few // 16)
    words = (64 << 20) // 3 // 8 // 16 * 16
    wanted = {
        "load/4096": chase("load"),
        "load_in_pages/16": chase("load_in_pages"),
        "store_to_load": count(code["store_to_load"], 4096 // 16) - empty,
        "misprediction": 0,
        "stream_copy": count(code["stream_copy"], words // 2) - empty,
    }
    seen = 0
    for row in lines_of(path):
        name = row.get("benchmark")
        if name not in wanted or row["event"] != "instructions":
            continue
        seen += 1
        if row["median"] != wanted[name]:
            yield "%s: %s instructions, not %s" % (name, row["median"], wanted[name])
    if seen != len(wanted):
        yield "%d kernels of %d" % (seen, len(wanted))


def steady(path, n):
    seen = 0
    for row in lines_of(path):
        if row.get("measurements") != int(n):
            continue
        seen += 1
        if row["min"] != row["max"]:
            yield "%s: %s: %s to %s" % (row["benchmark"], row["event"], row["min"], row["max"])
    if seen < 60:
        yield "%d rows" % seen


wrong = list({"known": known, "kernels": kernels, "steady": steady}[sys.argv[1]](*sys.argv[2:]))
print("\n".join(wrong) if wrong else "same")
