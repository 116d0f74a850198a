# SPDX-License-Identifier: BSD-2-Clause
# Firmware that misbehaves on purpose (tests/field/): the image gets on, or says in one line what it does not. The
# table of docs/REAL-MACHINES.md has the same rows.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_machine.sh"

# A volume that can be written: perf0.cfg runs, and then the firmware has the machine again. It is made anew each time,
# as results of all machines would not find room on it.
export MTOOLS_SKIP_CHECK=1
printf 'timeout 0\nthen exit\nversion\n' >"$dir/cfg"
make_volume() {
	cp build/esp.img "$dir/esp.img"
	mmd -i "$dir/esp.img" ::/perf0
	mcopy -i "$dir/esp.img" "$dir/cfg" ::/perf0/perf0.cfg
}

cpu=EPYC cpus=2
# field WORDS: runs the image once for each word, with two CPUs. What is said there goes into $dir/said.
field() {
	make_volume
	bare_machine "$code" "$vars" -cpu "$cpu" -machine q35 -smp "$cpus" -vga std -kernel build/field.efi -append "$*" \
		-drive "if=none,id=esp,format=raw,file=$dir/esp.img" -device ide-hd,drive=esp
	end=hangs
	wait_until 300 has_ended && end=off
	stop_machine
	tr -d '\r' <"$dir/serial" | sed 's/\x1b\[[0-9;=]*[A-Za-z]//g' >"$dir/said"
	is "$*: the machine is turned off" "$end" off
}
has_ended() { ! kill -0 "$qemu" 2>/dev/null; }

# outcome FAULT WHAT REGEX: if the image was started with FAULT, one line that was said then matches the whole of REGEX.
outcome() {
	grep -qax "field: begin $1" "$dir/said" || return
	sed -n "/^field: begin $1\$/,/^field: \(begin\|done\)/{/^field: begin $1\$/d;/^field: begin/d;p}" "$dir/said" >"$dir/part"
	has "$1: $2" "$dir/part" "$3"
}
runs() { outcome "$1" "perf0.cfg runs" 'perf0> version' && outcome "$1" "the firmware has the machine again" "field: end $1: EFI status 0"; }

# --- The firmware stays (mode=borrow) ---
field none $(one_of random odd) $(one_of whole windows) whole-data long $(one_of bltonly narrow) $(one_of rotated padded) \
	long-map $(one_of 16m no-mp) hanging-line silent-cpu
for fault in none random odd whole windows bltonly narrow rotated padded long-map no-mp hanging-line silent-cpu; do
	runs $fault
done
for fault in random odd windows; do
	outcome $fault "the options are ignored" 'perf0: they are ignored'
done
outcome whole-data "the optional data are the command" '  Timer +.*'
outcome long "options that are too long are refused" 'perf0: the load options \(160000 bytes\) are no text, or longer than .*'
outcome long "the firmware is told" 'field: end long: EFI status 2'
for fault in bltonly narrow; do
	outcome $fault "one line tells it" 'perf0: no screen has a framebuffer that can be drawn on: the firmware shows the text, .*'
	outcome $fault "the firmware shows the text" 'field: pixels are lit: no, .*; the console has the prompt: yes'
done
for fault in rotated padded; do
	outcome $fault "the text is drawn, and nothing beside the lines" 'field: pixels are lit: yes, beside the lines: 0; the console has the prompt: no'
done
outcome long-map "the ranges that are left out are told" 'perf0: the memory map has 1[0-9]{3} ranges more than the 1024 that are kept: .*'
outcome 16m "too little memory is told" 'perf0: 1[0-9]{4} KiB of memory are free: too little to borrow from'
outcome no-mp "the CPU that is not there is told" 'perf0: CPU 1 \(APIC id 1\) is not lent by the firmware .*'
outcome hanging-line "a line without a terminal is not disconnected, and has the text" 'field: the other line has text: yes'
outcome silent-cpu "the CPU that does not answer is told" 'perf0: CPU 1 \(APIC id 1\) did not start'

# --- Without the firmware (mode=own) ---
for faults in $(one_of bltonly long-map wp+stale); do
	field $faults -- 'mode=own version ; poweroff'
	outcome "${faults#*+}" "mode=own: the command runs" 'perf0 version .*'
	outcome bltonly "mode=own: the dark screen is told" 'perf0: no screen has a framebuffer that can be drawn on: it stays dark .*'
	outcome long-map "mode=own: the ranges that are left out are told" 'perf0: the memory map has 1[0-9]{3} ranges more than .*'
done

# --- Modes of the CPU, and runtime services that are gone ---
# OVMF does not return from ExitBootServices with two CPUs then, so mode=own has one.
mode=$(one_of borrow own)
cpu=EPYC,+la57 cpus=$([ "$mode" = own ] && echo 1 || echo 2)
field la57 -- "mode=$mode version ; stat -e task-clock loop 1000 ; poweroff"
cpu=EPYC cpus=2
outcome la57 "5-level paging is on at the entry" 'field: 5-level paging is on: yes'
outcome la57 "the commands run" ' +[0-9.]+ msec task-clock .*'
# The CPUs that QEMU emulates have an x2APIC from version 9 on.
if newer=$(scripts/qemu-backports build/qemu-backports); then
	path=$PATH PATH=$(dirname "$newer"):$PATH cpu=EPYC,+x2apic
	field x2apic
	runs x2apic
	outcome x2apic "it stays in that mode" 'field: the APIC is in x2APIC mode: yes'
	PATH=$path cpu=EPYC
else
	skip "an x2APIC" "$newer"
fi
field virtual
runs virtual
field virtual -- "$(one_of mode=borrow mode=own) version ; poweroff"
outcome virtual "one line tells it" "perf0: the firmware's runtime services are not in its memory, .*"
outcome virtual "the command runs, and the machine is turned off without them" 'perf0 version .*'

# --- Clocks ---
for faults in $(one_of dead-hpet no-hpet+dead-pm-timer); do
	field $faults -- 'mode=own caps ; poweroff'
	outcome dead-hpet "an HPET that stands still: the other timer is taken" '  TSC, kHz +[0-9]+ from ACPI PM timer'
	outcome dead-pm-timer "no clock moves, which is told" '  TSC, kHz +1000000 from nothing to measure against, 1 GHz assumed'
done
rm -f "$dir/esp.img"
finish
