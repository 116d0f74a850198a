# SPDX-License-Identifier: BSD-2-Clause
# _machine.sh - for end-to-end tests of machines that the test starts without the host tool.

for pair in OVMF_CODE.fd:OVMF_VARS.fd OVMF_CODE_4M.fd:OVMF_VARS_4M.fd; do
	code=/usr/share/OVMF/${pair%:*} vars=/usr/share/OVMF/${pair#*:}
	[ -r "$code" ] && break
done

exec 3</dev/null # the machine's standard input

# machine CHARDEV OPTIONS: starts QEMU with vpmu (skx, and $vpmu_options). The image shows its prompt on a serial line
# at CHARDEV. $qemu is QEMU's pid, $dir/qemu its output. Virtual time follows the host's: a wait of the image takes
# that long on the host, too.
machine() {
	cp "$vars" "$dir/vars.fd"
	qemu-system-x86_64 -machine q35,smm=off -global hpet.msi=on -m 256 -nodefaults -display none \
		-no-reboot -cpu EPYC -icount shift=4,sleep=off -rtc base=2026-01-01,clock=vm -seed 1 \
		-boot menu=off -device virtio-blk-pci,drive=esp,bootindex=1 \
		-chardev "$1,id=serial" -serial chardev:serial \
		-drive if=pflash,unit=0,format=raw,readonly=on,file="$code" \
		-drive if=pflash,unit=1,format=raw,file="$dir/vars.fd" \
		-drive if=none,id=esp,format=raw,readonly=on,file=build/esp.img \
		-kernel build/vpmu.efi \
		-append "uarch=skx ht=on ${vpmu_options:-} \\EFI\\BOOT\\BOOTX64.EFI mode=own ${2:-}" >"$dir/qemu" 2>&1 <&3 &
	qemu=$!
	trap 'kill $qemu 2>/dev/null' EXIT
}

# bare_machine CODE VARS OPTIONS...: starts QEMU without vpmu, with that firmware. OPTIONS choose the boot medium.
# The serial line goes into $dir/serial, QEMU's output into $dir/qemu, its pid into $qemu.
bare_machine() {
	firmware=$1
	cp "$2" "$dir/vars.fd"
	shift 2
	: >"$dir/serial"
	qemu-system-x86_64 -m 256 -nodefaults -display none -no-reboot -cpu EPYC -serial file:"$dir/serial" \
		-drive if=pflash,unit=0,format=raw,readonly=on,file="$firmware" \
		-drive if=pflash,unit=1,format=raw,file="$dir/vars.fd" "$@" >"$dir/qemu" 2>&1 <&3 &
	qemu=$!
	trap 'kill $qemu 2>/dev/null' EXIT
}

stop_machine() {
	kill "$qemu" 2>/dev/null
	wait "$qemu" 2>/dev/null
}

# wait_for FILE REGEX: waits until a line of FILE matches.
file_has() { grep -qaE "$2" "$1" 2>/dev/null; }
wait_for() { wait_until 300 file_has "$1" "$2"; }
