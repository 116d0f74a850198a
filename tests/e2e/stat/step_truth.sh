# SPDX-License-Identifier: BSD-2-Clause
# The counts of QEMU's plugin equal those of single steps, exactly; step_truth.py has the table of programs.
. "$(dirname "$0")/../_lib.sh"
python3 tests/e2e/stat/step_truth.py "$dir" "$patience" "$(either 0 1)" || failures=1
finish
