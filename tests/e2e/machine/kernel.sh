# SPDX-License-Identifier: BSD-2-Clause
# Debian's kernel as a guest of vpmu, with stock perf in it. The rows of kernel_checks say which PMU it finds and what
# perf does with it, on one CPU of each family and on four. Output, status, a shared folder and a console work.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_kernel.sh"

find_kernel "Linux as a guest"
find_busybox "Linux as a guest"

checks=tests/e2e/machine/kernel_checks
shared="$dir/shared folder"
mkdir "$shared"
echo "of the host" >"$shared/in"
cp tests/e2e/machine/kernel_guest "$shared/script"
cp "$kernel" "$shared/vmlinuz"
either 4 10 >"$shared/runs" # of a program that counts the same in each
gcc -O1 -nostdlib -static -o "$shared/sums" tests/guests/alone/sums.c
gcc -O2 -static -o "$shared/clock" tests/guests/alone/alone_clock.c
gcc -O2 -static -o "$shared/rdpmc" tests/guests/alone/rdpmc.c
gcc -O2 -static -o "$shared/away" tests/guests/alone/away.c
gcc -O1 -static -o "$shared/matrix" tests/linux/matrix.c
gcc -O2 -static -I. -o "$shared/papi" tests/linux/papi.c -lpapi -lpfm 2>"$dir/papi.log" # which says that it uses dlopen()
gcc -m32 -nostdlib -static -o "$shared/calls32" tests/guests/alone/calls32.S
gcc -O2 -static -o "$dir/again" tests/guests/alone/again.c

# linux NAME ARGS...: perf0 linux with Debian's kernel, in $qemu if that is set. Output goes to NAME.out and NAME.err,
# the status to $status.
qemu=
linux() {
	at=$dir/$1
	shift
	$perf0 linux --timeout $patience ${qemu:+--qemu "$qemu"} "$@" >"$at.out" 2>"$at.err" </dev/null
	status=$?
}

linux nosuch "$kernel" -- nosuch-command
is "a command that nothing has: status" $status 2
is "and it is said before anything boots" "$(cat "$dir/nosuch.err")" \
	"perf0: linux: nosuch-command: no folder of PATH has such a program, nor is it one of busybox's; install it, or give its path"

