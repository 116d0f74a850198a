# SPDX-License-Identifier: BSD-2-Clause
# There and back: Debian's Linux under vpmu hands the machine to perf0.bz by kexec, and finds the results when it comes
# home. Counts are those of `perf0 stat` on the host, to the digit. A command that hangs, a fault in ring 0 and a machine
# without memory for results come home, too; what cannot work is refused before anything happens.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_kernel.sh"

find_kernel "There and back"
find_busybox "There and back"

# lay_out NAME: makes the folder that the guest sees, with the program that is measured.
lay_out() {
	shared=$PWD/$dir/$1
	mkdir -p "$shared"
	cp build/perf0 build/perf0.bz build/perf0.elf tests/e2e/machine/there_guest "$shared"
	cp "$kernel" "$shared/vmlinuz"
	cp "$dir/prog" "$dir/code" "$shared"
}

# travel NAME UARCH CPUS [OPTIONS...]: boots Linux, which makes the journeys of the file `journeys`.
travel() {
	name=$1 uarch=$2 cpus=$3
	shift 3
	(cd "$dir/$name" && exec "$OLDPWD/$perf0" linux --timeout $patience --uarch "$uarch" --smp "$cpus" "$@" --memory 1G \
		--file /etc/ld.so.cache --share . "$(cd "$OLDPWD" && realpath "$kernel")" -- sh there_guest ./perf0 ./prog flock) \
		>"$dir/$name.out" 2>&1 </dev/null
	is "$name: Linux has come home each time: status" $? 0
}

# counted FILE: the counts of the first command that `perf0 results` has printed.
counted() { sed -n '/^  001 /,/^  002 /s/^ \{9,\}\([0-9,]*\)  .*:u.*/\1/p' "$1" | tr -d , | xargs; }

# equal NAME UARCH EVENTS [CPUS]: the journey's counts are those of `perf0 stat` here. Programs ask for the number of threads of
# a core, which a guest of `perf0 linux` has one of.
equal() {
	(cd "$shared" && exec "$OLDPWD/$perf0" stat --timeout $((patience * 1000)) --uarch "$2" --ht off --smp "${4:-1}" -x , -e "$3" -- ./prog 100000) >"$dir/stat" 2>&1
	wanted=$(grep '^[0-9]' "$dir/stat" | cut -d , -f 1 | xargs)
	is "$1: counts, to the digit" "$(counted "$shared/$1.out")" "${wanted:-no counts: $(cat "$dir/stat")}"
}

# refusal NAME SENTENCE
refusal() {
	has "refused: $1" "$shared/refused-$1" "perf0 there-and-back: $2"
	is "refused: $1: status" "$(tail -n 1 "$shared/refused-$1")" "status 1"
}

gcc -O1 -o "$dir/prog" -x c - <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	volatile long sum = 0;
	for (long i = 0, n = argc > 1 ? atol(argv[1]) : 0; i < n; i++)
		sum += i;
	printf("sum %ld\n", sum);
	return 0;
}
END
$perf0 bench --asm 'imul rax, rbx' -o "$dir/code"

lay_out skx
{
	printf 'measure\t%s\n' "-- stat -e instructions:u,branches:u -- ./prog 100000 ';' record -e instructions:u -c 10007 -- ./prog 100000 ';' bench -e instructions:u,cycles:u ./code"
	printf 'hang\t%s\n' "--timeout 2 -- stat -e instructions:u -- ./prog 100000000000 ';' stat loop 1"
	printf 'bug\t%s\n' "-- stat -e instructions:u -- ./prog 1000 ';' bug"
} >"$shared/journeys"
travel skx skx 1

equal measure skx instructions:u,branches:u
has "what has ended the time away" "$shared/measure/status.txt" "the commands have ended"
has "text of the program" "$shared/measure/001-stat.txt" "sum 4999950000"
has "bench" "$shared/measure/003-bench.txt" " *1\\.00 .*instructions:u"
is "perf.data, as perf reads it: samples" \
	"$(perf report -i "$shared/measure/002-record.data" --stats --stdio 2>&1 | sed -n 's/^ *SAMPLE events: *\([0-9]*\).*/\1/p' | head -n 1)" 69
has "results, once more" "$shared/measure.again" "perf0 results: .* has them"
has "Linux finds its PMU" "$shared/measure.dmesg" ".*Performance Events: .*Skylake.*"
is "and nothing that it complains of" "$(grep -ci bios "$shared/measure.dmesg")" 0
has "a command that hangs: how it ended" "$shared/hang.err" "perf0 results: the time of the commands was over \(--timeout\): they were interrupted"
has "and its counts so far" "$shared/hang.out" " *[0-9,]+  instructions:u"
is "and no other command" "$(ls "$shared/hang" | grep -c '^002-')" 0
has "a fault in ring 0: how it ended" "$shared/bug.err" "perf0 results: perf0 panicked: .*"
has "its text" "$shared/bug/panic.txt" ".*perf0: panic: .*"
has "and the command before it" "$shared/bug.out" " *[0-9,]+  instructions:u"

refusal no-kernel "the kernel that runs, .*, is not in /boot.*give its bzImage by --kernel FILE"
refusal no-initrd "the initial ram disk of .* is not in /boot; give it by --initrd FILE.*"
refusal cut-kernel "/run/cut-kernel is cut off: .*"
refusal cut-initrd "/run/cut-initrd is cut off: .*"
refusal cut-gzip "/run/cut-gzip is cut off: .*"
refusal no-systemd "this machine was not started by systemd.*--fast"
refusal second "another .perf0 there-and-back. is about to leave.*"
refusal forbidden "kexec is forbidden until the next boot: kernel\\.kexec_load_disabled is 1.*"
has "no results before the first journey" "$shared/refused-results" "perf0 results: this boot of Linux did not come from .*"
is "and nothing is loaded after refusals" "$(cat "$shared/refused-loaded")" 0

# AMD's event of all branches counts interrupts, too; 0xd1 is conditional branches.
if soaking; then
	lay_out zen4
	for i in 1 2 3 4 5 6 7 8 9 10; do
		printf 'turn%s\t%s\n' $i "-- stat -e instructions:u,r00d1:u -- ./prog 100000"
	done >"$shared/journeys"
	travel zen4 zen4 1
	for i in 1 2 3 4 5 6 7 8 9 10; do
		equal turn$i zen4 instructions:u,r00d1:u
	done

	# With the model of a core, Linux on several CPUs takes many minutes to start.
	lay_out four
	{
		printf 'measure\t%s\n' "-- stat -e instructions:u,branches:u -- ./prog 100000 ';' cpus"
		printf 'other\t%s\n' "-- bug 3"
	} >"$shared/journeys"
	travel four skx 4 --events counts
	equal measure skx instructions:u,branches:u 4
	is "perf0 has all CPUs" "$(grep -c ' online' "$shared/measure/002-cpus.txt")" 4
	is "Linux has all CPUs again" "$(cat "$shared/measure.cpus")" 4
	has "a fault on another CPU" "$shared/other/panic.txt" ".*perf0: panic on CPU 3: .*"
	is "Linux has all CPUs after that" "$(cat "$shared/other.cpus")" 4
fi
finish
