# SPDX-License-Identifier: BSD-2-Clause
# linux.py FOLDER PATIENCE BYTES THIRD... - runs the table of programs for Linux, or thirds of it. A row is the words of
# a command, and its output: None for the output of the host's run, or a regular expression if the output has times.
# All rows run in one machine, one after the other, and once more in a second machine: both print the same.
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, "tests/e2e")
from checks import Checks  # noqa: E402

folder, patience, large = sys.argv[1:4]
thirds = [int(word) for word in sys.argv[4:]]
COLD = ["--cold"] if len(thirds) == 3 else []  # the second of two machines that do the same
checks = Checks("linux", slice(12))
ok, not_ok, skip = checks.ok, checks.not_ok, checks.skip


# --- Programs that are built here: name, its source, and the compiler's words ---

GCC, GXX, MUSL = ["gcc", "-O2"], ["g++", "-O2"], ["musl-gcc", "-O2"]
BUILT = [
    ("hello-dynamic", "hello.c", GCC),
    ("hello-static", "hello.c", GCC + ["-static"]),
    ("hello-static-pie", "hello.c", GCC + ["-static-pie"]),
    ("hello-musl", "hello.c", MUSL),
    ("hello-musl-static", "hello.c", MUSL + ["-static"]),
    ("cxx", "cxx.cc", GXX + ["-pthread"]),
    ("cxx-static", "cxx.cc", GXX + ["-pthread", "-static"]),
    ("openmp", "openmp.c", GCC + ["-fopenmp"]),
    ("gbench", "gbench.cc", GXX),
    ("rust", "std.rs", ["rustc", "-O"]),
    ("go", "std.go", ["go", "build"]),
]
LIBRARIES = {"gbench": ["-lbenchmark", "-lpthread"]}


def build(name, source, compiler):
    if not shutil.which(compiler[0]):
        skip(name, "no %s here" % compiler[0])
        return
    if name == "gbench" and not os.path.exists("/usr/include/benchmark/benchmark.h"):
        skip(name, "no libbenchmark-dev here")
        return
    words = compiler + ["-o", program(name), "tests/linux/" + source] + LIBRARIES.get(name, [])
    env = dict(os.environ, GOCACHE=os.path.abspath(folder + "/go-cache"))
    done = subprocess.run(words, capture_output=True, text=True, env=env)
    if done.returncode:
        not_ok(name + " is built", done.stderr)


def program(name):
    return folder + "/" + name


# --- The table ---

SQUARES = ("create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c where x < 1000) "
           "insert into t select x, x * x from c; select count(*), sum(b), max(b) from t;")
LUA = ("local t = {} for i = 1, 10000 do t[i] = i * i end table.sort(t, function(a, b) return a > b end) "
       "print(#t, t[1], #table.concat(t, ','))")
PYTHON = ("import hashlib, json, re, threading; t = threading.Thread(target=print, args=('thread',)); t.start(); t.join(); "
          "print(json.dumps({'a': [1, 2.5, None]}), re.sub('a+', 'b', 'caat'), hashlib.sha256(b'x').hexdigest())")
DATA = folder + "/data"
DATABASE = "/tmp/perf0-linux-test.db"

ROWS = [(name, [program(name), "one", "two words"], None) for name, source, _ in BUILT if source == "hello.c"]
ROWS += [(name, [program(name)], None) for name in ("cxx", "cxx-static", "openmp", "rust", "go")]
ROWS += [
    ("gbench", [program("gbench")], r"copy_string/4096/iterations:1000 +[0-9.]+ ns +[0-9.]+ ns +1000"),
    ("Google Benchmark with counters", [program("gbench-counters"), "--benchmark_perf_counters=INSTRUCTIONS,BRANCHES"],
     r"copy_string/4096/iterations:1000 .* BRANCHES=[0-9.]+ INSTRUCTIONS=[0-9.]+"),
    ("busybox: pipelines, sort, awk, md5sum, gzip", ["tests/linux/pipeline.sh", large], None),
    ("busybox md5sum", ["/bin/busybox", "md5sum", DATA], None),
    ("zstd", ["/usr/bin/zstd", "-q", "-c", "-3", DATA], None),
    ("zstd -b", ["/usr/bin/zstd", "-b1", "-i1", DATA], r".*data +: +200000 -> +[0-9]+ .*MB/s.*"),
    ("lz4", ["/usr/bin/lz4", "-q", "-c", DATA], None),
    ("lz4 -b", ["/usr/bin/lz4", "-b1", "-i1", DATA], r".*data +: +200000 -> +[0-9]+ .*MB/s.*"),
    ("sqlite3 in memory", ["/usr/bin/sqlite3", ":memory:", SQUARES], None),
    ("sqlite3 in a file", ["/usr/bin/sqlite3", DATABASE, SQUARES], None),
    ("Lua", ["/usr/bin/lua5.4", "-e", LUA], None),
    ("openssl sha256", ["/usr/bin/openssl", "dgst", "-sha256", DATA], None),
    ("openssl speed", ["/usr/bin/openssl", "speed", "-seconds", "1", "-bytes", "1024", "sha256"],
     r"sha256 +[0-9.]+k *"),
    ("stress-ng cpu", ["/usr/bin/stress-ng", "--cpu", "1", "--cpu-ops", "20", "--cpu-method", "int64"],
     r"stress-ng: .*successful run completed.*"),
    ("stress-ng vm", ["/usr/bin/stress-ng", "--vm", "1", "--vm-ops", "20", "--vm-bytes", "4M"],
     r"stress-ng: .*successful run completed.*"),
]
# The threads of these programs wait for each other: they have ten runs in one machine.
REPEATED = ("openmp", "cxx", "rust")
# The threads of this program depend on the clock: it has ten runs in each of two machines.
SERIES = "go"
ROWS = [row for i, row in enumerate(ROWS) if i % 3 in thirds]
PROCESSES = "tests/linux/processes.py"
PYTHON_ROWS = [("python3 with its library", ["/usr/bin/python3", "-c", PYTHON], None),
               ("python3 multiprocessing", ["/usr/bin/python3", PROCESSES, "50" if os.environ.get("PERF0_SOAK") else "10"], None)]


