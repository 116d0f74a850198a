# SPDX-License-Identifier: BSD-2-Clause
# Sticks in machines of which nothing is known, as a person would use them: see stick.py.
. "$(dirname "$0")/../_lib.sh"
python3 tests/e2e/machine/stick.py "$dir" || failures=1
finish