# rows_of U N: prints the rows of the table that this run takes for CPU U in a machine with N CPUs.
rows_of() {
	awk -v u="$1" -v n="$2" -v third="$(one_of 0 1 2)" '
	/^[^#]/ && ($2 == "all" || index("," $2 ",", "," u ",")) && ($3 == "-" || $3 == n) &&
		($4 == "each" || index(third, NR % 3))' $checks
}

# does WHAT CHECK KERNELS: checks that all KERNELS kernels reported that CHECK passed.
does() {
	if [ "$(grep -cx "does: $2" "$dir/$1.out")" = "$3" ]; then
		ok "$1: $2"
	else
		not_ok "$1: $2" "$(awk -v it="does not: $2" '/^does/ { on = $0 == it } on' "$dir/$1.out")"
	fi
}

# recorded WHAT CHECK WANTED: checks that perf on the host reads WANTED samples; `some` accepts any number but 0. With
# several CPUs the clock is the host's, and Linux may throttle sampling, because interrupts seem to come too often.
recorded() {
	[ "$n" = 1 ] || set -- "$1" "$2" some
	found=$(perf report -i "$shared/$2.data" --stats --stdio 2>&1 | sed -n 's/^ *SAMPLE events: *\([0-9]*\).*/\1/p' | head -n 1)
	[ "$3" != some ] || [ "${found:-0}" = 0 ] || found=some
	is "$1: $2: samples" "$found" "$3"
}

# matrix U N KERNELS DRIVER: checks the rows for U and N in one boot. KERNELS kernels run in it; each starts the next.
matrix() {
	what=${qemu:+newer QEMU, }$1x$2 u=$1 n=$2 kernels=$3 driver=$4
	rm -f "$shared/again" "$shared"/*.data
	[ "$kernels" = 1 ] || cp "$dir/again" "$shared"
	rows_of "$u" "$n" >"$dir/rows"
	awk '{ name = $1; for (i = 0; i < 5; i++) sub(/^[^ ]+ +/, ""); print name, $0 }' "$dir/rows" >"$shared/rows"
	set -- --uarch "$u" --smp "$n" --share "$shared" "$kernel" -- sh script /sys/devices/system/cpu/present
	linux "$what" "$@"
	is "$what: the command's status" $status 7
	is "$what: its standard error" "$(cat "$dir/$what.err")" "to standard error"
	is "$what: the driver" "$(grep -cE "Performance Events: $driver" "$dir/$what.out")" "$kernels"
	has "$what: vpmu plays the CPU" "$dir/$what.out" "model name.*perf0 vpmu.*"
	has "$what: a file of the guest's kernel" "$dir/$what.out" "CPUs $([ "$n" = 1 ] || echo 0-)$((n - 1))"
	has "$what: a file of the shared folder" "$dir/$what.out" "of the host"
	[ "$n" != 1 ] || is "$what: no CPU was locked up" "$(grep -i lockup "$dir/$what.out")" ""
	while read -r check _ _ _ samples _; do
		does "$what" "$check" "$kernels"
		[ "$samples" = - ] || recorded "$what" "$check" "$samples"
	done <"$dir/rows"
}

# One boot a commit, of Intel or AMD, with one CPU or four: in eight commits each of these.
taken=$(personalities hsw skx icl adl spr zen2 zen4)
cpus="1 4"
if ! soaking; then
	taken=$(echo "$taken" | cut -d ' ' -f $(($(turn) / 2 % 2 + 1)))
	cpus=$(($(turn) / 4 % 2 * 3 + 1))
fi

# A row: a personality, how many kernels run in turn in the machine with one CPU, and the message of Linux's driver.
# Each kernel finds the same PMU as the kernel before it.
while read -r u kernels driver; do
	case " $taken " in *" $u "*) ;; *) continue ;; esac
	for n in $cpus; do
		[ "$n" = 1 ] || kernels=1
		matrix "$u" "$n" "$(either 1 "$kernels")" "$driver"
	done
done <<-END
	hsw 1 PEBS fmt2\+, Haswell events,
	skx 2 PEBS fmt3\+, Skylake events,
	icl 1 PEBS fmt4\+-baseline, .*Icelake events,
	adl 1 .*Alderlake Hybrid events,
	spr 1 .*PEBS fmt4\+-baseline, .*Sapphire Rapids events,
	zen2 1 Fam17h\+
	zen4 2 Fam17h\+
END

# In the QEMU of Debian's backports each CPU has a thread of its own.
if soaking && qemu=$(scripts/qemu-backports build/qemu-backports); then
	matrix hsw 4 1 "PEBS fmt2\\+, Haswell events,"
fi
qemu=

if soaking; then
	# A CPU goes offline and comes back; the machine suspends to RAM, and the firmware has the CPU first when it resumes.
	# Both CPUs count and are sampled. (No folder is shared: Linux does not reconnect it after a suspend.)
	cat >"$dir/sleeps" <<-'END'
		count() { taskset $1 perf stat -x , -o c -e instructions:u,branches:u /sums; grep "^[0-9]" c | cut -d , -f 1 | xargs; }
		sample() { perf record -q -a -C $1 -B -N -o p -e ibs_op/cnt_ctl=1/ -c 100000 /sums; perf report -i p --stats --stdio | grep -m 1 "SAMPLE events"; }
		all() { echo "$1: $(count 1), $(count 2), CPUs $(cat /sys/devices/system/cpu/online)"; }
		all "at first"
		echo 0 >/sys/devices/system/cpu/cpu1/online; echo 1 >/sys/devices/system/cpu/cpu1/online
		all "gone and come"
		for time in first second; do
			echo +2 >/sys/class/rtc/rtc0/wakealarm
			echo mem >/sys/power/state && all "woken up"
		done
		sample 0; sample 1
	END
	linux sleeps --uarch zen4 --smp 2 --append no_console_suspend --file "$shared/sums:/sums" --file "$dir/sleeps:/sleeps" "$kernel" -- sh /sleeps
	is "sleeps: status" $status 0
	both="2000004 1000001, 2000004 1000001, CPUs 0-1"
	for when in "at first" "gone and come"; do
		is "CPUs, $when" "$(sed -n "s/^$when: //p" "$dir/sleeps.out")" "$both"
	done
	is "S3, twice" "$(sed -n 's/^woken up: //p' "$dir/sleeps.out" | uniq -c | xargs)" "2 $both"
	is "S3: samples of both CPUs" "$(grep -c '^ *SAMPLE events: *[1-9]' "$dir/sleeps.out")" 2

	# Warm and cold starts: Linux boots in the same number of ticks. Each ring and the model count the same.
	# timed NAME ARGS...: prints the counts of two runs, and the kernel's messages with their times. NAME.err tells
	# how the machine started.
	timed() {
		timed=$1
		shift
		linux "$timed" -v --uarch icl --file "$shared/sums:/sums" "$@" "$kernel" -- \
			sh -c 'for i in 1 2; do perf stat -x , -o c -e instructions:u,instructions:k,cycles,branch-misses /sums; cat c; done; dmesg'
	}
	timed cold --cold
	is "booted: status" $status 0
	has "ring 3's instructions" "$dir/cold.out" "2000004,,instructions:u,.*"
	timed warm
	! grep -q 'perf0: a cold start' "$dir/warm.err" || timed warm
	is "restored: status" "$status $(grep -c 'perf0: a cold start' "$dir/warm.err")" "0 0"
	if cmp "$dir/cold.out" "$dir/warm.out" >"$dir/cmp"; then
		ok "the same counts and times"
	else
		not_ok "the same counts and times" "$(diff "$dir/cold.out" "$dir/warm.out" | head -n 6)"
	fi
fi

: >"$dir/empty"
linux empty --initrd "$dir/empty" "$kernel"
is "a first file system of no bytes" "$status $(cat "$dir/empty.err")" "125 perf0: the initrd: it has no bytes"

# PMUs that Linux 6.1 does not know: version 6 of Intel's architecture, with leaf 23H of CPUID. All counters of a core
# count at once, including the fixed ones for parts of the slots. The watchdog uses the fixed counter of cycles.
newer_rows() {
	echo "equal-runs equal_runs 10"
	case $1 in
	srf) echo "all-counters at_once 0 instructions:u,ref-cycles:u,\$(many 8 branches:u)" ;;
	lnl | arl)
		cat <<-'END'
			version dmesg | grep -c 'version: *6$' | grep -x 2
			wide-selectors cat /sys/bus/event_source/devices/cpu_*/format/umask | grep -cx config:8-15,40-47 | grep -x 2
			counters dmesg | grep -x '.*event mask: *00000077000000ff' && dmesg | grep -x '.*event mask: *0001000f000003ff'
			large at_once 0 cpu_core/instructions/u,cpu_core/slots/u,$(many 10 cpu_core/branches/u)
			small at_once 1 cpu_atom/instructions/u,$(many 8 cpu_atom/branches/u),cpu_atom/topdown-bad-spec/u,cpu_atom/topdown-fe-bound/u,cpu_atom/topdown-retiring/u
			same-slots plain -C 1 -e {$(many 2 cpu_atom/topdown-retiring/u)} -- taskset 2 ./sums && cut -d , -f 1 $counted | grep '[1-9]' | uniq -d | grep .
			pp rec -e cpu_atom/instructions/ppu -c 100003 -- taskset 2 ./sums
		END
		;;
	esac
}

# newer_on U N DRIVER: checks the kernel of Debian's backports on a machine with N CPUs of type U.
newer_on() {
	what=newer-$1 n=$2
	rm -f "$shared"/*.data
	newer_rows "$1" >"$shared/rows"
	linux "$what" --uarch "$1" --smp "$n" --share "$shared" "$newer" -- sh script /sys/devices/system/cpu/present
	is "$what: status" $status 7
	is "$what: the driver" "$(grep -cE "Performance Events: $3" "$dir/$what.out")" 1
	while read -r check _; do
		does "$what" "$check" 1
	done <"$shared/rows"
	[ ! -e "$shared/pp.data" ] || recorded "$what" pp some
}

newer_kernel() {
	newer_on zen4 1 Fam17h\\+
	newer_on srf 1 ".*PEBS fmt4\\+-baseline, .*Crestmont events,"
	newer_on lnl 2 ".*-baseline, .*Lunarlake Hybrid events,"
	newer_on arl 2 ".*-baseline, .*Lunarlake Hybrid events,"
}

if soaking; then
	# The console: typed lines run in the guest's shell.
	printf 'echo $((6 * 7))\nexit 3\n' | $perf0 linux --timeout $patience "$kernel" >"$dir/console.out" 2>"$dir/console.err"
	is "a console: the shell's status" $? 3
	has "what is typed there runs" "$dir/console.out" 42

	# These commands count different events one after the other.
	linux counts --events counts --share "$shared" "$kernel" -- \
		sh -c 'perf record -o c.data -e branches -c 10007 ./sums 2>&1; ./clock'
	has "events that the guest is not stopped at: none is met late" "$dir/counts.out" \
		"overflows were 0 instructions late at most"

	# Linux looks for an uncore where CPUID's hypervisor bit is clear.
	linux uncore --uarch skx --hypervisor-bit off --share "$shared" "$kernel" -- \
		perf stat -a -x , -e uncore_ubox/event=0xff/,uncore_cha_3/event=0/,uncore_imc_5/clockticks/,uncore_imc_0/cas_count_read/ -- ./sums
	for pmu in ubox cha_3 imc_5; do
		has "of the uncore: $pmu" "$dir/uncore.err" "[1-9][0-9]*,,uncore_$pmu/.*"
	done
	has "of the uncore: what is read of memory" "$dir/uncore.err" "[0-9.]*,MiB,uncore_imc_0/cas_count_read/.*"

	linux off "$kernel" -- sh -c 'echo still here; poweroff -f; sleep 9'
	is "a command that switches the machine off: status" $status 125
	has "and what it had said" "$dir/off.out" "still here"
	has "and that it did" "$dir/off.err" "perf0: linux: the machine was switched off before the command had ended"

	# A kernel that panics.
	linux panic --append "init=/nosuch rdinit=/nosuch root=none" "$kernel" -- true
	is "a kernel that panics: status" $status 125
	has "and what it says" "$dir/panic.err" ".*Kernel panic.*"
	has "and that it did" "$dir/panic.err" "perf0: linux: the machine was reset before the command had ended"
	if newer=$(scripts/guest-kernel build/guest-kernel-backports bookworm-backports); then
		newer_kernel
	else
		skip "the kernel of backports" "$newer"
	fi
fi
finish
