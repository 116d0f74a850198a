# SPDX-License-Identifier: BSD-2-Clause
"""What error bars are worth: programs whose events take turns, each measured beside passes of the
same program, in which all events count all the time. Prints a table in Markdown, a row for each way
to scale; docs/STUDY.md explains.

    bars.py PERF0 [SET...]     SETs (all): kept, few, step
    bars.py PERF0 --check      a few loads of each, and whether estimates and bars are what slices.c
                               says of the slices that `stat -v -j` tells
"""
import json
import math
import random
import shlex
import subprocess
import sys

SEED = 20
EVENTS = """br_inst_retired.conditional br_inst_retired.near_call br_inst_retired.near_return
br_inst_retired.near_taken br_inst_retired.not_taken br_inst_retired.all_branches
br_misp_retired.all_branches br_misp_retired.conditional mem_inst_retired.all_loads
mem_inst_retired.all_stores inst_retired.any_p""".split()
LEAST = 2000  # what is rarer in a run of seconds happens in few slices, or once
WAYS = [("fair, interpolated", "--policy fair"), ("fair, ratio", "--policy fair --estimate ratio"),
        ("perf, interpolated", "--policy perf"), ("perf, ratio", "--policy perf --estimate ratio")]
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
           2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
           2.052, 2.048, 2.045, 2.042]


# --- Loads: a program, and events in groups ---

def kept_programs(rng):
    """Of one to ten seconds: steady ones, and each course of `phases`."""
    thousands = lambda a, b: 1000 * rng.randint(a, b)
    for course in range(6):
        for _ in range(3):
            yield f"phases {thousands(60, 120)} course={course} seed={rng.randint(1, 999)}"
    for kib in (256, 1024, 4096):
        yield f"chase {100 * thousands(60, 90)} kib={kib}"
    yield f"dd count={thousands(300, 600)} bs=512"
    yield f"hotcold {thousands(15, 30)}"
    yield f"loop {1000 * thousands(20, 60)}"
    yield f"deep {1000 * thousands(20, 60)}"
    yield "/bin/busybox sha256sum /bin/busybox"
    yield "/bin/busybox sh -c 'gzip -c /bin/busybox >/dev/null'"
    yield "/bin/busybox sh -c 'od -An -tx1 /bin/busybox | head -n 9000 | sort | uniq -c | tail -n 1'"


def few_programs(rng):
    """So short that each event has some slices only."""
    for course in range(6):
        for _ in range(4):
            yield f"phases {rng.randint(1500, 12000)} course={course} seed={rng.randint(1, 999)}"
    yield f"chase {rng.randint(5, 20) * 100000} kib=1024"
    yield f"dd count={rng.randint(10, 40) * 1000} bs=512"


def step_programs(rng):
    """That change to and fro about as often as the events take turns."""
    for period in range(200, 1300, 90):
        yield f"phases 60000 course=4 seed={rng.randint(1, 999)} period={period}"


SETS = {"kept": kept_programs, "few": few_programs, "step": step_programs}


def draw_events(rng):
    names = rng.sample(EVENTS, rng.randint(7, len(EVENTS)))
    groups = []
    while names:
        n = rng.choice([1, 1, 1, 2, 3])
        group, names = [f"{name}:u" for name in names[:n]], names[n:]
        groups.append(group[0] if len(group) == 1 else "{" + ",".join(group) + "}")
    return ",".join(groups)


# --- Measuring ---

