# SPDX-License-Identifier: BSD-2-Clause
# Machines of many kinds, as QEMU has them, one boot each: see machines.py.
. "$(dirname "$0")/../_lib.sh"
# shellcheck disable=SC2046 # words
python3 tests/e2e/machine/machines.py "$dir" $(one_of without_acpi several_lines old_pc) \
	$(one_of large_screen two_cards carried_over) $(either "" "card_only several_roots much_memory") || failures=1
finish
