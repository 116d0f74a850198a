# SPDX-License-Identifier: BSD-2-Clause
# QEMU's plugin counts of programs exactly what single steps show; see step_truth.py, which has the table.
. "$(dirname "$0")/../_lib.sh"
python3 tests/e2e/stat/step_truth.py "$dir" "$patience" "$(either 0 1)" || failures=1
finish
