# SPDX-License-Identifier: BSD-2-Clause
# The commands in the workflows of docs/CI.md run here, with Debian's programs, and print the shown text. recipes.py
# does the checks.
. "$(dirname "$0")/../_lib.sh"

if ! /usr/bin/python3 -c 'import yaml' 2>"$dir/yaml.err"; then
	skip "the recipes" "# not run: docs/CI.md: $(tail -n 1 "$dir/yaml.err")"
	exit 0
fi
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
mkdir "$dir/bin"
ln -s "$PWD/$perf0" "$dir/bin/perf0"
/usr/bin/python3 tests/e2e/tools/recipes.py "$dir" docs/CI.md
[ $? = 0 ] || failures=1
finish
