# SPDX-License-Identifier: BSD-2-Clause
# step_truth.py FOLDER PATIENCE SOAKING - compares counts of programs with a trace of their single steps, which perf
# decodes: instructions, branches by kind, calls, returns. The script decodes each instruction's kind from its bytes.
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, "tests/e2e")
from checks import Checks  # noqa: E402

folder, patience, soaking = sys.argv[1], sys.argv[2], sys.argv[3] == "1"
checks = Checks("step_truth")
ok, not_ok, skip = checks.ok, checks.not_ok, checks.skip


# --- Programs ---

GCC, MUSL, GXX = ["gcc", "-O2"], ["musl-gcc", "-O2"], ["g++", "-O2"]
BUILT = [
    ("hello-static", "hello.c", GCC + ["-static"], True),
    ("closed", "closed.c", GCC + ["-static"], True),
    ("hello-dynamic", "hello.c", GCC, False),
    ("hello-static-pie", "hello.c", GCC + ["-static-pie"], False),
    ("hello-musl", "hello.c", MUSL, False),
    ("hello-musl-static", "hello.c", MUSL + ["-static"], False),
    ("cxx-static", "cxx.cc", GXX + ["-pthread", "-static"], False),
]


def program(name):
    return folder + "/" + name


# A row is the words of a command. `make test` runs ROWS, `make soak` MORE, too.
ROWS = [
    ["loop", "1000"],
    ["hotcold", "5"],
    [program("hello-static")],
    [program("closed"), "branches", "200"],
    [program("closed"), "fail", "10"],
]
MORE = [
    ["chase", "1000", "kib=16"],
    ["sleep", "0.001"],
    ["mark", "50"],
    ["dd", "count=20"],
    [program("hello-dynamic"), "a"],
    [program("hello-static-pie")],
    [program("hello-musl")],
    [program("hello-musl-static")],
    [program("closed"), "ten", "1000"],
    [program("closed"), "repeated", "20", "100"],
    [program("closed"), "calls", "20"],
    [program("closed"), "touch", "3"],
    [program("closed"), "period", "20", "7"],
    [program("closed"), "chance", "500"],
    [program("closed"), "packed", "20"],
    [program("closed"), "fail", "10", "1"],
    ["/usr/bin/zstd", "--version"],
    ["/bin/busybox", "echo", "one"],
]


def build():
    for name, source, compiler, always in BUILT:
        if (soaking or always) and shutil.which(compiler[0]):
            subprocess.run(compiler + ["-I.", "-o", program(name), "tests/linux/" + source], check=True)


def is_there(row):
    if not row[0].startswith("/") and "/" not in row[0] or os.access(row[0], os.X_OK):
        return True
    skip(" ".join(row), "no %s here" % row[0])
    return False


# --- Decoding the kind of an instruction from its bytes (SDM vol. 2, appendix A) ---

PREFIXES = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3}


def kind_of(code):
    i = 0
    while code[i] in PREFIXES:
        i += 1
    if code[i] & 0xF0 == 0x40:
        i += 1
    op, field = code[i], code[i + 1] >> 3 & 7 if len(code) > i + 1 else 0
    if op & 0xF0 == 0x70 or 0xE0 <= op <= 0xE3:
        return "conditional"
    if op == 0x0F:
        second = code[i + 1]
        return "conditional" if second & 0xF0 == 0x80 else "far" if second in (0x05, 0x07, 0x34, 0x35) else None
    if op == 0xFF and 2 <= field <= 5:
        return ("call", "far", "jump", "far")[field - 2]
    return {0xE8: "call", 0xC2: "return", 0xC3: "return", 0xE9: "jump", 0xEB: "jump", 0xCA: "far", 0xCB: "far",
            0xCC: "far", 0xCD: "far", 0xCF: "far"}.get(op)


