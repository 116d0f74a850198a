# SPDX-License-Identifier: BSD-2-Clause
# Debian's kernel as a guest of vpmu, with stock perf in it: which PMU it finds, exact counts of ring 3 that are the
# same in each run, output, status, a folder that is shared.
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

gcc -O1 -nostdlib -static -o "$dir/sums" tests/guests/sums.c
cat >"$dir/script" <<-END
	for i in 1 2 3; do
		perf stat -x , -e instructions:u,branches:u -- $dir/sums 2>&1
	done
	perf record -o /tmp/p.data -e instructions:u -c 100003 -- $dir/sums 2>&1
	perf report -i /tmp/p.data --stdio --sort comm 2>/dev/null
	dmesg | grep 'Performance Events'
	cat /proc/cpuinfo
	echo to standard error >&2
	exit 7
END

# linux NAME ARGS...: perf0 linux with Debian's kernel; the output to NAME.out and NAME.err, the status in $status.
linux() {
	at=$dir/$1
	shift
	$perf0 linux --timeout $patience "$@" >"$at.out" 2>"$at.err" </dev/null
	status=$?
}

while read -r u driver; do
	case " $(either "hsw adl zen4" "hsw skx icl adl zen4") " in *" $u "*) ;; *) continue ;; esac
	linux "$u" --uarch "$u" --file "$dir/sums" "$kernel" -- sh "$dir/script"
	is "$u: the command's status" $status 7
	is "$u: its standard error" "$(cat "$dir/$u.err")" "to standard error"
	has "$u: the driver" "$dir/$u.out" ".*Performance Events: $driver.*"
	has "$u: vpmu plays the CPU" "$dir/$u.out" "model name.*perf0 vpmu.*"
	is "$u: instructions of ring 3 are exact in each run" "$(grep -Ec '^2000004,,(cpu_core/)?instructions(:u|/u),' "$dir/$u.out")" 3
	is "$u: branches, too" "$(grep -Ec '^1000001,,(cpu_core/)?branches(:u|/u),' "$dir/$u.out")" 3
	has "$u: one sample in each period" "$dir/$u.out" '# Samples: 19  of event .*'
done <<-END
	hsw PEBS fmt2\+, Haswell events,
	skx PEBS fmt3\+, Skylake events,
	icl PEBS fmt4\+-baseline, *Icelake events,
	adl .*Alderlake Hybrid events,
	zen4 Fam17h\+
END

# A folder of the host, in which the command starts.
mkdir "$dir/shared folder"
echo "of the host" >"$dir/shared folder/in"
linux share --share "$dir/shared folder" "$kernel" -- sh -c 'cat in; pwd; ls /sys/bus/event_source/devices; echo "of the guest" >out'
is "a folder is shared: status" $status 0
is "the command starts there, and reads" "$(head -n 2 "$dir/share.out")" "of the host
$(cd "$dir/shared folder" && pwd)"
is "what it writes is there" "$(cat "$dir/shared folder/out")" "of the guest"
has "RAPL's module is loaded" "$dir/share.out" power

# A kernel that panics, and a command that is not there.
linux panic --append "init=/nosuch rdinit=/nosuch root=none" "$kernel" -- true
is "a kernel that panics: status" $status 125
has "and what it says" "$dir/panic.err" ".*Kernel panic.*"
has "and that it did" "$dir/panic.err" "perf0: linux: the machine was reset before the command had ended"
linux nosuch "$kernel" -- nosuch-command
is "a command that nothing has: status" $status 127
finish
