# SPDX-License-Identifier: BSD-2-Clause
# Sticks in unknown machines, as a person would use them: see stick.py.
. "$(dirname "$0")/../_lib.sh"
# shellcheck disable=SC2046 # words
python3 tests/e2e/machine/stick.py "$dir" $(one_of laptop server) $(one_of bad_sticks held_machine) nearly_full unused_line || failures=1
finish
