# SPDX-License-Identifier: BSD-2-Clause
# Firmware that misbehaves on purpose (tests/field/): the image gets on, or says in one line what it does not.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

# A volume that can be written: the commands of perf0.cfg run, and then the firmware has the machine again.
cp build/esp.img "$dir/esp.img"
export MTOOLS_SKIP_CHECK=1
printf 'timeout 0\nthen exit\nversion\n' >"$dir/cfg"
mmd -i "$dir/esp.img" ::/perf0
mcopy -i "$dir/esp.img" "$dir/cfg" ::/perf0/perf0.cfg

# field WORDS OPTIONS...: runs the image once for each word. What it says goes into $dir/said; $end is `off`, or `hangs`.
field() {
	words=$1
	shift
	bare_machine "$code" "$vars" -machine q35 -smp 2 -vga std -kernel build/field.efi -append "$words" \
		-drive "if=none,id=esp,format=raw,file=$dir/esp.img" -device ide-hd,drive=esp "$@"
	end=hangs
	wait_until 120 has_ended && end=off
	stop_machine
	tr -d '\r' <"$dir/serial" | sed 's/\x1b\[[0-9;=]*[A-Za-z]//g' >"$dir/said"
}
has_ended() { ! kill -0 "$qemu" 2>/dev/null; }
