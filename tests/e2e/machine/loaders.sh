# SPDX-License-Identifier: BSD-2-Clause
# Loaders of Linux kernels start perf0.bz and vpmu.bz: QEMU's -kernel with SeaBIOS, with OVMF and with qboot, GRUB with
# and without UEFI, and iPXE. What they hand over by an initrd is there, and each counts the same. Broken input is told
# in one line.
. "$(dirname "$0")/../_lib.sh"
. tests/e2e/_machine.sh

vpmu_machine="-machine q35,smm=off -global hpet.msi=on -m 256 -icount shift=4,sleep=off -rtc base=2026-01-01,clock=vm -seed 1"
lines=
online_machine=$(echo "$vpmu_machine" | sed s/,sleep=off//) # its clock does not outrun a server's

# start NAME OPTIONS...: a machine with COM1 in $dir/NAME, which ends by itself. Its status goes to $status.
start() {
	log=$dir/$1
	shift
	: >"$log.line"
	timeout 200 qemu-system-x86_64 -nodefaults -display none -no-reboot -cpu EPYC -serial file:"$log.line" "$@" \
		>"$log.qemu" 2>&1 <&3
	status=$?
	tr -d '\r' <"$log.line" >"$log"
}

# uefi NAME OPTIONS...: the same with OVMF.
uefi() {
	uefi_name=$1
	shift
	cp "$vars" "$dir/vars.fd"
	start "$uefi_name" -machine q35 -drive if=pflash,unit=0,format=raw,readonly=on,file="$code" \
		-drive if=pflash,unit=1,format=raw,file="$dir/vars.fd" "$@"
}

# halts NAME REGEX OPTIONS...: the machine prints that line and stays. It prints $lines lines, if that is set.
halts() {
	halts_name=$1 wanted=$2
	shift 2
	log=$dir/$halts_name
	: >"$log"
	qemu-system-x86_64 -nodefaults -display none -no-reboot -serial file:"$log" "$@" >"$log.qemu" 2>&1 <&3 &
	qemu=$!
	trap 'kill $qemu 2>/dev/null' EXIT
	wait_for "$log" "$wanted" && ok "$halts_name: one line says so" || not_ok "$halts_name" "$(tail -n 4 "$log" "$log.qemu")"
	stop_machine
	[ -z "$lines" ] || is "$halts_name: and no more" "$(tr -d '\r' <"$log" | grep -ac .)" "$lines"
}

# counted FILE: what the last stat counted.
counted() { grep -aE ' instructions(:[uk])? *$' "$1" | awk '{ print $1, $2 }'; }

events=instructions:u,instructions,instructions:k
commands="stat -e $events -- loop 100000; poweroff"
$perf0 stat -e $events -- loop 100000 >"$dir/by_ovmf" 2>&1
counted "$dir/by_ovmf" >"$dir/wanted"
is "OVMF and the host tool: what was counted" "$(grep -c . "$dir/wanted")" 3
same_counts() { is "$1: the counts are those by OVMF" "$(counted "$2")" "$(cat "$dir/wanted")"; }

# --- The host tool ---

boot "$dir/cold" --cold --firmware seabios -v -- stat -e $events -- loop 100000
same_counts "--firmware seabios" "$dir/cold"
is "--firmware seabios: no OVMF" "$(grep -c pflash "$dir/cold")" 0
for _ in saves restores; do
	boot "$dir/warm" --firmware seabios -v -- stat -e $events -- loop 100000
done
same_counts "--firmware seabios, restored" "$dir/warm"
is "--firmware seabios: it was restored" "$(grep -c 'a cold start' "$dir/warm")" 0
boot "$dir/smp" --firmware seabios --smp 4 -- cpus \; stat -a -e instructions:u -- loop 1000
is "--firmware seabios: four CPUs, each with a PMU" "$(grep -c 'GenuineIntel.*online' "$dir/smp")" 4
boot "$dir/none" --firmware seabios --no-vpmu -- machine
has "--firmware seabios: without vpmu" "$dir/none" 'AMD EPYC Processor'

# --- QEMU's -kernel ---

start kernel -machine q35 -m 6G -smp 4 -kernel build/perf0.bz -append "cpus; machine; poweroff"
is "SeaBIOS: it ends by poweroff" $status 0
is "SeaBIOS: four CPUs" "$(grep -ac ' online$' "$dir/kernel")" 4
has "SeaBIOS: its clock" "$dir/kernel" 'TSC: .* by HPET; timer: .*'
start pc -machine pc -m 128 -kernel build/perf0.bz -append "machine; poweroff"
is "SeaBIOS of an older board: it ends by poweroff" $status 0
if [ -r /usr/share/qemu/qboot.rom ]; then
	halts qboot '^perf0> ' -machine microvm -cpu EPYC -m 128 -kernel build/perf0.bz -append "no-such-command"
	has "qboot: the command runs" "$dir/qboot" ".*no-such-command.*"
else
	skip "qboot" "QEMU has none"
fi
uefi ovmf -m 256 -kernel build/perf0.bz -append "mode=own machine; poweroff"
is "OVMF takes the same file: it ends by poweroff" $status 0
has "OVMF: its clock" "$dir/ovmf" 'TSC: .* by HPET; timer: .*'

# With a VGA, the text is on its screen.
mkfifo "$dir/monitor"
: >"$dir/vga"
qemu-system-x86_64 -nodefaults -display none -no-reboot -cpu EPYC -machine q35 -m 256 -vga std -serial file:"$dir/vga" \
	-monitor stdio -kernel build/perf0.bz <"$dir/monitor" >"$dir/vga.qemu" 2>&1 &
qemu=$!
trap 'kill $qemu 2>/dev/null' EXIT
exec 4>"$dir/monitor"
wait_for "$dir/vga" '^perf0> '
echo "screendump $dir/screen.ppm" >&4
wait_until 60 test -s "$dir/screen.ppm"
echo quit >&4
exec 4>&-
wait "$qemu"
is "SeaBIOS and a VGA: 1280 pixels in a line" "$(sed -n '2s/ .*//p' "$dir/screen.ppm")" 1280
is "SeaBIOS and a VGA: text in white on black" \
	"$(($(tail -c +20 "$dir/screen.ppm" | tr -d '\0' | wc -c) > 3000))" 1

# --- vpmu.bz, and an initrd ---

mkdir -p "$dir/initrd/bin" "$dir/initrd/etc"
cp build/perf0.bz "$dir/initrd"
cp build/latency-memory "$dir/initrd/bin/memory"
if ! busybox cpio --help >"$dir/cpio" 2>&1; then
	skip "an initrd" "busybox-static is not installed"
	finish
	exit
fi
cp "$(command -v busybox)" "$dir/initrd/bin/busybox"
echo "a file of the initrd" >"$dir/initrd/etc/text"
(cd "$dir/initrd" && find . | busybox cpio -o -H newc) >"$dir/initrd.cpio" 2>"$dir/cpio"
start vpmu $vpmu_machine -kernel build/vpmu.bz -initrd "$dir/initrd.cpio" -append "uarch=skx /perf0.bz $commands"
same_counts "vpmu.bz by SeaBIOS" "$dir/vpmu"
has "vpmu.bz: vpmu says so" "$dir/vpmu" 'vpmu: skx, ht=on'
start files -machine q35 -m 256 -kernel build/perf0.bz -initrd "$dir/initrd.cpio" \
	-append "/bin/busybox cat /etc/text; poweroff"
has "perf0.bz: a program and a file of the initrd" "$dir/files" 'a file of the initrd'
cd "$dir/initrd" || exit
../../../perf0 stat -e instructions:u -- bin/busybox true >../host 2>&1
cd ../../../.. || exit
start program $vpmu_machine -kernel build/vpmu.bz -initrd "$dir/initrd.cpio" \
	-append "uarch=skx /perf0.bz stat -e instructions:u -- /bin/busybox true; poweroff"
is "a program of the initrd is counted" "$(counted "$dir/program" | grep -c .)" 1

# --- GRUB ---

if command -v grub-mkrescue >/dev/null && command -v xorriso >/dev/null; then
	mkdir -p "$dir/iso/boot/grub"
	cp build/perf0.bz build/vpmu.bz "$dir/initrd.cpio" "$dir/iso"
	cat >"$dir/iso/boot/grub/grub.cfg" <<-EOF
		serial --unit=0 --speed=115200
		terminal_output serial
		set timeout=0
		menuentry a {
			linux /vpmu.bz uarch=skx /perf0.bz stat -e $events -- loop 100000\\; poweroff
			initrd /initrd.cpio
		}
	EOF
	grub-mkrescue -o "$dir/vpmu.iso" "$dir/iso" >"$dir/grub.log" 2>&1
	start grub $vpmu_machine -cdrom "$dir/vpmu.iso"
	same_counts "GRUB" "$dir/grub"
	sed -i 's|linux .*|linux /perf0.bz mode=own machine\\; poweroff|; /initrd /d' "$dir/iso/boot/grub/grub.cfg"
	grub-mkrescue -o "$dir/perf0.iso" "$dir/iso" >"$dir/grub.log" 2>&1
	start grub_pc -machine q35 -m 256 -cdrom "$dir/perf0.iso"
	is "GRUB starts perf0.bz" $status 0
	has "GRUB: its clock" "$dir/grub_pc" 'TSC: .* by HPET; timer: .*'
	if [ -d /usr/lib/grub/x86_64-efi ]; then
		uefi grub_uefi -m 256 -cdrom "$dir/perf0.iso"
		is "GRUB of UEFI starts perf0.bz" $status 0
		has "GRUB of UEFI: its clock" "$dir/grub_uefi" 'TSC: .* by HPET; timer: .*'
		sed -i 's|linux .*|linuxefi /perf0.bz|' "$dir/iso/boot/grub/grub.cfg"
		grub-mkrescue -o "$dir/handover.iso" "$dir/iso" >"$dir/grub.log" 2>&1
		cp "$vars" "$dir/vars.fd"
		halts handover 'The firmware lends this machine' -machine q35 -cpu EPYC -m 256 -cdrom "$dir/handover.iso" \
			-drive if=pflash,unit=0,format=raw,readonly=on,file="$code" \
			-drive if=pflash,unit=1,format=raw,file="$dir/vars.fd"
	else
		skip "GRUB of UEFI" "grub-efi-amd64-bin is not installed"
	fi
	halts grub_32 'perf0: this CPU has no 64-bit mode; the machine is halted' -cpu qemu32 -m 256 -cdrom "$dir/perf0.iso"
else
	skip "GRUB" "grub-pc-bin, grub-common or xorriso is not installed"
fi

# --- iPXE ---

if [ -d /usr/lib/ipxe/qemu ] && soaking || [ -d /usr/lib/ipxe/qemu ] && [ $(($(turn) % 2)) = 0 ]; then
	mkdir -p "$dir/tftp"
	cp build/vpmu.bz "$dir/initrd.cpio" "$dir/tftp"
	cat >"$dir/tftp/perf0.ipxe" <<-EOF
		#!ipxe
		kernel tftp://10.0.2.2/vpmu.bz uarch=skx /perf0.bz $(echo "$commands" | sed 's/;/\${semicolon:string}/')
		initrd tftp://10.0.2.2/initrd.cpio
		boot
	EOF
	sed -i '1a set semicolon:hex 3b' "$dir/tftp/perf0.ipxe"
	start ipxe $online_machine -boot n -netdev user,id=n,tftp="$dir/tftp",bootfile=perf0.ipxe -device virtio-net-pci,netdev=n
	same_counts "iPXE" "$dir/ipxe"
else
	skip "iPXE" "the next commit has it, or ipxe-qemu is not installed"
fi

# --- What cannot be started ---

said='vpmu: nothing is started'
lines=2
halts no_initrd "$said" $vpmu_machine -cpu EPYC -kernel build/vpmu.bz -append "/perf0.bz caps"
has "no initrd: it is told" "$dir/no_initrd" 'vpmu: there is no initrd with the image to start.?'
halts no_file "$said" $vpmu_machine -cpu EPYC -kernel build/vpmu.bz -initrd "$dir/initrd.cpio" -append "/perf1.bz caps"
has "no such file: it is told" "$dir/no_file" 'vpmu: no file /perf1.bz in the initrd.?'
halts no_kernel "$said" $vpmu_machine -cpu EPYC -kernel build/vpmu.bz -initrd "$dir/initrd.cpio" -append "/bin/busybox caps"
has "no kernel: it is told" "$dir/no_kernel" 'vpmu: /bin/busybox: it has no header of a Linux kernel.?'
head -c 1000000 "$dir/initrd.cpio" >"$dir/cut.cpio"
halts cut_off "$said" $vpmu_machine -cpu EPYC -kernel build/vpmu.bz -initrd "$dir/cut.cpio" -append "/perf0.bz caps"
has "an initrd that is cut off: it is told" "$dir/cut_off" 'vpmu: the initrd is no cpio archive \(newc\), or is cut off.?'
halts bad_option "$said" $vpmu_machine -cpu EPYC -kernel build/vpmu.bz -append "uarch=skx ht=maybe /perf0.bz caps"
has "a bad option: it is told" "$dir/bad_option" "vpmu: bad option 'ht=maybe'; .*"
start cut_files -machine q35 -m 256 -kernel build/perf0.bz -initrd "$dir/cut.cpio" -append "/bin/busybox true; poweroff"
has "perf0.bz: an initrd that is cut off is told" "$dir/cut_files" '.*the archive that the loader handed in: byte .* cut off.*'
lines=1
halts no_64 'perf0: this CPU has no 64-bit mode. Press a key to restart.' -machine pc -cpu qemu32 -m 128 -kernel build/perf0.bz
finish
