# SPDX-License-Identifier: BSD-2-Clause
# Debian's kernel as a guest of vpmu, with stock perf in it: which PMU it finds, exact counts of ring 3 that are the
# same in each run, output, status, a folder that is shared, a console.
. "$(dirname "$0")/../_lib.sh"

if ! kernel=$(scripts/guest-kernel build/guest-kernel); then
	skip "Linux as a guest" "Debian's kernel cannot be fetched ($kernel)"
	finish
	exit
fi
if ! busybox=$(command -v busybox) || file -L "$busybox" | grep -q dynamically; then
	skip "Linux as a guest" "no busybox-static here"
	finish
	exit
fi

gcc -O1 -nostdlib -static -o "$dir/sums" tests/guests/alone/sums.c
gcc -O2 -static -o "$dir/clock" tests/guests/alone/clock.c
gcc -O1 -static -o "$dir/matrix" tests/linux/matrix.c
gcc -O2 -static -o "$dir/again" tests/guests/alone/again.c
shared="$dir/shared folder"
mkdir "$shared"
echo "of the host" >"$shared/in"
cat >"$shared/script" <<-'END'
	for i in 1 2 3; do
		perf stat -x , -e instructions:u,branches:u -- ./sums 2>&1
	done
	perf record -o p.data -e instructions:u -c 100003 -- ./sums 2>&1
	dmesg | grep 'Performance Events'
	./clock
	perf stat -x , -e instructions:u -e instructions:k -e instructions -- ./sums 2>&1 |
		awk -F , '{ n[NR] = $1 } END { print "u + k is all:", n[1] && n[2] && n[1] + n[2] == n[3] }'
	does() {
		name=$1
		shift
		"$@" >log 2>&1 && ! grep -q 'not supported\|not counted' log && echo "does: $name" || cat log
	}
	b=branches:u,branches:u,branches:u
	does multiplexing perf stat -e $b,$b,$b,$b -- ./matrix rows
	does branches perf record -o b.data -b -e instructions:u -c 100003 -- ./sums
	does energy perf stat -a -e power/energy-pkg/ -- ./sums
	does watchdog grep 1 /proc/sys/kernel/nmi_watchdog
	if [ -e /sys/bus/event_source/devices/cpu/events/mem-loads ]; then
		for p in p pp; do
			does ":$p" perf record -o precise-$p.data -e instructions:$p -c 100003 -- ./sums
		done
		does c2c perf c2c record -o c.data -- ./sums
		perf mem record -o m.data -- ./$(cat memory) 2>&1
		dmesg | grep -i lockup
	fi
	if [ -e again ] && ! grep -q again /proc/cmdline; then
		(cd / && find . -xdev ! -path './proc/*' ! -path './sys/*' ! -path './dev/*' ! -path './run/*' |
			cpio -o -H newc 2>/dev/null) >/run/initrd
		./again vmlinuz /run/initrd "$(cat /proc/cmdline) again"
	fi
	cat /proc/cpuinfo in
	ls /sys/bus/event_source/devices
	echo to standard error >&2
	exit 7
END
cp "$dir/sums" "$dir/clock" "$dir/matrix" "$shared"
cp "$kernel" "$shared/vmlinuz"
either sums matrix >"$shared/memory"

# Of these the second kernel, which the first one starts in its place, finds the PMU as the first did.
twice=$(either "" "skx zen4")

# linux NAME ARGS...: perf0 linux with Debian's kernel; the output to NAME.out and NAME.err, the status in $status.
linux() {
	at=$dir/$1
	shift
	$perf0 linux --timeout $patience "$@" >"$at.out" 2>"$at.err" </dev/null
	status=$?
}

