# SPDX-License-Identifier: BSD-2-Clause
# pages.py check FILE... | axe AXE FILE: prints a line for each fault of a page, or `right`.
#   check  contrast of texts, names of pictures, headings, labels, the keyboard, landmarks
#   words  prints the page's text, a line for each row, list and headline
#   axe    what axe-core (the file AXE) finds in chromium, light and dark, at three widths
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

XHTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
READABLE = 4.5 # WCAG 2.1, "Contrast (Minimum)"
WIDTHS = (400, 1200, 2400)


def luminance(colour):
    """WCAG 2.1, "relative luminance"."""
    digits = "".join(2 * c for c in colour) if len(colour) == 3 else colour
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def faults_of_colours(style):
    """The first :root has the light colours, the second one the dark ones."""
    roots = re.findall(r":root\{(--ground[^}]*)\}", style)
    if len(roots) != 2:
        yield f"{len(roots)} sets of colours"
    links = re.findall(r":root\{(--link:[^}]*)\}", style)
    for scheme, root, link in zip(("light", "dark"), roots, links, strict=True):
        colours = dict(re.findall(r"(--\w+):#([0-9a-f]+)", root + link))
        for text in ("--ink", "--faint", "--hot", "--link"):
            for below in ("--ground", "--lane"):
                ratio = contrast(colours[text], colours[below])
                if ratio < READABLE:
                    yield f"contrast of {text} in {scheme} on {below} is {ratio:.2f}"


def text_of(element):
    return "".join(element.itertext()).strip()


def faults_of_pictures(tree):
    for svg in tree.iter(SVG + "svg"):
        named = svg.get("aria-label") or svg.find(SVG + "title") is not None
        if svg.get("role") in ("img", "group") and not named:
            yield "a picture without a name"
        if svg.get("role") == "img" and any(True for _ in svg.iter(SVG + "a")):
            yield "links in a picture that counts as one image"
        if not svg.get("role") and svg.get("aria-hidden") != "true" and not text_of(svg):
            yield "a picture without a role, a name and a text"


def faults_of_keyboard(tree):
    for element in tree.iter():
        if element.get("class", "").split(" ")[0] in ("table", "picture") and element.get("tabindex") != "0":
            yield f"a {element.get('class')} cannot be scrolled by the keyboard"
        if int(element.get("tabindex", "0")) > 0:
            yield "an order of the keyboard's focus"
    labels = {label.get("for") for label in tree.iter(XHTML + "label")}
    for field in tree.iter(XHTML + "input"):
        if field.get("id") not in labels:
            yield "a field without a label"


def faults_of_text(tree):
    if not tree.get("lang"):
        yield "no language"
    if not text_of(tree.find(f"{XHTML}head/{XHTML}title")):
        yield "no title"
    if len(list(tree.iter(XHTML + "main"))) != 1:
        yield "no main, or several"
    if len(list(tree.iter(XHTML + "h1"))) != 1:
        yield "no headline, or several"
    for name in ("th", "h1", "h2", "h3", "a", "summary", "label"):
        for element in tree.iter(XHTML + name):
            if not text_of(element):
                yield "a heading of a table is empty" if name == "th" else f"an empty <{name}>"
    ids = [e.get("id") for e in tree.iter() if e.get("id")]
    if len(ids) != len(set(ids)):
        yield "an id is there twice"
    for link in list(tree.iter(XHTML + "a")) + list(tree.iter(SVG + "a")):
        target = link.get("href", "")
        if target.startswith("#") and target[1:] not in ids:
            yield f"a link to {target}, which is not there"


def faults(path):
    text = open(path, encoding="utf-8").read()
    tree = ET.fromstring(re.sub(r"^<!DOCTYPE html>", "", text))
    style = "".join(e.text or "" for e in tree.iter(XHTML + "style"))
    for of in (faults_of_text(tree), faults_of_pictures(tree), faults_of_keyboard(tree), faults_of_colours(style)):
        yield from of
    if "@media print" not in style:
        yield "no rules for print"


RUN = """<script>
document.documentElement.dataset.wide = document.documentElement.scrollWidth - window.innerWidth;
axe.run(document, {resultTypes: ["violations"]}).then(r => {
  const told = document.createElement("pre");
  told.id = "axe-told";
  told.textContent = JSON.stringify({wide: document.documentElement.dataset.wide, found: r.violations.map(
    v => v.id + ": " + v.nodes.length + " times, first " + v.nodes[0].html.slice(0, 120))});
  document.body.appendChild(told);
});
</script></body></html>"""


def axe_faults(axe, path, width, dark):
    """Chromium opens a copy of the page that has axe-core in it, and prints the page behind it."""
    text = open(path, encoding="utf-8").read()
    script = "<script>" + open(axe, encoding="utf-8").read() + "</script>"
    if dark:
        text = text.replace("(prefers-color-scheme:dark)", "(min-width:0)")
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text.replace("</body></html>", script + RUN))
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/user",
             f"--window-size={width},900", "--virtual-time-budget=60000", "--dump-dom", "file://" + copy],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=300)
    told = re.search(r'<pre id="axe-told">(.*?)</pre>', done.stdout.decode(), re.S)
    if not told:
        return ["axe-core did not end"]
    result = json.loads(html.unescape(told[1]))
    wide = [f"scrolls sideways by {result['wide']}"] if int(result["wide"]) > 0 else []
    return wide + result["found"]


def words(path):
    """The text of each row of a table, of each list, and of the headlines."""
    tree = ET.fromstring(re.sub(r"^<!DOCTYPE html>", "", open(path, encoding="utf-8").read()))
    for element in tree.iter():
        if element.tag in (XHTML + "tr", XHTML + "dl"):
            yield " ".join(filter(None, (" ".join(text_of(cell).split()) for cell in element)))
        elif element.tag in (XHTML + "h1", XHTML + "h2"):
            yield text_of(element)


def main():
    if sys.argv[1] == "words":
        print("\n".join(words(sys.argv[2])))
        return
    if sys.argv[1] == "check":
        found = [f"{os.path.basename(path)}: {fault}" for path in sys.argv[2:] for fault in dict.fromkeys(faults(path))]
    else:
        axe, path = sys.argv[2:]
        found = [f"{width} {'dark' if dark else 'light'}: {fault}" for width in WIDTHS for dark in (False, True)
                 for fault in axe_faults(axe, path, width, dark)]
    print("\n".join(found) if found else "right")


main()
