# SPDX-License-Identifier: BSD-2-Clause
# /proc and /sys describe the machine correctly to programs of Linux, on one CPU and on four. Stock perf finds the PMUs
# there, and its counts equal those of perf0.
. "$(dirname "$0")/../_lib.sh"

gcc -O2 -Wall -o "$dir/proc" tests/linux/proc_files.c -lpthread
is "a program's own /proc, on Linux" "$("$dir/proc" one "two words" 2>&1)" "proc: all is as it is told"

s="stat -e instructions:u --"
# ran WHAT: prints the lines between the marks WHAT and END of $log.
ran() { sed -n "/^$1:\$/,/^END:\$/p" "$log" | sed '1d;$d'; }

for cpus in $(either "" 1) 4; do
	# shellcheck disable=SC2086
	boot "$dir/programs.$cpus" --smp $cpus --uarch skx --file /bin/cat --file /usr/bin/lscpu \
		--file /usr/bin/nproc --file /usr/bin/getconf --file /usr/bin/free --file /usr/bin/ps \
		--file /usr/bin/find --file /usr/bin/uptime --file "$dir/proc" --file tests/linux/proc_tools.sh -- \
		$s /bin/sh tests/linux/proc_tools.sh "$dir/proc"
	is "$cpus CPUs: exit status" $status 0
	is "$cpus CPUs: a program's own /proc" "$(ran proc)" "proc: all is as it is told"
	is "$cpus CPUs: nproc, getconf" "$(ran nproc | xargs)" "$cpus $cpus"
	is "$cpus CPUs: /sys's list" "$(ran online)" "$([ $cpus = 1 ] && echo 0 || echo 0-3)"
	is "$cpus CPUs: /proc/cpuinfo has a block of each" "$(ran cpuinfo | grep -c '^processor')" $cpus
	ran lscpu >"$dir/lscpu"
	has "$cpus CPUs: lscpu: how many" "$dir/lscpu" "CPU\(s\): +$cpus"
	has "$cpus CPUs: lscpu: which" "$dir/lscpu" 'Model name: +Intel Xeon Gold 6130 .*'
	has "$cpus CPUs: lscpu: threads" "$dir/lscpu" "Thread\(s\) per core: +$([ $cpus = 1 ] && echo 1 || echo 2)"
	ran free >"$dir/free"
	has "$cpus CPUs: free: some MiB" "$dir/free" 'Mem: +2[0-9]{2} +[0-9]+ +[0-9]+ +0 +0 +[0-9]+'
	ran ps >"$dir/ps"
	has "$cpus CPUs: ps: itself" "$dir/ps" ' *[0-9]+ +2 R[sl+]* +ps -eo .*'
	has "$cpus CPUs: ps: the shell, which waits" "$dir/ps" ' +2 +1 S[s+]* +/bin/sh tests/linux/proc_tools.sh .*'
	ran uptime >"$dir/uptime"
	has "$cpus CPUs: uptime" "$dir/uptime" ' 00:00:[0-9]+ up 0 min, .*load average: [0-9., ]+'
	is "$cpus CPUs: /proc/stat has a line of each" "$(ran stat | grep -c '^cpu[0-9]')" $cpus
done
is "caches: those of the PMU's machine" "$(ran caches | xargs)" "1 Data 32K 8 64 0-1 1 Instruction 32K 8 64 0-1 \
2 Unified 1024K 16 1024 0-1 3 Unified 22528K 11 32768 0-3"
is "cores of four CPUs" "$(ran topology | xargs)" "0 0 1 1 0-1 2-3"

# The PMUs in /sys.
ran pmus >"$dir/pmus"
is "which PMUs" "$(xargs <"$dir/pmus")" "breakpoint cpu msr power software step_trace tracepoint \
uncore_cha_0 uncore_cha_1 uncore_cha_2 uncore_cha_3 uncore_ubox"
is "a format" "$(ran format)" config:8-15
is "an event" "$(ran event)" event=0x2e,umask=0x41
is "a package's CPU" "$(ran cpumask)" 0

# Stock perf in ring 3 adds variables to the environment of the program that it runs. perf0's own run has them, too.
if [ ! -x /usr/bin/perf ] || file -b /usr/bin/perf | grep -q script; then
	skip "perf in ring 3" "there is no perf here"
	finish
	exit
fi
boot "$dir/perf" --file /usr/bin/perf -- $s /usr/bin/perf list pmu \; $s /usr/bin/perf stat -e instructions:u /bin/true
is "perf: exit status" $status 0
has "perf list: an event of the core" "$dir/perf" ' +cache-misses OR cpu/cache-misses/ +\[Kernel PMU event\]'
has "perf list: an event of a package" "$dir/perf" ' +power/energy-pkg/ +\[Kernel PMU event\]'
boot "$dir/same" --file /usr/bin/perf --env PATH=/usr/lib/perf-core:/usr/bin:/usr/bin:/bin --env PREFIX=/usr \
	--env PERF_BUILDID_DIR=//.debug -- $s /bin/true
counted() { awk '/instructions:u/ { gsub(",", "", $1); print $1 }' "$1" | sed -n "$2p"; }
is "perf stat counts what perf0 counts" "$(counted "$dir/perf" 2)" "$(counted "$dir/same" 1)"

cat >"$dir/record.sh" <<'SH'
perf record -e instructions:u -c 1000 -o /tmp/perf.data "$1" one >/dev/null
perf report -i /tmp/perf.data --stdio
SH
boot "$dir/record" --file /usr/bin/perf --file "$dir/proc" --file "$dir/record.sh" -- $s /bin/sh "$dir/record.sh" "$dir/proc"
is "perf record: exit status" $status 0
has "perf report: the program's own functions" "$dir/record" ' +[0-9.]+% +proc +proc +\[\.\] (file|find_map|sum_of|read_file) *'
finish
