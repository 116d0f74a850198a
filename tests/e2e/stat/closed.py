# SPDX-License-Identifier: BSD-2-Clause
# closed.py PROGRAM FOLDER PATIENCE TABLE... - compares counts with closed forms. The counts of a round of
# tests/linux/closed.c are the difference between two runs through the booted image. A row is the case, its size, and
# the count of each event in a round: a number, or the least and the most.
import subprocess
import sys

sys.path.insert(0, "tests/e2e")
from checks import Checks  # noqa: E402

program, folder, patience, *tables = sys.argv[1:]
checks = Checks("closed")
ok, not_ok = checks.ok, checks.not_ok
AT_ONCE = 3  # events, so that each has a counter that can count it


# --- The rows: table, personality, options, [(case, size, rounds, events)] ---

# Cycles come from the model of a core: the range is plausible for ten instructions.
TEN = ("ten", 0, 1000, {"instructions:u": 10, "branches:u": 1, "cycles:u": (1, 50)})

INTEL = [
    TEN,
    ("branches", 0, 100, {"instructions:u": 13, "branches:u": 9, "r01c4:u": 3, "r02c4:u": 2, "r08c4:u": 2,
                          "r10c4:u": 1, "r20c4:u": 8, "r40c4:u": 0}),
    # Accesses across a line, across a page, and within a line.
    ("split", 60, 100, {"r41d0:u": 2, "r42d0:u": 1, "r81d0:u": 2, "r82d0:u": 1}),
    ("split", 4092, 100, {"r41d0:u": 2, "r42d0:u": 1, "r81d0:u": 2, "r82d0:u": 1}),
    ("split", 0, 100, {"r41d0:u": 0, "r42d0:u": 0}),
    ("locked", 0, 100, {"r21d0:u": 2, "r81d0:u": 3, "r82d0:u": 3}),
    # A repeated instruction counts for each iteration, and once more: 101 + 101 + 1, and 8 other instructions.
    ("repeated", 100, 100, {"instructions:u": 211, "branches:u": 1, "r81d0:u": 100, "r82d0:u": 200}),
    ("calls", 0, 100, {"instructions:u": 4, "branches:u": 2, "r40c4:u": 1, "r20c4:u": 1}),
    # Operations by type and width. A multiply-add counts twice.
    ("scalar", 0, 100, {"r01c7:u": 1, "r02c7:u": 1, "r04c7:u": 0}),
    ("packed", 0, 100, {"r04c7:u": 2, "r08c7:u": 1, "r10c7:u": 0}),
    ("wide", 0, 100, {"r10c7:u": 1, "r20c7:u": 1, "r04c7:u": 0}),
    ("fused", 0, 100, {"r10c7:u": 2, "r02c7:u": 2, "r01c7:u": 0}),
    # A faulting instruction does not retire. It retires when it runs again.
    ("touch", 0, 20, {"instructions:u": 7 + 4097, "r81d0:u": 1, "r82d0:u": 4098, "page-faults:u": 4}),
]

AMD = [
    TEN,
    ("branches", 0, 100, {"rc2:u": 9, "rc4:u": 8, "rc8:u": 2, "rd1:u": 3}),
    # The events count additions, multiplications, divisions, and operations of multiply-adds.
    ("scalar", 0, 100, {"r0103:u": 1, "r0203:u": 1, "r0403:u": 0, "r0803:u": 0}),
    ("packed", 0, 100, {"r0103:u": 4, "r0203:u": 2, "r0403:u": 2, "r0803:u": 0}),
    ("wide", 0, 100, {"r0103:u": 8, "r0203:u": 4, "r0403:u": 0, "r0803:u": 0}),
    ("fused", 0, 100, {"r0103:u": 0, "r0203:u": 0, "r0403:u": 0, "r0803:u": 10}),
    ("divides", 3, 100, {"rd4:u": 2}),
]

# Modelled counts depend on the kernel's lines in the caches when the program begins, which depend on the time.
SLACK = 10  # in all rounds together

