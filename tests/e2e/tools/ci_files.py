# SPDX-License-Identifier: BSD-2-Clause
"""ci_files.py - looks at the files of YAML that the project ships for CI, and at its forms for issues."""
import glob
import os
import re
import sys

import yaml

ACTIONS = {"actions/checkout@v4", "actions/cache@v4", "actions/upload-artifact@v4"}
failed = 0


def told(well, what, *seen):
    global failed
    print(("ok" if well else "not ok") + " - ci_files: " + what, flush=True)
    failed += not well
    for line in () if well else seen:
        print(f"    {line}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)


def check_action():
    action = read("action.yml")
    steps = action["runs"]["steps"]
    told(action["runs"]["using"] == "composite", "the action is a composite one")
    told(all(step.get("shell") == "bash" for step in steps if "run" in step), "each step that runs names its shell")
    told({s["uses"] for s in steps if "uses" in s} <= ACTIONS, "actions that the action uses")
    words = [re.fullmatch(r'"\$GITHUB_ACTION_PATH/scripts/action" (\w+)', s["run"]) for s in steps if "run" in s]
    told([w and w.group(1) for w in words] == ["install", "gate"], "what runs is in scripts/action", words)
    text = open("action.yml", encoding="utf-8").read()
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text))
    told(used == set(action["inputs"]), "each input is used, and there is no other", used ^ set(action["inputs"]))
    # An input in a line that a shell runs would be code of whoever writes it.
    told(not any("${{" in s["run"] for s in steps if "run" in s), "no input is part of a command")
    variables = {name for s in steps for name in s.get("env", {})}
    script = open("scripts/action", encoding="utf-8").read()
    told(all(name in script or name == "PERF0_CACHE_KEY" for name in variables), "the script knows its variables", variables)
    ids = {s["id"] for s in steps if "id" in s}
    told(set(re.findall(r"steps\.(\w+)\.outputs", text)) <= ids, "outputs are those of steps")


def check_forms():
    for path in sorted(glob.glob(".github/ISSUE_TEMPLATE/*.yml")):
        form = read(path)
        if path.endswith("/config.yml"):
            told(set(form) <= {"blank_issues_enabled", "contact_links"}, path)
            continue
        ids = [part["id"] for part in form["body"]]
        told(form["name"] and form["description"] and len(set(ids)) == len(ids), f"{path}: its parts have names", ids)
        labels = [part["attributes"]["label"] for part in form["body"]]
        told("perf0 doctor --report" in labels, f"{path}: it asks for perf0 doctor --report", labels)


def check_workflows():
    for path in sorted(glob.glob(".github/workflows/*.yml")):
        text = open(path, encoding="utf-8").read()
        with open("Makefile", encoding="utf-8") as makefile:
            goals = set(re.findall(r"^([a-z-]+):", makefile.read(), re.M))
        for name, job in read(path)["jobs"].items():
            uses = {step["uses"] for step in job["steps"] if "uses" in step}
            told(uses <= ACTIONS, f"{path}: {name}: the actions it uses", uses)
            made = {goal for step in job["steps"] for goal in re.findall(r"^make (\w+)", step.get("run", ""))}
            told(made and made <= goals, f"{path}: {name}: goals of the Makefile", made)
        told("permissions:" in text, f"{path}: it asks for few rights")


def check_gitlab():
    (name, job), = read("ci/gitlab.yml").items()
    told(name.startswith("."), "GitLab: the job is hidden until it is extended", name)
    variables = set(re.findall(r"\$(PERF0_\w+)", " ".join(job["before_script"] + job["script"])))
    told(variables <= set(job["variables"]), "GitLab: each variable has a default", variables)
    told(set(job["artifacts"]["reports"].values()) <= set(" ".join(job["script"]).split()), "GitLab: reports are written")


def check_hooks():
    hooks = read(".pre-commit-hooks.yaml")
    for hook in hooks:
        told({"id", "name", "entry", "language"} <= set(hook), f"hook {hook.get('id')}: what pre-commit requires")
        told(hook["entry"].split()[0] == "perf0" and hook["language"] == "system", f"hook {hook['id']}: it runs perf0")


def check_addresses():
    """The project has no public address: none is invented."""
    shipped = ["action.yml", ".pre-commit-hooks.yaml", "Containerfile", "SECURITY.md", "CODE_OF_CONDUCT.md"]
    for path in shipped + glob.glob(".github/**/*.*", recursive=True) + glob.glob("ci/*"):
        with open(path, encoding="utf-8") as file:
            told("://" not in file.read(), f"{path} has no address")


os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
check_action()
check_forms()
check_workflows()
check_gitlab()
check_hooks()
check_addresses()
sys.exit(failed != 0)
