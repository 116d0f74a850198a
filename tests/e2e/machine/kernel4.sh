# SPDX-License-Identifier: BSD-2-Clause
# Debian's kernel as a guest of vpmu, with stock perf in it: which PMU it finds, and what perf does with it, by the rows
# of kernel_checks, on one CPU of each family and on four; output, status, a folder that is shared, a console.
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
gcc -O2 -static -o "$shared/clock" tests/guests/alone/clock.c
gcc -O2 -static -o "$shared/rdpmc" tests/guests/alone/rdpmc.c
gcc -O2 -static -o "$shared/away" tests/guests/alone/away.c
gcc -O1 -static -o "$shared/matrix" tests/linux/matrix.c
gcc -O2 -static -I. -o "$shared/papi" tests/linux/papi.c -lpapi -lpfm 2>"$dir/papi.log" # which says that it uses dlopen()
gcc -m32 -nostdlib -static -o "$shared/calls32" tests/guests/alone/calls32.S
gcc -O2 -static -o "$dir/again" tests/guests/alone/again.c

# linux NAME ARGS...: perf0 linux with Debian's kernel, in $qemu if that is set; the output to NAME.out and NAME.err, the
# status in $status.
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

# rows_of U N: the rows of the table for that CPU, in a machine with N: those that `make test` takes, or all.
rows_of() {
	awk -v u="$1" -v n="$2" -v only="$(either "$1x$2" "")" '
	function among(word, list) { return list == "all" || index("," list ",", "," word ",") }
	/^[^#]/ && among(u, $2) && ($3 == "-" || $3 == n) && (only == "" || among(only, $4))' $checks
}

# does WHAT CHECK KERNELS: each of these kernels said so.
does() {
	if [ "$(grep -cx "does: $2" "$dir/$1.out")" = "$3" ]; then
		ok "$1: $2"
	else
		not_ok "$1: $2" "$(awk -v it="does not: $2" '/^does/ { on = $0 == it } on' "$dir/$1.out")"
	fi
}

# recorded WHAT CHECK WANTED: perf reads that number of samples here, or some. With several CPUs the clock is the host's, by
# which Linux may find that interrupts come too often.
recorded() {
	[ "$n" = 1 ] || set -- "$1" "$2" some
	found=$(perf report -i "$shared/$2.data" --stats --stdio 2>&1 | sed -n 's/^ *SAMPLE events: *\([0-9]*\).*/\1/p' | head -n 1)
	[ "$3" != some ] || [ "${found:-0}" = 0 ] || found=some
	is "$1: $2: samples" "$found" "$3"
}

# matrix U N KERNELS DRIVER: those rows in one boot; so many kernels run, each started by the one before.
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

# What Linux's driver says on each CPU; how many kernels run in the machine with one: one that another one starts finds
# the PMU as that did.
echo "# make soak has each row of $checks on each of them, and a second kernel"
while read -r u kernels driver; do

	matrix "$u" 4 1 "$driver"
done <<-END
	hsw 1 PEBS fmt2\+, Haswell events,
	skx 2 PEBS fmt3\+, Skylake events,
	icl 1 PEBS fmt4\+-baseline, .*Icelake events,
	adl 1 .*Alderlake Hybrid events,
	spr 1 .*PEBS fmt4\+-baseline, .*Sapphire Rapids events,
	zen2 1 Fam17h\+
	zen4 2 Fam17h\+
END

# In that of Debian's backports each CPU has a thread of its own.
if soaking && qemu=$(scripts/qemu-backports build/qemu-backports); then
	matrix hsw 4 1 "PEBS fmt2\\+, Haswell events,"
fi
qemu=

finish
