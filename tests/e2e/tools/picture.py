# SPDX-License-Identifier: BSD-2-Clause
# picture.py FORM FILE [JSON]: checks a picture or a page from outside, and prints a line for each fault.
#   svg FILE            an SVG is well-formed, and fetches nothing
#   page FILE           a page is well-formed, and fetches nothing
#   same FILE JSON      the tables of a page have exactly the figures in these lines of -j
#   schedule FILE JSON  an SVG shows the plan in JSON (`plan --json`): each event equally long on its counters
import json
import re
import sys
import xml.etree.ElementTree as ET

XHTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"


def parse(path):
    text = open(path, encoding="utf-8").read()
    return ET.fromstring(re.sub(r"^<!DOCTYPE html>", "", text))


def foreign(tree):
    """What a browser would fetch or run."""
    for e in tree.iter():
        tag = e.tag.split("}")[1]
        if tag in ("script", "img", "image", "iframe", "object", "embed", "use", "foreignObject"):
            yield f"<{tag}>"
        if tag == "link" and e.get("href") != "data:,":
            yield f"<link {e.get('href')}>"
        for name, value in e.attrib.items():
            if name.startswith("on") or ("url(" in value and not value.startswith("url(#")):
                yield f"{tag} {name}={value}"
            if re.fullmatch(r"-?(nan|inf)", value):
                yield f"{tag} {name}={value}"
        if tag == "style" and re.search(r"@import|url\(|https?:", e.text or ""):
            yield "a style that fetches"


def text_of(e):
    return "".join(e.itertext())


def rows(tree):
    """Tables whose heads say what their figures are: (headings, cells)."""
    for table in tree.iter(XHTML + "table"):
        head = table.find(XHTML + "thead")
        if head is None:
            continue
        names = [text_of(th) for th in head.iter(XHTML + "th")]
        for tr in table.find(XHTML + "tbody").iter(XHTML + "tr"):
            yield dict(zip(names, [text_of(td) for td in tr.iter(XHTML + "td")]))


def figures(line):
    """Of a line of -j, what the page's table has: heading to value."""
    if "benchmark" in line:
        want = {k: line[k] for k in ("cycle", "min", "median", "mean", "max") if k in line}
    else:
        value = line["counter-value"]
        want = {"count": value if value.startswith("<") else float(value)}
        if line["metric-unit"]:
            want["that is"] = line["metric-value"]
        if "interval" in line:
            want["until, s"] = line["interval"]
        if "variance" in line and line["variance"] >= line.get("scaling-error", 0):
            want["±\xa0%"] = line["variance"]
        elif "scaling-error" in line:
            want["±\xa0%"] = line["scaling-error"]
    if "pass" in line:
        want["pass"] = line["pass"]
    return want


def same(tree, path):
    lines = [json.loads(x) for x in open(path) if x.startswith("{")]
    lines = [x for x in lines if "event" in x]
    got = [r for r in rows(tree) if "count" in r or "min" in r]
    # In the page intervals come after the counts of the whole run.
    lines.sort(key=lambda x: "interval" in x)
    if len(lines) != len(got):
        yield f"{len(got)} rows for {len(lines)} lines"
    for line, row in zip(lines, got):
        if row["event"] != line["event"]:
            yield f"{row['event']} for {line['event']}"
        for name, value in figures(line).items():
            cell = row.get(name, "nothing")
            if (cell if isinstance(value, str) else float(cell)) != value:
                yield f"{line['event']}: {name} is {cell}, not {value}"


def schedule(tree, path):
    plan = json.load(open(path))
    titles = [e.find(SVG + "title").text for e in tree.iter(SVG + "g") if e.find(SVG + "title") is not None]
    period = re.search(r"all the same|the same every (\d+) slices", text_of(tree))
    if not period:
        yield "no period is told"
        return
    period = int(period.group(1) or 1)
    for number, event in enumerate(plan["events"], 1):
        slices = set()
        for t in titles:
            m = re.fullmatch(rf"{number} .*, (PMC\d+|FIXED\d+|software: no counter), slices? (\d+)(?: to (\d+))?", t)
            if m:
                slices |= set(range(int(m.group(2)), int(m.group(3) or m.group(2)) + 1))
        told = sum(1 for s in slices if s <= period) / period * 100
        if abs(told - event["percent"]) > 0.2:
            yield f"{event['name']}: {told:.2f} % are drawn, not {event['percent']}"
        waits = [t for t in titles if re.match(rf"{number} .* waits, slices? .*: .", t)]
        if bool(waits) != (event["percent"] < 100):
            yield f"{event['name']}: {len(waits)} reasons to wait"


form, path = sys.argv[1:3]
try:
    tree = parse(path)
    wrong = list(foreign(tree))
    if form == "same":
        wrong += same(tree, sys.argv[3])
    elif form == "schedule":
        wrong += schedule(tree, sys.argv[3])
except (ET.ParseError, OSError, ValueError, KeyError) as e:
    wrong = [repr(e)]
print("\n".join(wrong) if wrong else "right")
