# SPDX-License-Identifier: BSD-2-Clause
# Machines of many kinds, as QEMU has them, one boot each: see machines.py.
. "$(dirname "$0")/../_lib.sh"
python3 tests/e2e/machine/machines.py "$dir" $(either "" all) || failures=1
finish