def truth(data):
    """Of a trace: how many of each kind, and of all."""
    text = subprocess.run(["perf", "script", "-i", data, "--itrace=i1ie", "-F", "ip,insn"], capture_output=True, text=True)
    found = {"instructions": 0, "conditional": 0, "call": 0, "return": 0, "jump": 0, "far": 0, "taken": 0, "repeats": 0}
    behind = None  # the last instruction, if it was a conditional branch
    for line in text.stdout.splitlines():
        m = re.match(r" *([0-9a-f]+) +insn: ([0-9a-f ]+)$", line)
        if not m:
            continue
        ip, code = int(m.group(1), 16), bytes.fromhex(m.group(2))
        found["taken"] += behind is not None and behind != ip
        kind = kind_of(code)
        behind = ip + len(code) if kind == "conditional" else None
        found["instructions"] += 1
        found["repeats"] += code[0] in (0xF2, 0xF3) and (code[1] & 0xFE in (0xA4, 0xA6, 0xAA, 0xAC, 0xAE) or code[1] == 0x48)
        if kind:
            found[kind] += 1
    return found, text.stderr


# --- Counts ---

FIRST = ["instructions:u", "branches:u", "r01c4:u", "r02c4:u", "r08c4:u"]
SECOND = ["step_trace//u", "r10c4:u", "r20c4:u", "r40c4:u"]


def run(rows):
    words = ["build/perf0", "run", "--timeout", patience, "-k", "-o", folder + "/d", "--"]
    for i, row in enumerate(rows):
        words += [";"] * (i > 0)
        for events in (FIRST, SECOND):
            words += ["stat", "-x", ",", "-e", ",".join(events), "--"] + row + [";"]
        words += ["record", "-m", "16,4096", "-e", "step_trace//u", "--"] + row
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
    said = (done.stdout + b"\n" + done.stderr).decode(errors="replace")
    counts = re.findall(r"^([0-9]+|<[a-z ]+>),,([a-z0-9_/:]+),", said, re.M)
    if len(counts) != len(rows) * len(FIRST + SECOND):
        not_ok("all commands ran", "%d counts of %d" % (len(counts), len(rows) * len(FIRST + SECOND)), said)
        return None
    return counts


def check(row, counts, number):
    data = folder + "/p.data"
    subprocess.run(["build/perf0", "decode", "--command", str(number), "-o", data, folder + "/d/stream.perf0"],
                   capture_output=True)
    t, said = truth(data)
    branches = sum(t[k] for k in ("conditional", "call", "return", "jump", "far"))
    wanted = {
        "instructions:u": int(counts["step_trace//u"]),
        "branches:u": branches,
        "r01c4:u": t["conditional"],
        "r02c4:u": t["call"],
        "r08c4:u": t["return"],
        "r10c4:u": t["conditional"] - t["taken"],
        "r20c4:u": branches - t["far"] - t["conditional"] + t["taken"],
        "r40c4:u": t["far"],
    }
    what = " ".join(os.path.basename(w) for w in row)[:40]
    wrong = ["%s: counted %s, stepped %d" % (k, counts[k], wanted[k]) for k in wanted if counts[k] != str(wanted[k])]
    more = int(counts["instructions:u"]) - t["instructions"]
    if more < 0 or (more > 0 and not t["repeats"]) or t["instructions"] < 3:
        wrong.append("instructions: counted %s, in the trace %d" % (counts["instructions:u"], t["instructions"]))
    if wrong:
        not_ok(what, "\n".join(wrong), said)
    else:
        ok("%s: %d instructions, %d branches, %d calls" % (what, t["instructions"], branches, t["call"]))


build()
rows = [row for row in ROWS + (MORE if soaking else []) if is_there(row)]
counts = run(rows)
for i, row in enumerate(rows if counts else []):
    n = len(FIRST + SECOND)
    check(row, {name: value for value, name in counts[i * n:(i + 1) * n]}, 3 * i + 2)
sys.exit(checks.failures > 0)