# One machine for each: a boot takes longer than all that runs in it.
while read -r u driver; do
	case " $(either "icl zen4" "hsw skx icl adl spr zen2 zen4") " in *" $u "*) ;; *) continue ;; esac
	rm -f "$shared/again"
	kernels=1
	case " $twice " in *" $u "*) kernels=2 && cp "$dir/again" "$shared" ;; esac
	linux "$u" --uarch "$u" --share "$shared" "$kernel" -- sh script
	is "$u: the command's status" $status 7
	is "$u: its standard error" "$(cat "$dir/$u.err")" "to standard error"
	has "$u: the driver" "$dir/$u.out" ".*Performance Events: $driver.*"
	has "$u: vpmu plays the CPU" "$dir/$u.out" "model name.*perf0 vpmu.*"
	is "$u: instructions of ring 3 are exact in each run" "$(grep -Ec '^2000004,,[^,]*instructions' "$dir/$u.out")" $((3 * kernels))
	is "$u: branches, too" "$(grep -Ec '^1000001,,[^,]*branches' "$dir/$u.out")" $((3 * kernels))
	is "$u: those of ring 3 and of ring 0 are all" "$(grep -c '^u + k is all: 1' "$dir/$u.out")" $kernels
	for does in multiplexing branches energy watchdog; do
		is "$u: $does" "$(grep -c "^does: $does\$" "$dir/$u.out")" $kernels
	done
	has "$u: a file of the shared folder" "$dir/$u.out" "of the host"
	has "$u: a module's PMU" "$dir/$u.out" "power|uncore_.*|amd_.*"
	perf report -i "$shared/p.data" --stdio --sort comm >"$dir/$u.report" 2>&1
	has "$u: what was recorded is there; a sample for each period" "$dir/$u.report" '# Samples: 19  of event .*'
	has "$u: perf reads it here" "$dir/$u.report" ' *100.00%  sums *'
	has "$u: the guest's TSC shows nothing of vpmu" "$dir/$u.out" "4 ticks an instruction; 0 more by most exits"
	if [ -e "$shared/m.data" ]; then
		for does in :p :pp c2c; do
			is "$u: $does" "$(grep -c "^does: $does\$" "$dir/$u.out")" $kernels
		done
		perf report -i "$shared/m.data" --stdio --stats >"$dir/$u.mem" 2>&1
		has "$u: perf mem record has samples" "$dir/$u.mem" " *SAMPLE events: +[1-9][0-9]* .*"
		is "$u: none of them was throttled" "$(grep -c THROTTLE "$dir/$u.mem")" 0
		is "$u: no CPU was locked up by it" "$(grep -ci lockup "$dir/$u.out")" 0
	fi
	rm -f "$shared"/*.data
done <<-END
	hsw PEBS fmt2\+, Haswell events,
	skx PEBS fmt3\+, Skylake events,
	icl PEBS fmt4\+-baseline, .*Icelake events,
	adl .*Alderlake Hybrid events,
	spr PEBS fmt4\+-baseline, .*Sapphire Rapids events,
	zen2 Fam17h\+
	zen4 Fam17h\+
END

if soaking; then
	# A console: what is typed runs in the guest's shell.
	printf 'echo $((6 * 7))\nexit 3\n' | $perf0 linux --timeout $patience "$kernel" >"$dir/console.out" 2>"$dir/console.err"
	is "a console: the shell's status" $? 3
	has "what is typed there runs" "$dir/console.out" 42

	# What is counted is another number of things in each of these.
	linux counts --events counts --share "$shared" "$kernel" -- \
		sh -c 'perf record -o c.data -e branches -c 10007 ./sums 2>&1; ./clock'
	has "events that the guest is not stopped at: none is met late" "$dir/counts.out" \
		"overflows were 0 instructions late at most"

	# Four CPUs, each with a PMU of its own.
	for u in skx zen4; do
		linux four --smp 4 --uarch $u --share "$shared" "$kernel" -- \
			sh -c 'for c in 1 2 4 8; do taskset $c perf stat -x , -e instructions:u,branches:u -- ./sums 2>&1; done; perf stat -a -A -x , -e instructions:u -- ./sums 2>&1'
		is "$u, four CPUs: status" $status 0
		is "$u, four CPUs: each counts exactly" "$(grep -Ec '^(2000004,,instructions|1000001,,branches):u,' "$dir/four.out")" 8
		is "$u, four CPUs: perf stat -a -A tells of each" "$(grep -Ec '^CPU[0-3],' "$dir/four.out")" 4
	done

	linux off "$kernel" -- sh -c 'echo still here; poweroff -f; sleep 9'
	is "a command that switches the machine off: status" $status 125
	has "and what it had said" "$dir/off.out" "still here"
	has "and that it did" "$dir/off.err" "perf0: linux: the machine was switched off before the command had ended"

	# A kernel that panics, and a command that is not there.
	linux panic --append "init=/nosuch rdinit=/nosuch root=none" "$kernel" -- true
	is "a kernel that panics: status" $status 125
	has "and what it says" "$dir/panic.err" ".*Kernel panic.*"
	has "and that it did" "$dir/panic.err" "perf0: linux: the machine was reset before the command had ended"
	linux nosuch "$kernel" -- nosuch-command
	is "a command that nothing has: status, before anything boots" $status 2
	if newer=$(scripts/guest-kernel build/guest-kernel-backports bookworm-backports); then
		linux newer --share "$shared" "$newer" -- sh script
		is "the kernel of backports: status" $status 7
		is "it counts exactly" "$(grep -Ec '^2000004,,[^,]*instructions' "$dir/newer.out")" 3
	else
		skip "the kernel of backports" "$newer"
	fi
fi
finish