# L1D has 512 lines, L2 16384, the DTLB 64 pages in 4 ways, the STLB 1536 in 12.
CACHES = [
    ("chase", 32 << 10, 8, {"r08d1:u": 0}),
    ("chase", 64 << 10, 8, {"r08d1:u": 1024, "r10d1:u": 0}),
    ("chase", 512 << 10, 2, {"r08d1:u": 8192, "r10d1:u": 0}),
    ("chase", 2 << 20, 1, {"r08d1:u": 32768, "r10d1:u": 32768}),
    ("stream", 16 << 10, 8, {"r08d1:u": 0, "r0151:u": 0}),
    ("stream", 64 << 10, 8, {"r08d1:u": 1024, "r0151:u": 1024}),
    ("pages", 64, 8, {"r2008:u": 0, "r0e08:u": 0}),
    ("pages", 80, 8, {"r2008:u": 80, "r0e08:u": 0}),
    ("pages", 1280, 2, {"r2008:u": 1280, "r0e08:u": 0}),
    ("pages", 1664, 2, {"r2008:u": 0, "r0e08:u": 1664}),
    ("transpose", 0, 1, {"r0151:u": 256 * 256 + 256 * 256 // 8}),
    ("transpose", 8, 1, {"r0151:u": 2 * 256 * 256 // 8}),
    ("period", 20, 200, {"branch-misses:u": 0}),
    ("period", 300, 200, {"branch-misses:u": 1}),
    ("chance", 0, 4000, {"branch-misses:u": (0.45, 0.55)}),
]

MACHINES = [
    ("Intel", "skx", [], INTEL),
    ("AMD", "zen4", [], AMD),
    ("caches", "skx", ["--prefetch", "off"], CACHES),
    ("cycles", "hsw", [], [TEN]),
    ("cycles", "icl", [], [TEN]),
    ("cycles", "adl", [], [TEN]),
]


# --- Running them ---

def groups(events):
    names = list(events)
    return [names[i:i + AT_ONCE] for i in range(0, len(names), AT_ONCE)]


def commands(rows):
    words = []
    for case, size, rounds, events in rows:
        for names in groups(events):
            for n in (rounds, 2 * rounds):
                words += [";"] if words else []
                words += ["stat", "-x", ",", "-e", ",".join(names), "--", program, case, "%06d" % n, str(size)]
    return words


def counts(uarch, options, rows):
    words = ["build/perf0", "run", "--timeout", patience, "--uarch", uarch] + options + ["--"] + commands(rows)
    done = subprocess.run(words, capture_output=True, text=True)
    lines = [line.split(",") for line in done.stdout.splitlines() if line.count(",") > 4]
    lines += [line.split(",") for line in done.stderr.splitlines() if line.count(",") > 4]
    wanted = sum(2 * len(events) for _, _, _, events in rows)
    if done.returncode or len(lines) != wanted:
        not_ok("%s: exit status %d, %d counts of %d" % (uarch, done.returncode, len(lines), wanted), done.stdout[-1500:],
               done.stderr)
        return None
    return iter(lines)


def check(uarch, options, rows):
    found = counts(uarch, options, rows)
    if found is None:
        return
    for case, size, rounds, events in rows:
        for names in groups(events):
            once, twice = ([next(found) for _ in names] for _ in range(2))
            for i, name in enumerate(names):
                judge("%s: %s %d: %s" % (uarch, case, size, name), once[i], twice[i], rounds, events[name],
                      SLACK if rows is CACHES else 0)


def judge(what, once, twice, rounds, wanted, slack):
    try:
        got = (int(twice[0]) - int(once[0])) / rounds
    except ValueError:
        not_ok(what, "got:    %s, %s" % (once[0], twice[0]), "wanted: %s" % (wanted,))
        return
    least, most = wanted if isinstance(wanted, tuple) else (wanted, wanted)
    if least - slack / rounds <= got <= most + slack / rounds:
        ok("%s: %g a round" % (what, got))
    else:
        not_ok(what, "got:    %g a round: %s, %s" % (got, once[0], twice[0]), "wanted: %s" % (wanted,))


for table, uarch, options, rows in MACHINES:
    if table in tables:
        check(uarch, options, rows)
sys.exit(checks.failures > 0)
