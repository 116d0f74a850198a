# SPDX-License-Identifier: BSD-2-Clause
# `perf0 doctor --kvm` on hosts that are made of files: what each check says, what mends it, and the status.
. "$(dirname "$0")/../_lib.sh"

# host NAME VENDOR FLAGS KERNEL: the files of a host where guests can count, with nothing to note.
host() {
	h=$dir/$1
	mkdir -p "$h/proc/sys/kernel" "$h/dev" "$h/sys/kernel/mm/hugepages/hugepages-2048kB" \
		"$h/sys/bus/event_source/devices/cpu" "$h/sys/module/kvm/parameters" \
		"$h/sys/module/kvm_intel/parameters" "$h/sys/module/kvm_amd/parameters"
	printf 'processor\t: 0\nvendor_id\t: %s\nmodel name\t: A CPU of %s\nflags\t\t: fpu %s nx\n\n' \
		"$2" "$1" "$3" >"$h/proc/cpuinfo"
	echo "$4" >"$h/proc/sys/kernel/osrelease"
	echo 0 >"$h/proc/sys/kernel/nmi_watchdog"
	echo 1 >"$h/proc/sys/kernel/perf_event_paranoid"
	echo Y >"$h/sys/module/kvm/parameters/enable_pmu"
	echo 200 >"$h/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages"
	: >"$h/dev/kvm"
}

# doctor NAME STATUS: the doctor's text goes to a file.
doctor() {
	$perf0 doctor --kvm --root "$dir/$1" >"$dir/$1.txt" 2>&1
	is "$1: the status" $? "$2"
}

# line NAME VERDICT TITLE TEXT; mend NAME TEXT: the line that follows it.
line() { has "$1: $3" "$dir/$1.txt" "  $2 +$3 +$4"; }
mend() { has "$1: what mends it" "$dir/$1.txt" " +mend: $2"; }
noted() { grep -c '^  note' "$dir/$1.txt"; }
failed() { grep -c '^  FAILS' "$dir/$1.txt"; }

host intel GenuineIntel vmx 6.8.0-31-generic
doctor intel 0
line intel ok CPU "A CPU of intel"
line intel ok kernel "Linux 6.8.0-31-generic"
is "intel: nothing is noted" "$(noted intel)" 0
has "intel: the sum" "$dir/intel.txt" "Guests of KVM can count here."

host amd AuthenticAMD svm 6.5.0
doctor amd 0
is "amd: nothing is noted" "$(noted amd)" 0

host hybrid GenuineIntel vmx 6.8.0
mv "$h/sys/bus/event_source/devices/cpu" "$h/sys/bus/event_source/devices/cpu_core"
mkdir "$h/sys/bus/event_source/devices/cpu_atom"
echo N >"$h/sys/module/kvm/parameters/enable_pmu"
doctor hybrid 1
line hybrid FAILS cores "of two kinds: KVM turns the PMU of guests off on a hybrid CPU"
line hybrid FAILS enable_pmu N
mend hybrid "nothing, on a hybrid CPU"

host off AuthenticAMD svm 6.8.0
echo N >"$h/sys/module/kvm/parameters/enable_pmu"
doctor off 1
line off FAILS enable_pmu N
mend off "sudo modprobe -r kvm_amd kvm; sudo modprobe kvm enable_pmu=1; sudo modprobe kvm_amd"
has "off: the sum" "$dir/off.txt" "Guests of KVM can not count here: 1 of 11 checks fail."

host none GenuineIntel vmx 6.8.0
rm "$h/dev/kvm"
doctor none 1
line none FAILS /dev/kvm "is not there"
mend none "sudo modprobe kvm_intel"

host denied GenuineIntel vmx 6.8.0
chmod 000 "$h/dev/kvm"
chmod -R a+rX "$h/proc" "$h/sys"
if [ "$(id -u)" = 0 ]; then
	# Root may open any file: another user looks at a copy that it can reach.
	copy=$(mktemp -d) && cp -r "$h/." "$copy" && chmod 755 "$copy" && chmod 000 "$copy/dev/kvm"
	cp $perf0 "$copy/perf0"
	setpriv --reuid 65534 --clear-groups "$copy/perf0" doctor --kvm --root "$copy" >"$dir/denied.txt" 2>&1
	is "denied: the status" $? 1
	rm -r "$copy"
else
	doctor denied 1
fi
line denied FAILS /dev/kvm "may not be opened by this user"
mend denied 'sudo usermod -aG kvm \$USER, then log in anew'

host watched GenuineIntel vmx 6.8.0
echo 1 >"$h/proc/sys/kernel/nmi_watchdog"
doctor watched 0
line watched note nmi_watchdog "on: it holds a counter on each CPU"
mend watched "echo 0 \| sudo tee /proc/sys/kernel/nmi_watchdog"
has "watched: the sum" "$dir/watched.txt" "Guests of KVM can count here; what is noted .*"

host paranoid GenuineIntel vmx 6.8.0
echo 4 >"$h/proc/sys/kernel/perf_event_paranoid"
doctor paranoid 0
line paranoid note perf_event_paranoid "4: guests count, but the host's own figures .*"
mend paranoid "echo 1 \| sudo tee /proc/sys/kernel/perf_event_paranoid"

host nested AuthenticAMD "svm hypervisor" 6.8.0
doctor nested 0
line nested note nested "yes: this host is a guest itself, .*"
rmdir "$h/sys/bus/event_source/devices/cpu"
doctor nested 1
line nested FAILS PMU "the host's kernel has none, .*"
mend nested "the hypervisor of this machine has to show it a PMU"

host old GenuineIntel vmx 3.2.0
rm "$h/sys/module/kvm/parameters/enable_pmu"
doctor old 1
line old FAILS kernel "Linux 3.2.0"
mend old "guests have a PMU from Linux 3.3 on"
echo 4.2.0 >"$h/proc/sys/kernel/osrelease"
doctor old 0
line old note kernel "Linux 4.2.0: instructions that KVM emulates are not counted"
line old ok enable_pmu "always on before 5.17"
sed -i s/GenuineIntel/AuthenticAMD/ "$h/proc/cpuinfo"
doctor old 1
mend old "guests have a PMU from Linux 4.3 on"

host mediated GenuineIntel vmx 7.0.0
echo Y >"$h/sys/module/kvm_intel/parameters/enable_mediated_pmu"
doctor mediated 0
line mediated ok "mediated PMU" "yes: a guest has the counters themselves while it runs"
echo 1 >"$h/proc/sys/kernel/nmi_watchdog"
doctor mediated 1
line mediated FAILS nmi_watchdog "on: it holds a counter, and a mediated PMU is refused"
echo N >"$h/sys/module/kvm_intel/parameters/enable_mediated_pmu"
doctor mediated 0
mend mediated "sudo modprobe -r kvm_intel; sudo modprobe kvm_intel enable_mediated_pmu=1"

host plain GenuineIntel sse 6.8.0
doctor plain 1
line plain FAILS CPU "A CPU of plain, without VMX"
mend plain "the firmware's setup has to turn virtualization on"
mkdir "$dir/empty"
doctor empty 1
line empty FAILS CPU unknown
is "empty: checks that fail" "$(failed empty)" 3

$perf0 doctor --root "$dir" >"$dir/log" 2>&1
is "--root alone: the status" $? 2
has "--root alone: what is needed" "$dir/log" "perf0 doctor: --root needs --kvm: it is a host's"
$perf0 doctor --kvm "$dir" >"$dir/log" 2>&1
is "an operand: the status" $? 2
has "an operand: refused" "$dir/log" "perf0 doctor: takes no operand: '.*'"
finish