def run(perf0, program, events, ways):
    """Rows of JSON: those of the passes, and those of each way."""
    line = [perf0, "run", "--uarch", "skx", "--"]
    words = shlex.split(program)
    for options in ["--passes"] + [f"--verbose {options}" for _, options in ways]:
        line += [] if line[-1] == "--" else [";"]
        line += ["stat", "-j", *options.split(), "-e", f"task-clock,{events}", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    rows = [json.loads(row) for row in done.stdout.splitlines() if row.startswith("{")]
    n = len(rows) // (1 + len(ways))
    if done.returncode or not n or n * (1 + len(ways)) != len(rows):
        sys.exit(f"bars.py: {shlex.join(line)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return [rows[i * n:i * n + n] for i in range(1 + len(ways))]


def took_turns(row):
    return row["pcnt-running"] < 99.99 and not row["counter-value"].startswith("<")


class Figures:
    """Of one way to scale, over all counts of a set."""

    def __init__(self):
        self.errors, self.bars, self.held, self.without = [], [], 0, 0
        self.worst = (0,)

    def note(self, true, row, program):
        value, bar = float(row["counter-value"]), row.get("scaling-error")
        self.errors.append(abs(value - true) / true)
        self.worst = max(self.worst, (self.errors[-1], bar or 0, row["event"], true, program))
        if bar is None:
            self.without += 1
            return
        self.bars.append(bar / 100)
        # The figures are rounded: the count to a whole one, the bar to 0.01 %.
        self.held += abs(value - true) <= (bar + 0.005) / 100 * value + 0.5

    def cells(self):
        n = len(self.errors)
        rms = math.sqrt(sum(e * e for e in self.errors) / n)
        bars = sorted(self.bars)
        return [f"{n}", f"{100 * sum(self.errors) / n:.2f} %", f"{100 * sorted(self.errors)[n // 2]:.2f} %",
                f"{100 * rms:.2f} %", f"{100 * self.held / len(bars):.1f} %",
                f"{100 * sum(bars) / len(bars):.2f} %", f"{100 * bars[len(bars) // 2]:.2f} %",
                f"{sum(b > 1 for b in bars)}", f"{self.without}"]


def note_load(figures, program, passes, ways):
    truth = {row["event"]: float(row["counter-value"]) for row in passes}
    for to, rows in zip(figures, ways):
        for row in rows:
            if took_turns(row) and truth[row["event"]] >= LEAST:
                to.note(truth[row["event"]], row, program)


def measure(perf0, programs, rng):
    figures = [Figures() for _ in WAYS]
    for program in programs:
        passes, *ways = run(perf0, program, draw_events(rng), WAYS)
        note_load(figures, program, passes, ways)
        print(f"bars.py: {program}", file=sys.stderr)
    return figures


def print_table(name, figures):
    print(f"| {name} | counts | error, mean | ... median | ... RMS | bars that hold the truth | "
          "bar, mean | ... median | ... above 100 % | no bar |")
    print("|---" * 10 + "|")
    for (way, _), f in zip(WAYS, figures):
        print(f"| {way} | " + " | ".join(f.cells()) + " |")
    print()
    for (way, _), f in zip(WAYS, figures):
        error, bar, event, true, program = f.worst
        print(f"Worst of {way}: {100 * error:.1f} % with a bar of {bar} %, {event} ({true:.0f}) of `{program}`")
    print(flush=True)


# --- Once more by the formulas of pmu/state/slices.c ---

def estimate(slices, enabled, ratio):
    """The count, and half of the interval; None where one slice says nothing."""
    rates = [count / ns for _, ns, count in slices]
    stands, end = [0.0] * len(slices), 0
    for i, (begin, ns, _) in enumerate(slices):
        if i:
            before = slices[i - 1][1]
            stands[i - 1] += (begin - end) * before / (before + ns)
            stands[i] += (begin - end) * ns / (before + ns)
        else:
            stands[i] += begin
        end = begin + ns
    stands[-1] += enabled - end
    count, running = sum(s[2] for s in slices), sum(s[1] for s in slices)
    unseen, pairs = enabled - running, len(slices) - 1
    if ratio:
        count *= enabled / running
    else:
        count += sum(rate * ns for rate, ns in zip(rates, stands))
    if not pairs:
        return count, None
    changes = sum((rates[i + 1] - rates[i]) ** 2 * slices[i][1] * slices[i + 1][1] /
                  (slices[i][1] + slices[i + 1][1]) for i in range(pairs)) / pairs
    weight = unseen * enabled / running if ratio else unseen + sum(
        s * s / ns for s, (_, ns, _) in zip(stands, slices))
    variance = changes * weight + len(slices) / 4 * (unseen / running) ** 2 + (count / 1000) ** 2
    freedom = max(1, (2 * pairs + 1) // 3)
    quantile = STUDENT[freedom - 1] if freedom <= 30 else (1960 + 2450 // freedom) / 1000
    return count, quantile * math.sqrt(variance)


def is_as_told(row, enabled, ratio):
    count, half = estimate(row["slices"], enabled, ratio)
    told = float(row["counter-value"])
    if half is None or not told:
        return "scaling-error" not in row and abs(told - count) < 2
    bar = 100 * half / told
    return abs(told - count) < 2 and abs(row["scaling-error"] - bar) <= 0.02 + 0.001 * bar


def check_rows(rows, ratio):
    """Those that are not what the formulas say."""
    enabled = rows[0]["slices"][0][1]  # the clock's, which is some us off
    return [row for row in rows if took_turns(row) and not is_as_told(row, enabled, ratio)]


def check(perf0):
    """For a test: lines of `ok` and `not ok`, and a table."""
    rng = random.Random(SEED)
    programs = ["phases 12000 course=2 seed=4", "phases 8000 course=3 seed=9", "dd count=40000 bs=512",
                "chase 600000 kib=256", "hotcold 2000"]
    wrong, rows = [], 0
    figures = [Figures() for _ in WAYS]
    for program in programs:
        passes, *ways = run(perf0, program, draw_events(rng), WAYS)
        note_load(figures, program, passes, ways)
        for (way, options), of_way in zip(WAYS, ways):
            rows += sum(map(took_turns, of_way))
            wrong += [f"{program}, {way}: {row}" for row in check_rows(of_way, "ratio" in options)]
    print("\n".join(wrong))
    print(f"{'not ok' if wrong or rows < 100 else 'ok'} - {rows} estimates and bars are those of the slices")
    print_table("a few", figures)
    for (way, _), f in zip(WAYS, figures):
        # Counts of one program err together, so a few programs may miss more than 5 %.
        share = f.held / len(f.bars)
        print(f"{'ok' if share >= 0.8 else 'not ok'} - {way}: bars hold the truth of {f.held} of {len(f.bars)}")


def main(perf0, *sets):
    if list(sets) == ["--check"]:
        return check(perf0)
    for name in sets or SETS:
        rng = random.Random(f"{SEED} {name}")
        print_table(name, measure(perf0, list(SETS[name](rng)), rng))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
