# SPDX-License-Identifier: BSD-2-Clause
# The booted image counts events of programs for which closed forms give the counts; closed.py has the table.
. "$(dirname "$0")/../_lib.sh"
gcc -O2 -static -I. tests/linux/closed.c -o "$dir/closed"
# shellcheck disable=SC2046 # words
python3 tests/e2e/stat/closed.py "$dir/closed" "$dir" "$patience" Intel $(one_of AMD caches) $(either "" cycles) || failures=1
finish
