# SPDX-License-Identifier: BSD-2-Clause
# Xen as a guest of vpmu: the hypervisor finds no SVM, and checks that its NMI watchdog, which is a counter's overflow,
# comes. Until it loads the first domain, its messages are the same as without vpmu, except for the CPU. It ends there,
# because it cannot load the domain.
. "$(dirname "$0")/../_lib.sh"
. tests/e2e/_machine.sh

# fetch_xen: fetches and unpacks Debian's package of the hypervisor; $xen is its UEFI program. False: that failed, and
# $dir/fetched has the reason.
fetch_xen() {
	mkdir -p "$dir/packages"
	package=$(apt-cache pkgnames xen-hypervisor-4 2>/dev/null | grep 'amd64$' | sort | tail -n 1)
	(cd "$dir/packages" && apt-get -o APT::Sandbox::User= -qq download "$package") >"$dir/fetched" 2>&1 &&
		dpkg-deb -x "$dir"/packages/*.deb "$dir/unpacked" && xen=$(ls "$dir"/unpacked/boot/xen-*.efi)
}

# boot_xen NAME CPU IMAGE OPTIONS: boots Xen from its disk, or, where IMAGE is vpmu, under vpmu. Its output goes to
# $dir/NAME.
boot_xen() {
	log=$dir/$1
	cp "$vars" "$dir/vars.fd"
	: >"$log.serial"
	qemu-system-x86_64 -machine q35,smm=off -global hpet.msi=on -m 512 -nodefaults -display none -no-reboot \
		-cpu "$2" -icount shift=4,sleep=off -boot menu=off -device virtio-blk-pci,drive=disk,bootindex=1 \
		-serial file:"$log.serial" -drive if=pflash,unit=0,format=raw,readonly=on,file="$code" \
		-drive if=pflash,unit=1,format=raw,file="$dir/vars.fd" \
		-drive if=none,id=disk,format=raw,readonly=on,file="$dir/disk" ${3:+-kernel "$3" -append "$4"} >"$log.qemu" 2>&1 <&3 &
	qemu=$!
	trap 'kill $qemu 2>/dev/null' EXIT
	wait_for "$log.serial" 'Manual reset required' || not_ok "$1: it ends" "$(tail -n 3 "$log.serial")"
	stop_machine
	tr -d '\r' <"$log.serial" | grep -a '^(XEN)' >"$log"
}

# Removes the lines that depend on the CPU or on where memory is.
without_cpu() {
	grep -vE 'CPU Vendor|Unrecognised CPU|machine check reporting|Xen settings|Support for HVM|SSBD|family [0-9]+|type=|TSC|load base|System RAM|usable|reserved|NMI watchdog' "$1" |
		sed -E 's/[0-9a-f]{8,16}/X/g; s/[0-9]+\.[0-9]+ MHz/MHz/'
}

if ! soaking; then
	skip "Xen as a guest" "make soak has it"
	finish
	exit
fi
if ! fetch_xen; then
	skip "Xen as a guest" "it cannot be fetched ($(head -n 1 "$dir/fetched"))"
	finish
	exit
fi
export MTOOLS_SKIP_CHECK=1
printf '[global]\ndefault=x\n[x]\noptions=console=com1 com1=115200,8n1 loglvl=all noreboot watchdog sync_console\nkernel=none\n' >"$dir/xen.cfg"
cp build/perf0 "$dir/none" # an ELF file, and no domain's
mformat -C -i "$dir/disk" -T 65536 -h 64 -s 32 -v XEN ::
mmd -i "$dir/disk" ::/EFI ::/EFI/BOOT
mcopy -i "$dir/disk" "$xen" ::/EFI/BOOT/BOOTX64.EFI
mcopy -i "$dir/disk" "$dir/xen.cfg" ::/EFI/BOOT/BOOTX64.cfg
mcopy -i "$dir/disk" "$dir/none" ::/EFI/BOOT/none

boot_xen bare EPYC,-svm
boot_xen zen4 EPYC build/vpmu.efi 'uarch=zen4 \EFI\BOOT\BOOTX64.EFI'
boot_xen icl EPYC build/vpmu.efi 'uarch=icl \EFI\BOOT\BOOTX64.EFI'
has "without a PMU its watchdog does not come" "$dir/bare" '\(XEN\) Testing NMI watchdog on all CPUs:.*stuck'
has "zen4: it does" "$dir/zen4" '\(XEN\) Testing NMI watchdog on all CPUs:ok'
has "icl: it does" "$dir/icl" '\(XEN\) Testing NMI watchdog on all CPUs:ok'
without_cpu "$dir/bare" >"$dir/bare.same"
without_cpu "$dir/zen4" >"$dir/zen4.same"
is "zen4: all else is the same" "$(diff "$dir/bare.same" "$dir/zen4.same")" ""
finish
