# SPDX-License-Identifier: BSD-2-Clause
"""metrics.py UARCH... < OUTPUT: a second reader of the texts with metrics that ship, which computes each metric of
`stat -j` from the counts that stand beside it, and compares them to the digit. Prints how many, and what differs."""
import json
import re
import sys

WORD = re.compile(r"#?[A-Za-z_](?:[A-Za-z0-9_.:]|\\.)*")
PYTHON = {"if", "else", "min", "max"}


def plain(name):
    """A name as Python has them."""
    return re.sub(r"\W", "_", name.replace("\\", "").replace("#", "world_"))


def read_texts(uarch, files):
    """What holds for `uarch`: events by name, formulas by name, units by name."""
    events, formulas, units, metric, applies = {}, {}, {}, None, True
    vendor = "amd" if uarch.startswith("zen") else "intel"
    for file in files:
        for line in open(file, encoding="ascii"):
            keyword, _, rest = line.strip().partition(" ")
            name, _, what = rest.strip().partition(" ")
            if keyword == "cpus":
                applies = bool({uarch, vendor, "all"} & set(rest.split()))
            elif not applies or keyword in ("", "#", "group", "text"):
                continue
            elif keyword == "event":
                events[plain(name)] = what
            elif keyword == "let":
                formulas[plain(name)] = what
            elif keyword == "metric":
                metric = name
            elif keyword == "formula":
                formulas[plain(metric)] = rest
            elif keyword == "unit":
                units[metric] = rest
            elif not keyword.startswith("#"):
                sys.exit(f"{file}: {line}")
    return events, formulas, units


def python_of(formula):
    return WORD.sub(lambda m: m.group() if m.group() in PYTHON else plain(m.group()), formula)


class Values(dict):
    """Counts, and what formulas make of them."""

    def __init__(self, counts, formulas):
        super().__init__(counts, min=lambda a, b: a if a < b else b, max=lambda a, b: a if a > b else b)
        self.formulas = formulas

    def __missing__(self, name):
        if name not in self.formulas:
            raise KeyError(name)
        return eval(python_of(self.formulas[name]), {"__builtins__": {}}, self)


def groups_of(rows):
    """Counts and metrics of each group: a group begins with a row that has an event and a metric."""
    for row in rows:
        if "event" in row and row["metric-unit"]:
            counts, metrics = {}, []
            yield counts, metrics
        if "event" in row:
            name = re.sub(r"^cpu_core/(.*)/$", r"\1", row["event"])
            counts[plain(name)] = float(row["counter-value"]) if row["counter-value"][0] != "<" else float("nan")
        if row["metric-unit"]:
            metrics.append((row["metric-unit"], row["metric-value"]))


def expected(name, unit, values):
    factor = re.match(r"[0-9.e+-]*", unit).group()
    try:
        value = values[plain(name)] * float(factor or 1)
    except ZeroDivisionError:
        value = float("nan")
    return "nan" if value != value else f"{value:.6f}"


def main():
    uarch, tsc, files = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    events, formulas, units = read_texts(uarch, files)
    rows = []
    for line in sys.stdin:
        if line.startswith("{"):
            rows.append(json.loads(re.sub(r'("metric-value" : )([^",]+)', r'\1"\2"', line)))
    groups = list(groups_of(rows))
    shown = {plain(text): name for name, text in events.items() if not text.startswith("cpu/")}
    n = with_value = 0
    for counts, metrics in groups:
        for name in list(counts):
            if name in shown:
                counts[shown[name]] = counts[name]
        counts.update(world_smt_on=0.0, world_system_tsc_freq=tsc)
        for label, value in metrics:
            unit, _, name = label.rpartition("  ")
            wanted = expected(name, units.get(name, ""), Values(counts, formulas))
            n += 1
            with_value += wanted != "nan"
            if value != wanted or not units.get(name, "").endswith(unit):
                print(f"{name}: {value}, not {wanted}")
    shares = [float(v) for c, ms in groups for l, v in ms if l.startswith("%  ") and
              re.fullmatch(r"(tma_)?(frontend_bound|backend_bound|retiring|bad_speculation|smt_contention)", l[3:])]
    # Cycles are the slots divided by the width, rounded down, so a few slots may be left over.
    print(f"{n} {with_value} {sum(shares):.3f}")


if __name__ == "__main__":
    main()