def is_there(row):
    name, words, _ = row
    if os.access(words[0], os.X_OK) and (words[0] != "tests/linux/pipeline.sh" or os.path.exists("/bin/busybox")):
        return True
    if not words[0].startswith(folder):
        skip(name, "no %s here" % ("/bin/busybox" if "busybox" in name else words[0]))
    return False


def host_prints(words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if os.path.exists(DATABASE):
        os.remove(DATABASE)
    return done.stdout


# --- Runs ---


def run(log, options, rows):
    words = ["build/perf0", "run", "--timeout", patience] + options + ["--"]
    for i, (_, command, _) in enumerate(rows):
        words += [";"] * (i > 0) + ["stat", "-e", "instructions:u"] + command
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
    for stream, text in (("out", done.stdout), ("err", done.stderr)):
        with open("%s/%s.%s" % (folder, log, stream), "wb") as file:
            file.write(text)
    return done


# Returns the output and the count of each command.
def sections(out):
    found = []
    for part in re.finditer(rb"(.*?)\n Performance counter stats for .*?:\n\n +([0-9,]+) +instructions:u.*?seconds sys\n\n?",
                            out, re.S):
        found.append((part.group(1), part.group(2).decode()))
    return found


def check_row(row, printed, err):
    name, words, form = row
    if form is None:
        wanted = host_prints(words)
        if printed == wanted:
            ok("%s: prints what it prints here" % name)
        else:
            not_ok("%s: prints what it prints here" % name, printed[:400], "wanted:", wanted[:400])
        return
    lines = (printed + b"\n" + err).decode(errors="replace").replace("\r", "\n").splitlines()
    if any(re.fullmatch(form, line) for line in lines):
        ok("%s: prints what it should" % name)
    else:
        not_ok("%s: prints what it should" % name, "no line: " + form, printed[-400:].decode(errors="replace"))


def check_rows(log, options, rows):
    rows = [row for row in rows if is_there(row)]
    first = run(log + "-1", options + ["-k"], rows)
    second = run(log + "-2", options + ["-k"] + COLD, rows)
    one, two = sections(first.stdout), sections(second.stdout)
    if first.returncode or len(one) != len(rows) or len(two) != len(rows):
        not_ok("%s: all of %d commands ran" % (log, len(rows)),
               "status %d, %d and %d of them" % (first.returncode, len(one), len(two)), first.stderr.decode(errors="replace"))
    for row, a, b in zip(rows, one, two):
        check_row(row, a[0], first.stderr)
        if a[1] == b[1]:
            ok("%s: %s instructions, twice" % (row[0], a[1]))
        else:
            not_ok("%s: the same instructions twice" % row[0], "%s and %s" % (a[1], b[1]))


def check_repeats():
    rows = [row for row in ROWS if row[0] in REPEATED and is_there(row)]
    if not rows:
        return
    words = ["build/perf0", "run", "--timeout", patience, "-k", "--"]
    for i, (_, command, _) in enumerate(rows):
        words += [";"] * (i > 0) + ["stat", "-r", "10", "-e", "instructions:u,context-switches"] + command
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    parts = done.stdout.split("Performance counter stats for")[1:]
    for row, part in zip(rows, parts + [""] * len(rows)):
        alike = re.findall(r"(instructions:u|context-switches) +\( identical \)", part)
        if len(alike) == 2:
            ok("%s: ten runs execute the same instructions" % row[0])
        else:
            not_ok("%s: ten runs execute the same instructions" % row[0], part, done.stderr)


def series(*more):
    command = next(row[1] for row in ROWS if row[0] == SERIES)
    words = ["build/perf0", "run", "--timeout", patience, "-k", *more, "--", "stat", "-r", "10", "-e", "instructions:u,context-switches"]
    return subprocess.run(words + command, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def check_series():
    if not any(row[0] == SERIES and is_there(row) for row in ROWS):
        return
    one, two = series(), series(*COLD)
    if one.stdout == two.stdout and re.search(r"seconds time elapsed +\( identical \)", one.stdout):
        ok("%s: ten runs, and the same ten in another machine" % SERIES)
    else:
        not_ok("%s: ten runs, and the same ten in another machine" % SERIES, one.stdout, two.stdout)


with open("build/perf0", "rb") as file:
    data = file.read(200000)
with open(DATA, "wb") as file:
    file.write(data)
for name, source, compiler in BUILT:
    if any(row[1][0] == program(name) for row in ROWS):
        build(name, source, compiler)
check_repeats()
check_series()
check_rows("programs", ["--memory", "512M", "--file", DATA, "--file", "/bin/busybox"], ROWS)
library = "/usr/lib/python%d.%d" % sys.version_info[:2]
# perf0 also takes the libraries that these C modules are linked with.
modules = glob.glob(library + "/lib-dynload/_ctypes.*.so") + glob.glob(library + "/lib-dynload/_hashlib.*.so")
files = [word for name in [library, PROCESSES] + modules for word in ("--file", name)]
if 0 in thirds:
    check_rows("python", ["--memory", "1G"] + files, PYTHON_ROWS)
sys.exit(checks.failures > 0)
