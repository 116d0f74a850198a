# SPDX-License-Identifier: BSD-2-Clause
# README.md is true: every command line in it runs and prints the shown text, and every file, function, room and
# document that README.md and docs/ name exists. docs.py does the checks.
. "$(dirname "$0")/../_lib.sh"

# Runs the commands of README.md; documents.sh runs those of docs/.
python3 tests/e2e/tools/docs.py "$dir" "$patience" README.md || failures=1

$perf0 help --markdown >"$dir/reference"
is "docs/REFERENCE.md is what the tables say (make reference)" "$(diff docs/REFERENCE.md "$dir/reference" | head -n 8)" ""

is "the picture is made from its source" "$(sed -n 's/^<!-- docs\/architecture.dot: \(.*\) -->$/\1/p' docs/architecture.svg)" \
	"$(cksum <docs/architecture.dot)"
words() { grep -o '>[^<>]*</text>' "$1" | sort; }
if command -v dot >/dev/null; then
	scripts/picture "$dir/architecture.svg"
	is "and graphviz makes the same of it" "$(words "$dir/architecture.svg" | cksum)" \
		"$(words docs/architecture.svg | cksum)"
else
	skip "the picture made anew" "no graphviz here"
fi
finish
