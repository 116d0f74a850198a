# SPDX-License-Identifier: BSD-2-Clause
# docs/ is true: every command line of one document runs and prints what is shown; see docs.py.
. "$(dirname "$0")/../_lib.sh"

# shellcheck disable=SC2046 # words
python3 tests/e2e/tools/docs.py "$dir" "$patience" $(one_of $(grep -lE '^ *```(console|sh)' docs/*.md)) || failures=1
finish
