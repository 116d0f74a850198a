# SPDX-License-Identifier: BSD-2-Clause
# Unmodified programs for Linux in ring 3, from Debian's packages and built from a few lines: they print what
# they print on this host, and two machines execute the same instructions; see linux.py, which has the table.
. "$(dirname "$0")/../_lib.sh"

python3 tests/e2e/tasks/linux.py "$dir" "$patience" "$(either 8388608 52428800)"
[ $? = 0 ] || failures=1
finish
