# SPDX-License-Identifier: BSD-2-Clause
# Guests that vpmu knows nothing of (tests/guests) see the same machine with vpmu and without: they print the same text,
# except for lines about the PMU.
. "$(dirname "$0")/../_lib.sh"
. tests/e2e/_machine.sh

page_bytes=2097152 # EVENTS_PAGE_BYTES
export MTOOLS_SKIP_CHECK=1
mformat -C -i "$dir/disk" -T 16384 -h 64 -s 32 -v GUESTS ::
mcopy -i "$dir/disk" build/guests.efi ::/guests.efi

# guest LOG CPU CPUS IMAGE OPTIONS: QEMU runs IMAGE until it resets the machine, or, where $reset is empty, until it
# switches the machine off.
reset=-no-reboot
qemu=qemu-system-x86_64 feature=
guest() {
	cpu=$2$feature
	clock="-icount shift=4,sleep=off"
	[ "$3" = 1 ] || clock="-accel tcg,thread=multi"
	cp "$vars" "$dir/vars.fd"
	truncate -s 0 "$dir/page"
	truncate -s "$page_bytes" "$dir/page"
	# shellcheck disable=SC2086 # words
	timeout $patience "$qemu" -machine q35,smm=off -global hpet.msi=on -m 256 -nodefaults -display none \
		$reset -cpu "$cpu" -smp "$3" $clock -boot menu=off -device virtio-blk-pci,drive=disk \
		-plugin file=build/vpmu-events.so,page="$dir/page",level=model \
		-object memory-backend-file,id=events,mem-path="$dir/page",size="$page_bytes",share=on \
		-device ivshmem-plain,memdev=events,master=on \
		-serial file:"$1.serial" -drive if=pflash,unit=0,format=raw,readonly=on,file="$code" \
		-drive if=pflash,unit=1,format=raw,file="$dir/vars.fd" -drive if=none,id=disk,format=raw,readonly=on,file="$dir/disk" \
		-kernel "$4" -append "$5" >"$1.qemu" 2>&1 <&3 || not_ok "$1: QEMU ends" "$(tail -n 3 "$1.qemu")"
	tr -d '\r' <"$1.serial" | sed -n 's/.*\(guest: .*\)/\1/; /guest: /,$p' >"$1"
	grep -v '^[CP][MP]U: ' "$1" >"$1.same"
}

# guests LABEL CPUS NAMES: compares the guests NAMES without vpmu on a CPU without SVM, and under vpmu, which hides SVM.
guests() {
	at=$dir/$1
	shift
	guest "$at.bare" EPYC,-svm "$1" build/guests.efi "$2"
	guest "$at.vpmu" EPYC "$1" build/vpmu.efi "uarch=skx \\guests.efi $2"
	has "$2: ran" "$at.bare" 'guest: end'
	is "$2: $1 CPUs, the same with vpmu" "$(diff "$at.bare.same" "$at.vpmu.same")" ""
}

several_cpus() {
	guests cpus 3 "cpus sleep"
	has "CPUs by their SIPI: all came" "$dir/cpus.vpmu" '2 CPUs, ids 6'
	has "S3 is there, where time passes meanwhile" "$dir/cpus.vpmu" 'CPU: S3 1'
}

several_starts() { guests starts 3 starts; }

resets() {
	resets=$(either cpu_resets resets)
	reset=
	guest "$dir/resets.bare" EPYC,-svm 1 build/guests.efi $resets
	guest "$dir/resets.vpmu" EPYC 1 build/vpmu.efi "uarch=skx \\guests.efi $resets"
	reset=-no-reboot
	for where in bare vpmu; do # between them is what the firmware says
		grep -o 'guest: .*' "$dir/resets.$where" >"$dir/resets.$where.same"
	done
	has "resets: all came" "$dir/resets.bare.same" 'guest: all ways are gone'
	is "resets: the same with vpmu" "$(diff "$dir/resets.bare.same" "$dir/resets.vpmu.same")" ""
	is "and behind each it is there again, and counts" "$(grep -c '^PMU: branches 1000$' "$dir/resets.vpmu")" $(either 3 8)
}

x2apic() {
	if ! newer=$(scripts/qemu-backports build/qemu-backports); then
		skip "x2APIC mode" "$newer"
		return
	fi
	qemu=$newer feature=,+x2apic
	guests x2apic 1 x2apic
	has "x2APIC mode: it is there" "$dir/x2apic.vpmu" 'CPUID 1'
	is "its PMIs and NMIs come, before it was off and behind that" "$(grep -c '^PMU: PMIs 1, NMIs 1$' "$dir/x2apic.vpmu")" 2
	if soaking; then guests x2apics 3 x2apic; fi
	qemu=qemu-system-x86_64 feature=
}

for part in $(one_of several_cpus several_starts resets x2apic); do
	$part
done
guests one 1 "debug interrupts hpet pci apic faults prefixes gates stepped clocks nmi xsave system modes virtual ring3 code paging control jump sleep x2apic"
at=$dir/one.vpmu
has "each instruction was counted" "$at" 'PMU: 1 records'
has "events that QEMU's plugin counts are there" "$at" 'PMU: branches 1000'
has "and still when the guest has looked at PCI devices" "$at" 'PMU: then 1000'
has "SYSENTER in long mode, as the personality is Intel's" "$at" 'CPU: SYSENTER: 13 without a selector; ended by 256, 1 calls'
is "with rings told apart, and stepped, too; no S3, and no registers of SVM" "$(grep '^CPU: ' "$at" | LC_ALL=C sort | uniq -c | tr -s ' ')" " 1 CPU: S3 0
 3 CPU: SYSENTER: 13 without a selector; ended by 256, 1 calls
 3 CPU: VM_CR: vector 13, error 0, CR2 0
 3 CPU: VM_HSAVE_PA, written: vector 13, error 0, CR2 0
 3 CPU: VM_HSAVE_PA: vector 13, error 0, CR2 0
 3 CPU: its CS 8, SS 10, stack 1, then CS 2b, SS 33"
has "and S3 that is there without it" "$dir/one.bare" 'CPU: S3 1'
has "no interrupt comes between an overflow and its record" "$at" 'PMU: 0 between an overflow and its record'
has "a PMI by a fixed vector, behind an APIC that was off" "$at" 'PMU: PMIs 1'
has "and where its base register says that it is elsewhere" "$at" 'PMU: moved: PMIs 1'
finish
