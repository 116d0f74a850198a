# SPDX-License-Identifier: BSD-2-Clause
# perf0 reports a mistake on a command line in one line, with a status, before it starts a machine: the QEMU here would
# leave a trace. build/test/mistakes/times has the time of each row.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/qemu" <<EOF
#!/bin/sh
[ "\$1" = -plugin ] || echo started >>"$dir/started"
exit 1
EOF
chmod +x "$dir/qemu"
echo text >"$dir/text"
printf '\177EL' >"$dir/short"
: >"$dir/empty"
: >"$dir/empty.txt"
echo old >"$dir/report"

# Kinds of ELF files: an object, a library, for 32 bits, for another processor, cut short, with an interpreter.
echo 'int main(void) { return 0; }' >"$dir/main.c"
gcc -fPIE -c -o "$dir/object.o" "$dir/main.c"
gcc -shared -nostdlib -o "$dir/shared.so" "$dir/object.o"
gcc -nostdlib -static-pie -Wl,-e,main -o "$dir/static" "$dir/object.o"
gcc -o "$dir/dynamic" "$dir/object.o"
patched() { # NAME OFFSET BYTE: "static" with that byte, in octal
	cp "$dir/static" "$dir/$1"
	printf "\\$3" | dd of="$dir/$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
for v in 2 3 4; do gcc -o "$dir/v$v" tests/linux/hello.c -Wl,-z,x86-64-v$v; done
echo 'int wide(void) { return 0; }' | gcc -shared -fPIC -o "$dir/libwide.so" -x c - -Wl,-z,x86-64-v4
echo 'int wide(void); int main(void) { return wide(); }' >"$dir/wide.c"
gcc -o "$dir/uses_wide" "$dir/wide.c" "$PWD/$dir/libwide.so"
patched narrow 4 001
patched foreign 18 267
patched core 16 004
patched i386 18 003
cp "$dir/static" "$dir/plain"
chmod -x "$dir/plain"
echo 'int lacks(void) { return 0; }' | gcc -shared -fPIC -o "$dir/libperf0lacks.so" -x c -
gcc -o "$dir/lacking" "$dir/object.o" -L"$dir" -Wl,--no-as-needed -lperf0lacks -Wl,-rpath,/nowhere
rm "$dir/libperf0lacks.so"
gcc -Wl,--dynamic-linker=/no/such/ld.so -o "$dir/strange" "$dir/object.o"
echo '#!/no/such/sh' >"$dir/script"
echo '#!/usr/bin/env nosuchname' >"$dir/byenv"
chmod +x "$dir/script" "$dir/byenv"
folders=$(/lib64/ld-linux-x86-64.so.2 --help | sed -n 's/^  \(.*\) (system search path)$/\1/p' | paste -sd , | sed 's/,/, /g')
head -c 40 "$dir/static" >"$dir/cut40"
head -c 70 "$dir/static" >"$dir/cut70"
head -c 4200 "$dir/static" >"$dir/cut4200"
mkfifo "$dir/fifo"

# Files with metrics, each with one mistake.
printf 'metric x\nformula cycles /\n' >"$dir/cut.txt"
printf 'metric x\nformula cycles / (1 - 1)\n' >"$dir/zero.txt"
printf 'metric x\nformula a\nmetric a\nformula 2 * x\n' >"$dir/round.txt"
printf 'metric x\nformula uops_issued.anny / cycles\n' >"$dir/typo.txt"
printf 'metric x\nformula cycles\nmetric x\nformula cycles\n' >"$dir/twice.txt"
printf 'metric x\nformul cycles\n' >"$dir/word.txt"
printf 'SHORT x\nEVENTSET\nCBOX0C0 LLC\n' >"$dir/box.txt"
printf 'SHORT x\nEVENTSET\nPMC0 NO_SUCH_EVENT\nMETRICS\na PMC0\n' >"$dir/likwid.txt"
printf 'SHORT x\nEVENTSET\nPMC0 UOPS_ISSUED_ANY\nMETRICS\na b PMC0/PMC1\n' >"$dir/counter.txt"

# status|command line (words)|the whole message
while IFS='|' read -r wanted line told; do
	[ -n "$wanted" ] || continue
	set -f
	# shellcheck disable=SC2086 # words
	set -- $line
	set +f
	command=$1
	shift
	case $command in
	run | stat | record | top | caps | list) set -- --qemu "$dir/qemu" "$@" ;;
	esac
	before=$(date +%s%N)
	$perf0 "$command" "$@" >"$dir/said" 2>&1 </dev/null
	code=$?
	printf '%4d ms  perf0 %s\n         %s\n' $((($(date +%s%N) - before) / 1000000)) "$line" \
		"$(cat "$dir/said")" >>"$dir/times"
	is "$line" "$code|$(cat "$dir/said")" "$wanted|$told"
done <<EOF
2|stat --file /etc/passwd:/proc/cpuinfo -- /bin/true|perf0: --file /etc/passwd:/proc/cpuinfo: /proc/cpuinfo is of /proc and /sys, whose files the image itself writes
2|record -k nosuch -- loop|perf0 record: --clockid: 'nosuch' is none of monotonic, monotonic_raw, realtime, boottime, tai, and mono, raw, real, boot
2|stat -z -- loop|perf0 stat: unknown option '-z'
2|stat --nosuch -- loop|perf0 stat: unknown option '--nosuch'
2|stat --uarhc hsw -- loop|perf0 stat: unknown option '--uarhc'; did you mean '--uarch'?
2|stat --repaet=3 -- loop|perf0 stat: unknown option '--repaet=3'; did you mean '--repeat'?
2|record --live=1 -- loop|perf0 record: --live takes no value
2|stat --per -- loop|perf0 stat: '--per' may be more than one option
2|stat -r|perf0 stat: --repeat wants a value
2|record -e|perf0 record: --event wants a value
2|stat -r abc -- loop|perf0 stat: --repeat: 'abc' is not a number from 1 to 100000
2|stat -r 0 -- loop|perf0 stat: --repeat: '0' is not a number from 1 to 100000
2|stat -r 100001 -- loop|perf0 stat: --repeat: '100001' is not a number from 1 to 100000
2|stat --repeat=-1 -- loop|perf0 stat: --repeat: '-1' is not a number from 1 to 100000
2|stat -r3x -- loop|perf0 stat: --repeat: '3x' is not a number from 1 to 100000
2|stat --timeout 0 -- loop|perf0 stat: --timeout: '0' is not a number from 1 to 3600000
2|stat --mux-interval-us 99 -- loop|perf0 stat: --mux-interval-us: '99' is not a number from 100 to 1000000
2|stat --policy best -- loop|perf0 stat: --policy: 'best' is not perf or fair
2|stat -C 0- -- loop|perf0 stat: '0-' is no list of CPUs, as 0-2,4
2|stat -C a -- loop|perf0 stat: 'a' is no list of CPUs, as 0-2,4
2|stat --machine-timeout 0 -- loop|perf0 stat: --machine-timeout: '0' is not a number from 1 to 86400
2|stat --smp 65 -- loop|perf0 stat: --smp: '65' is not a number of CPUs, 1 to 64, of which threads=T (1 or 2) in a core
2|stat --uarch p4 -- loop|perf0 stat: --uarch: 'p4' is not one of those that 'perf0 list uarchs' lists
2|there-and-back|perf0 there-and-back: no command; \`perf0 run -- help\` lists them
2|there-and-back --keep 0 -- caps|perf0 there-and-back: --keep: '0' is not a number from 1 to 9999
2|there-and-back --timeout soon -- caps|perf0 there-and-back: --timeout: 'soon' is not a number from 1 to 86400
2|there-and-back --sign key|perf0 there-and-back: --sign wants a key and a certificate: --sign KEY CERT
2|there-and-back --uarch skx -- caps|perf0 there-and-back: unknown option '--uarch'
2|there-and-back -- stat -e nosuch -- loop|perf0: stat: -e nosuch: column 1: there is no event 'nosuch'
2|linux --initrd x --share y k|perf0 linux: --initrd and --share exclude each other: what programs find is in the one that is made
2|linux --share . --cwd / k -- ls|perf0 linux: --share and --cwd exclude each other: COMMAND starts in that folder
2|stat --counters gp:11 -- loop|perf0 stat: --counters: 'gp:11' is not a list of gp:N (1 to 10), fixed:N (0 to 4), width:N (32 to 48) and version:N (1 to 5)
2|stat --counters version:1,fixed:2 -- loop|perf0 stat: --counters version:1,fixed:2, --uarch skx: fixed:2 wants version:2 or later
2|stat --uarch zen2 --counters gp:5 -- loop|perf0 stat: --counters gp:5, --uarch zen2: before PerfMonV2 CPUID tells that there are 4 counters or 6
2|stat --uarch zen4 --counters gp:7 -- loop|perf0 stat: --counters gp:7, --uarch zen4: AMD's cores have registers for 6 counters
2|stat --uarch zen4 --counters width:40 -- loop|perf0 stat: --counters width:40, --uarch zen4: AMD's counters have 48 bits, and CPUID does not tell it otherwise
2|linux --uarch p4 k|perf0 linux: --uarch: 'p4' is not one of those that 'perf0 list uarchs' lists
2|linux --memory 100M k|perf0 linux: --memory: '100M' is not whole MiB, 128M or more
2|linux --modules= k|perf0 linux: --modules: '' is not a folder
2|linux k -- ls|perf0: linux: kernel k: No such file or directory
2|boot --initrd x a.efi|perf0 boot: unknown option '--initrd'
2|boot --no-vpmu a.efi|perf0 boot: unknown option '--no-vpmu'
1|qemu-args --page /nosuch/file|perf0: qemu-args: --page /nosuch/file: No such file or directory
2|qemu-args --events model|perf0 qemu-args: unknown option '--events'
2|qemu-args grün|perf0: qemu-args: argument grün: character 3: firmware hands over printable ASCII alone
2|stat --ht maybe -- loop|perf0 stat: --ht: 'maybe' is not on or off
2|stat --accel xen -- loop|perf0 stat: --accel: 'xen' is not tcg or kvm
2|stat --kvm --accel tcg -- loop|perf0 stat: --kvm and --accel exclude each other: the first is --accel kvm
2|stat --kvm --uarch icl -- loop|perf0 stat: --uarch needs vpmu, which is off with --accel kvm
2|stat --kvm --pin x -- loop|perf0 stat: 'x' is no list of CPUs, as 0-2,4
2|stat --pin 1 -- loop|perf0 stat: --pin needs --kvm: CPUs of TCG count what they execute
2|doctor --kvm x|perf0 doctor: takes no operand: 'x'
2|doctor --kvm --root=|perf0 doctor: --root: '' is not a folder
2|stat --events all -- loop|perf0 stat: --events: 'all' is not model, counts or ratios
2|stat --timing exact -- loop|perf0 stat: --timing: 'exact' is not model or ipc1
2|stat --hypervisor-bit no -- loop|perf0 stat: --hypervisor-bit: 'no' is not on or off
2|stat --no-vpmu --hypervisor-bit off -- loop|perf0 stat: --hypervisor-bit needs vpmu, which is taken away by --no-vpmu
2|stat --no-vpmu --timing ipc1 -- loop|perf0 stat: --timing needs vpmu, which is taken away by --no-vpmu
2|stat --no-vpmu --events counts -- loop|perf0 stat: --events needs vpmu, which is taken away by --no-vpmu
2|stat --baud 7 -- loop|perf0 stat: --baud: '7' is not a divisor of 115200
2|stat --flow up -- loop|perf0 stat: --flow: 'up' is not none, xonxoff or rtscts
2|stat --max-size 0 -- loop|perf0 stat: --max-size: '0' is not a size: bytes, or a number and K, M, G or T
2|stat --self -- loop|perf0 stat: --self needs --functions or --function or --line: it is for their tables
2|stat --functions --self --calls -- loop|perf0 stat: --self and --calls exclude each other: calls are not followed
2|stat --append -- loop|perf0 stat: --append needs --output: that is the file to add to
2|stat -M|perf0 stat: --metrics wants a value
2|stat -M nix -- loop|perf0: stat: -M: there is no metric 'nix' for skylakex; \`list metrics\` has them
2|stat --metrics=IPX -- loop|perf0: stat: -M: there is no metric 'IPX' for skylakex; did you mean 'IPC'?
2|stat -MIPC, -- loop|perf0: stat: -M: the name of a metric is missing
2|stat --uarch hsw --topdown --td-level 2 -- loop|perf0: stat: -M: there is no metric 'TopdownL2' for haswell; did you mean 'TopdownL1'?
2|stat --topdown --td-level 3 -- loop|perf0 stat: --td-level: '3' is not a number from 1 to 2
2|stat --td-level 2 -- loop|perf0 stat: --td-level needs --topdown: it is for top-down
2|stat --metric-no-group -- loop|perf0 stat: --metric-no-group needs --metrics or --topdown: it is for metrics
2|stat -n -M IPC -- loop|perf0 stat: --null and --metrics exclude each other: it counts nothing
2|stat -a -M IPC -G a -- loop|perf0 stat: --metrics and --cgroup exclude each other: a metric is of all that runs
2|stat --metric-only -M IPC -- loop|perf0 stat: perf's option --metric-only is not here: metrics are told beside the counts that they are made of; -x and -j are for programs
2|stat -M {metric -- loop|perf0: stat: -M: the bracket } behind {TEXT is missing
2|stat -M {metric;x} -- loop|perf0: stat: -M: {...}:1:7: \`metric\` wants a name
2|stat -e r01c0/name=an_event_with_a_long_name/,r01c1/name=an_event_with_a_long_name/,r01c2/name=an_event_with_a_long_name/,r01c3/name=an_event_with_a_long_name/,r01c4/name=an_event_with_a_long_name/,r01c5/name=an_event_with_a_long_name/,r01c6/name=an_event_with_a_long_name/,r01c7/name=an_event_with_a_long_name/,cycles,nosuch,r01d1/name=one_more_event_with_a_long_name/,r02d1/name=one_more_event_with_a_long_name/ -- loop|perf0: stat: -e ...cycles,nosuch,r01d1/name=one_more_event_with_a_long_name/...: column 312: there is no event 'nosuch'
2|stat -M $dir/nosuch.txt -- loop|perf0: stat: -M: $dir/nosuch.txt: No such file or directory
2|stat -M $dir -- loop|perf0: stat: -M: $dir: Is a directory
2|stat -M $dir/cut.txt -- loop|perf0: stat: -M: $dir/cut.txt:2:17: it ends where a value is to be
2|stat -M $dir/zero.txt -- loop|perf0: stat: -M: $dir/zero.txt:2:16: it divides by 0, whatever is counted
2|stat -M $dir/round.txt -- loop|perf0: stat: -M: $dir/round.txt:4:13: 'x' is made of itself
2|stat -M $dir/typo.txt -- loop|perf0: stat: -M: $dir/typo.txt:2:9: there is no event 'uops_issued.anny' for skylakex; did you mean 'UOPS_ISSUED.ANY'?
2|stat -M $dir/twice.txt -- loop|perf0: stat: -M: $dir/twice.txt:3:8: metric 'x' was there in line 2
2|stat -M $dir/word.txt -- loop|perf0: stat: -M: $dir/word.txt:2:1: a line does not begin with 'formul'; did you mean 'formula'?
2|stat -M $dir/box.txt -- loop|perf0: stat: -M: $dir/box.txt:3:1: counter 'CBOX0C0' is none of a core's: it counts for slices of the last level
2|stat -M $dir/likwid.txt -- loop|perf0: stat: -M: $dir/likwid.txt:5:3: there is no event 'NO_SUCH_EVENT' for skylakex
2|stat -M $dir/counter.txt -- loop|perf0: stat: -M: $dir/counter.txt:5:10: there is no event 'PMC1' for skylakex
2|stat -M $dir/empty.txt -- loop|perf0: stat: -M: $dir/empty.txt: it has no metric for skylakex
2|stat -o - -- loop|perf0 stat: --output: '-' is not a file name
2|stat --no-vpmu --uarch hsw -- loop|perf0 stat: --uarch needs vpmu, which is taken away by --no-vpmu
2|record -c 0 -- loop|perf0 record: --count: '0' is not a number from 1 to 1152921504606846976
2|record -c 18446744073709551616 -- loop|perf0 record: --count: '18446744073709551616' is not a number from 1 to 1152921504606846976
2|record -F often -- loop|perf0 record: -F wants a number of samples a second, or max, not 'often'
2|record -m 0 -- loop|perf0 record: --mmap-pages: '0' is neither a number of pages, 1 to 16384, nor a size with B, K, M or G
2|record -m 1,4KB -- loop|perf0 record: --mmap-pages: '4KB' is neither a number of pages, 1 to 16384, nor a size with B, K, M or G
2|record --max-stack 128 -- loop|perf0 record: --max-stack: '128' is not a number from 1 to 127
2|record --limit x -o y -- loop|perf0 record: --limit: 'x' is not a number from 1 to 1152921504606846976
2|record --folded --text -- loop|perf0 record: --folded and --text exclude each other: one form at a time
2|record -r 3 -- loop|perf0 record: perf's option -r is not here: the machine runs the workload and nothing else
2|stat -p 12 -- loop|perf0 stat: perf's option -p is not here: the machine runs the workload and nothing else
2|stat --tid=12 -- loop|perf0 stat: perf's option --tid is not here: the machine runs the workload and nothing else
2|stat --interval-clear -I 10 -- loop|perf0 stat: perf's option --interval-clear is not here: what the machine prints may not steer a terminal
2|record -j any,call,bogus -- loop|perf0 record: --branch-filter: column 10 of 'any,call,bogus': any, any_call, any_ret, ind_call, ind_jmp, call, cond, abort_tx, in_tx, no_tx, u, k, hv, save_type, priv, hw_index, no_flags, no_cycles and stack are there
2|record -b -j any -- loop|perf0 record: --branch-any and --branch-filter exclude each other: -b is -j any
2|run -- record --switch-output=1M loop|perf0: record: perf's option --switch-output is not here: a recording is one file; --max-size bounds it, --overwrite keeps the newest of it
2|stat -I 9 -- loop|perf0 stat: --interval-print: '9' is not a number from 10 to 3600000
2|stat -D -1 -- loop|perf0 stat: --delay: '-1' is not a number from 1 to 3600000
2|stat -I 10 -r 2 -- loop|perf0 stat: --interval-print and --repeat exclude each other: -I tells one run as it goes on
2|stat -I 10 --passes -- loop|perf0 stat: --interval-print and --passes exclude each other: -I tells one run as it goes on
2|stat --interval-count 3 -- loop|perf0 stat: --interval-count needs --interval-print
2|stat --summary -- loop|perf0 stat: --summary needs --interval-print: it is behind all intervals
2|stat --table -- loop|perf0 stat: --table needs --repeat: it is of several runs
2|stat --table -r 2 --passes -- loop|perf0 stat: --table and --passes exclude each other: it is of one pass
2|stat --table -r 2 -j -- loop|perf0 stat: --table and --json-output exclude each other: it is for people to read
2|stat -B -x , -- loop|perf0 stat: --big-num and --field-separator exclude each other: commas are for people to read
2|stat -B --no-big-num -- loop|perf0 stat: --big-num and --no-big-num exclude each other: with commas, or without
2|stat -n -e cycles -- loop|perf0 stat: --null and --event exclude each other: it counts nothing
2|stat -n -I 10 -- loop|perf0 stat: --null and --interval-print exclude each other: it counts nothing
2|stat --verbose --quiet -- loop|perf0 stat: --quiet and --verbose exclude each other: less is told, or more
2|record -q --verbose -- loop|perf0 record: --quiet and --verbose exclude each other: less is told, or more
2|record --all-user --all-kernel -- loop|perf0 record: --all-user and --all-kernel exclude each other: each is for one ring alone
2|stat|perf0: stat: no workload given; \`perf0 help workloads\` lists them
2|record -e cycles|perf0: record: no workload given; \`perf0 help workloads\` lists them
2|stat -- lopo|perf0: stat: unknown workload 'lopo'; did you mean 'loop'?
2|bench cpuid;nop|perf0: bench: unknown workload 'cpuid;nop'; code to measure stands behind --asm
2|stat nosuch|perf0: stat: unknown workload 'nosuch'; \`perf0 help workloads\` lists them
2|record hotcol|perf0: record: unknown workload 'hotcol'; did you mean 'hotcold'?
2|stat loop x|perf0: stat: loop: 'x' is no N: a number from 0 to 18446744073709551615 is wanted
2|stat loop 1 2|perf0: stat: loop takes no argument '2'; usage: loop [N]
2|stat sleep 3601|perf0: stat: sleep: '3601' is no SECONDS: a number from 0 to 3600 is wanted
2|stat dd count=1 count=2|perf0: stat: dd: count is given twice
2|stat -- $dir/nosuch|perf0: stat: $dir/nosuch: No such file or directory
2|stat -- $dir/text|perf0: stat: $dir/text: it is no ELF file, and no script that begins with #! and an interpreter
2|stat -- $dir/short|perf0: stat: $dir/short: it is no ELF file, and no script that begins with #! and an interpreter
2|stat -- $dir/text/x|perf0: stat: $dir/text/x: Not a directory
2|run -- $dir/nosuch|perf0: $dir/nosuch: No such file or directory
2|run -- caps ; stat $dir/nosuch|perf0: command 2: stat: $dir/nosuch: No such file or directory
2|stat -- $dir/empty|perf0: stat: $dir/empty: it is empty
2|record -- $dir/|perf0: record: $dir/: Is a directory
1|record -o $dir/no/such -- loop|perf0: $dir/no/such: No such file or directory
1|record -o $dir -- loop|perf0: $dir: is there and is no plain file
1|stat -o $dir/no/such -- loop|perf0: $dir/no/such: No such file or directory
1|run -o $dir/no/such -- caps|perf0: $dir/no/such: No such file or directory
2|stat -e nosuch -- loop|perf0: stat: -e nosuch: column 1: there is no event 'nosuch'
2|stat -e cycles,instructoins:u -- loop|perf0: stat: -e cycles,instructoins:u: column 8: there is no event 'instructoins'; did you mean 'instructions'?
2|record -e cycles:z -- loop|perf0: record: -e cycles:z: column 8: there is no modifier 'z'
2|stat -o $dir/report -- lopo|perf0: stat: unknown workload 'lopo'; did you mean 'loop'?
2|run|perf0: run: no command; \`perf0 run -- help\` lists them
2|run -- stat -z loop|perf0: stat: unknown option '-z'
127|run -- statt loop|perf0: unknown command 'statt'; did you mean 'stat'?
127|run -- nmi_watchdog=1 casp|perf0: unknown command 'casp'; did you mean 'caps'?
127|run -- nosuch|perf0: unknown command 'nosuch'; \`help\` lists them
2|run -- trace -m 0 loop|perf0: trace: --mmap-pages: '0' is not a number from 1 to 16384
2|run -- watchdog -t 61 on|perf0: watchdog: --threshold: '61' is not a number from 1 to 60
2|caps extra|perf0: caps: takes no argument 'extra'
2|list one two|perf0: list: takes one argument: 'two' is another
2|record -c 1000 -F 99 -- loop|perf0 record: --count and --freq exclude each other: the period is fixed, or adjusts itself to the rate
2|record --overwrite --live -- loop|perf0 record: --overwrite and --live exclude each other: what is sent at once is never overwritten
2|record -S -- loop|perf0: record: --snapshot needs an event that traces (step_trace//)
2|record -m 8,16 -- loop|perf0: record: the second number of --mmap-pages needs an event that traces (step_trace//)
2|record --overwrite -e step_trace//u -- loop|perf0: record: --overwrite and an event that traces (step_trace//) exclude each other: of a trace, --snapshot keeps the newest
2|record -a --per-thread -- loop|perf0 record: --all-cpus and --per-thread exclude each other: -a is for all tasks, and --per-thread for one
2|stat -a -C 0 -- loop|perf0 stat: --all-cpus and -C exclude each other: -a is all CPUs
2|stat -e cycles -G a -- loop|perf0 stat: --cgroup needs --all-cpus or -C: it is for events of CPUs
2|stat --for-each-cgroup a -- loop|perf0 stat: --for-each-cgroup needs --all-cpus or -C: it is for events of CPUs
2|record -e cycles -G a -- loop|perf0 record: --cgroup needs --all-cpus or -C: it is for events of CPUs
2|stat -C 0 --per-thread -e cycles -G a -- loop|perf0 stat: --cgroup and --per-thread exclude each other: a group's events are of all its tasks
2|stat -a --for-each-cgroup a -e cycles -G b -- loop|perf0 stat: --cgroup and --for-each-cgroup exclude each other: a group for each event, or each event for each group
2|stat -a -G a -- loop|perf0: stat: -G a: no event is before it
2|stat -a -e cycles -G a,b -- loop|perf0: stat: -G a,b: more groups than the 1 event before it
2|stat -a -e cycles,branches -G a,b -G c -- loop|perf0: stat: -G c: more groups than the 2 events before it
2|stat -a -e cycles --cgroup= -- loop|perf0 stat: --cgroup: '' is not a list of groups
2|stat -a -e cycles -G a/../b -- loop|perf0: stat: 'a/../b' can be no group's name
2|stat -a --for-each-cgroup cgroup.procs -- loop|perf0: stat: 'cgroup.procs' can be no group's name
2|stat -a --for-each-cgroup , -- loop|perf0: stat: --for-each-cgroup ,: no group is named
2|stat -a --for-each-cgroup a.* -- loop|perf0: stat: --for-each-cgroup a.*: a pattern has nothing to match, for groups are made by their names
2|stat -a -e {cycles,r01,r02,r03,r04,r05,r06,r07} --for-each-cgroup a,b,c,d,e,f,g,h,i -- loop|perf0: stat: 8 events of each of 9 groups are more than 64
2|record --all-cgroups -- loop|perf0 record: perf's option --all-cgroups is not here: samples do not tell the cgroup of their task; -G chooses those of one
2|stat -j -x, -- loop|perf0 stat: --json-output and --field-separator exclude each other: one form at a time
2|stat -A -- loop|perf0 stat: --no-aggr needs --all-cpus or -C: it is for events of CPUs
2|stat --per-core -- loop|perf0 stat: --per-core needs --all-cpus or -C: it is for events of CPUs
2|stat --per-socket -- loop|perf0 stat: --per-socket needs --all-cpus or -C: it is for events of CPUs
2|stat -a -A --per-core -- loop|perf0 stat: --no-aggr and --per-core exclude each other: each says what a line is of
2|stat -a --per-core --per-socket -- loop|perf0 stat: --per-core and --per-socket exclude each other: each says what a line is of
2|stat --passes -a -- loop|perf0 stat: --passes and --all-cpus exclude each other: passes are for the workload's own events
2|stat --passes --policy fair -- loop|perf0 stat: --passes and --policy exclude each other: events that count in passes take no turns
2|stat --passes --mux-interval-us 500 -- loop|perf0 stat: --passes and --mux-interval-us exclude each other: events that count in passes take no turns
2|stat --no-mux -C 0 -- loop|perf0 stat: --no-mux and -C exclude each other: it is for the workload's own events, not for those of a CPU
2|record --call-graph lbrs -- loop|perf0 record: --call-graph: 'lbrs' is none of fp, dwarf, dwarf,BYTES, lbr and none
2|record --call-graph dwarf,0 -- loop|perf0 record: --call-graph: '0' is not a number of bytes from 1 to 65528
2|record --call-graph dwarf,65529 -- loop|perf0 record: --call-graph: '65529' is not a number of bytes from 1 to 65528
2|record -IAX,XX -- loop|perf0 record: --intr-regs: column 4 of 'AX,XX': AX, BX, CX, DX, SI, DI, BP, SP, IP, FLAGS, CS, SS and R8 to R15 are registers
2|record --user-regs=ax, -- loop|perf0 record: --user-regs: column 3 of 'ax,': AX, BX, CX, DX, SI, DI, BP, SP, IP, FLAGS, CS, SS and R8 to R15 are registers
2|stat -C 1 -- loop|perf0: stat: '1': there is no CPU 1
2|stat --smp 4 -C 2-4 -- loop|perf0: stat: '2-4': there is no CPU 4
2|stat -C 2-1 -- loop|perf0 stat: '2-1' is no list of CPUs, as 0-2,4
2|run -- cpus=2 stat -C 2 loop|perf0: stat: '2': there is no CPU 2
2|run -- cpus=0 caps|perf0: boot option cpus=0: it wants a number of CPUs, 1 to 1024
2|run -- nmi_watchdog=yes caps|perf0: boot option nmi_watchdog=yes: it wants 0 or 1
2|run -- nosuch=1 caps|perf0: boot option nosuch=1: it is no boot option; there are mode=, results=, usb=, text=, baud=, flow=, lines=, cpus=, await=, nmi_watchdog=, watchdog_thresh=, dma= and home_after=
2|stat -e sched:nosuch -- loop|perf0: stat: -e sched:nosuch: column 1: there is no event or tracepoint 'sched:nosuch'
2|stat -e sched:sched_swich -- loop|perf0: stat: -e sched:sched_swich: column 1: there is no event or tracepoint 'sched:sched_swich'; did you mean 'sched:sched_switch'?
2|stat -e nosuch:* -- loop|perf0: stat: -e nosuch:*: column 1: no tracepoint matches 'nosuch:*'
2|stat -e CYLCES -- loop|perf0: stat: -e CYLCES: column 1: there is no event 'CYLCES'; did you mean 'cycles'?
2|stat --filter id==1 -- loop|perf0: stat: --filter id==1: no event is before it
2|stat -e cycles --filter id==1 -- loop|perf0: stat: --filter id==1: cycles is no tracepoint
2|stat -e sched:sched_switch --filter next_pif==1 -- loop|perf0: stat: --filter next_pif==1: column 1: sched:sched_switch has no field 'next_pif'
2|stat -e sched:sched_switch --filter next_pid= -- loop|perf0: stat: --filter next_pid=: column 9: one of == != < <= > >= & is missing behind 'next_pid'
2|stat -e sched:sched_switch --filter next_pid==1 --filter prev_pid==2 -- loop|perf0: stat: --filter prev_pid==2: sched:sched_switch has a filter already; && joins both
2|run -- trace -e cycles loop|perf0: trace: cycles is no tracepoint; \`list\` shows those that there are
2|trace loop|perf0: trace is a command of the image: perf0 run -- trace
2|stat -- $dir/object.o|perf0: stat: $dir/object.o: it is an object file, not linked yet, and no program
2|stat -- $dir/shared.so|perf0: stat: $dir/shared.so: it is a shared object without an entry point, and no program
2|stat --static-only -- $dir/dynamic|perf0: stat: $dir/dynamic: it is linked dynamically (its interpreter is /lib64/ld-linux-x86-64.so.2), which --static-only refuses
2|stat -- $dir/lacking|perf0: stat: $dir/lacking: libperf0lacks.so: cannot open shared object file: No such file or directory; looked for in /etc/ld.so.cache, RUNPATH=/nowhere, $folders
2|stat -- $dir/strange|perf0: stat: $dir/strange: its interpreter /no/such/ld.so is missing
2|stat -- $dir/script|perf0: stat: $dir/script: its interpreter /no/such/sh: No such file or directory
2|stat -- $dir/byenv|perf0: stat: $dir/byenv: its interpreter env would find no nosuchname in PATH=/usr/bin:/bin, which --env can set
2|stat -- $dir/plain|perf0: stat: $dir/plain: Permission denied: it may not be executed (chmod +x)
2|stat -- $dir/narrow|perf0: stat: $dir/narrow: it is a 32-bit ELF file (x32), and not for 64-bit x86
2|stat -- $dir/i386|perf0: stat: $dir/i386: it is for 32-bit x86, and not for 64-bit x86
2|stat -- $dir/v4|perf0: stat: $dir/v4: it is for CPUs of the level x86-64-v4 (AVX512F, AVX512BW, AVX512CD, AVX512DQ, AVX512VL), and --cpu EPYC is x86-64-v3; no CPU that QEMU emulates has them: --accel kvm on a CPU that does, or compile for x86-64-v3
2|stat -- $dir/uses_wide|perf0: stat: $dir/uses_wide: its library $PWD/$dir/libwide.so: it is for CPUs of the level x86-64-v4 (AVX512F, AVX512BW, AVX512CD, AVX512DQ, AVX512VL), and --cpu EPYC is x86-64-v3; no CPU that QEMU emulates has them: --accel kvm on a CPU that does, or compile for x86-64-v3
2|stat --no-vpmu --cpu Nehalem -- $dir/v3|perf0: stat: $dir/v3: it is for CPUs of the level x86-64-v3 (AVX, AVX2, BMI1, BMI2, F16C, FMA, LZCNT, MOVBE), and --cpu Nehalem is x86-64-v2; --cpu EPYC, the default, has them
2|stat --cpu qemu64 -- $dir/v2|perf0: stat: $dir/v2: it is for CPUs of the level x86-64-v2 (CMPXCHG16B, LAHF, POPCNT, SSE3, SSSE3, SSE4.1, SSE4.2), and --cpu qemu64 is x86-64; --cpu Nehalem, or the default EPYC, has them
2|stat -- $dir/foreign|perf0: stat: $dir/foreign: it is for 64-bit Arm, and not for 64-bit x86
2|stat -- $dir/core|perf0: stat: $dir/core: it is a core dump, and no program
2|stat -- $dir/cut40|perf0: stat: $dir/cut40: it is cut short: its header is not in the file
2|stat -- $dir/cut70|perf0: stat: $dir/cut70: it is cut short: its program headers are not in the file
2|stat -- $dir/cut4200|perf0: stat: $dir/cut4200: it is cut short: a segment is not in the file
2|stat -- $dir/fifo|perf0: stat: $dir/fifo: it is no plain file
2|stat --file $dir/nosuch -- loop|perf0: --file $dir/nosuch: $dir/nosuch: No such file or directory

2|stat --root $dir/nosuch -- loop|perf0: $dir/nosuch: No such file or directory
2|stat --stdin $dir/nosuch -- loop|perf0: --stdin $dir/nosuch: No such file or directory
2|stat --env A -- loop|perf0 stat: --env: 'A' is not NAME=VALUE
2|stat --env =A -- loop|perf0 stat: --env: '=A' is not NAME=VALUE
2|stat --bring :x -- loop|perf0 stat: --bring: ':x' is not a file
2|stat --seed x -- loop|perf0 stat: --seed: 'x' is not a number from 0 to 18446744073709551615
2|stat --prefault --no-prefault -- loop|perf0 stat: --prefault and --no-prefault exclude each other: one way or the other
2|list nosuch|perf0: list: no event has 'nosuch' in its name; there are cpu-*, cycles, instructions, cache-*, branch-*, branches, bus-*, stalled-*, idle-*, ref-*, task-*, page-*, faults, context-*, cs, migrations, minor-*, major-*, alignment-*, emulation-*, dummy, bpf-*, cgroup-*, L1-*, LLC-*, dTLB-*, iTLB-*, node-*, duration_*, user_*, system_*, mem-*, ibs_*, step_*, msr/*, power/*, amd_*, uncore_*, exceptions:*, nmi:*, irq:*, perf0:*, raw_*, timer:*, sched:*, workload:*
2|list cylces|perf0: list: no event has 'cylces' in its name; did you mean 'cycles'?
2|list uops_retired|perf0: list: no event that \`list\` shows has 'uops_retired' in its name; \`perf0 list --no-boot --uarch skylakex\` lists the others
2|run -- list sched:sched_swich|perf0: list: no event has 'sched:sched_swich' in its name; did you mean 'sched:sched_switch'?
2|run -- sysctl vm.page_poision=1|perf0: sysctl: there is no 'vm.page_poision'; did you mean 'vm.page_poison'?
2|run -- sysctl vm.page_poison=2|perf0: sysctl: vm.page_poison is a number from 0 to 1, not '2'
2|run -- sysctl nosuch|perf0: sysctl: there is no 'nosuch'; there are: kernel.perf_event_max_sample_rate, kernel.sched_rr_timeslice_ms, perf0.clock_ahead_ns, perf0.layout_shift, perf0.seed_added, vm.allow_wx, vm.page_poison
2|doctor --compare one.json|perf0: doctor --compare: two files are needed
2|doctor --jsn|perf0 doctor: unknown option '--jsn'; did you mean '--json'?
2|run -- selftest test_execution_goes_o|perf0: selftest: there is no 'test_execution_goes_o'; did you mean 'test_execution_goes_on'?
2|run -- costs nosuch|perf0: costs: there is no 'nosuch'; there are: image.irq.timer, image.pmi.ip_tid_time_period, image.pmi.cpu_callchain8, image.read.rdpmc, image.read.syscall, image.syscall.getpid, image.syscall.write_1B, image.fault.minor, image.futex.wake_wait, image.clone_exit, image.fork_exec_wait, image.switch.2tasks_1event, image.switch.2tasks_2events, ...
2|run -- tfa maybe|perf0: tfa: there is no 'maybe'; there are: on, off
2|run -- watchdog onn|perf0: watchdog: there is no 'onn'; did you mean 'on'?
2|run -- watchdog on off|perf0: watchdog: takes one argument: 'off' is another
2|run -- text|perf0: text: wants one of: framed, plain
2|run -- free x|perf0: free: takes no argument 'x'
2|run -- cpus x|perf0: cpus: takes no argument 'x'
2|run -- checksum x|perf0: checksum: takes no argument 'x'
2|run -- version x|perf0: version: takes no argument 'x'
2|run -- plan hsw|perf0: plan: takes no argument 'hsw'
2|run -- plan --uarch hsw -e nosuch|perf0: plan: -e nosuch: column 1: there is no event 'nosuch'
2|run -- plan --uarch z80 -e cycles|perf0: plan: --uarch: there is no microarchitecture 'z80'
2|run -- plan -e cycles|perf0: plan: --uarch is needed
2|run -- plan --uarch hsw --policy best -e cycles|perf0: plan: --policy: 'best' is not perf or fair
2|run -- plan --uarch hsw --kernel x -e cycles|perf0: plan: --kernel: 'x' is not a version such as 4.1-rc7
2|run -- plan --uarch hsw --watchdog-counter PMC9 -e cycles|perf0: plan: --watchdog-counter: 'PMC9' is no counter of haswell for cycles
2|run -- help statt|perf0: help: unknown command 'statt'; did you mean 'stat'?
2|run -- help nosuch|perf0: help: unknown command 'nosuch'; \`help\` lists them
2|run -- bug x|perf0: bug: 'x' is not a number from 0 to 1023
2|run -- lockup 0|perf0: lockup: '0' is not a number from 1 to 600000
2|run -- caps ; stat -z loop|perf0: command 2: stat: unknown option '-z'
127|run -- caps ; ; statt loop ; version|perf0: command 2: unknown command 'statt'; did you mean 'stat'?
2|run -- stat loop ; record -c 0 loop|perf0: command 2: record: --count: '0' is not a number from 1 to 1152921504606846976
2|run -- stat loop ; stat -e cycles,nosuch loop|perf0: command 2: stat: -e cycles,nosuch: column 8: there is no event 'nosuch'
127|run -- caps ; cpus=2 cpus|perf0: command 2: unknown command 'cpus=2'; \`help\` lists them
2|run -- ;|perf0: run: no command; \`perf0 run -- help\` lists them
2|top -c 0 -- loop|perf0 top: --count: '0' is not a number from 1 to 1152921504606846976
2|top -- lopo|perf0: record: unknown workload 'lopo'; did you mean 'loop'?
2|plan --uarhc hsw|perf0 plan: unknown option '--uarhc'; did you mean '--uarch'?
2|decode --command x $dir/text|perf0 decode: --command: 'x' is not a number from 0 to 4294967294
2|statt|perf0: unknown command 'statt'; did you mean 'stat'?
2|bench x.s|perf0 bench: x.s: it is a source for the assembler: \`as -o code.o x.s && objcopy -O binary -j .text code.o code && perf0 bench --code code\`
2|bench -e cycles x.o|perf0 bench: x.o: it is an object file, not linked yet: \`objcopy -O binary -j .text x.o code && perf0 bench --code code\`
2|bench x.cc|perf0 bench: x.cc: it is a source in C++: \`--cxx x.cc\`
2|bench $dir/static --html x.html|perf0 bench: '--html' stands behind '$dir/static': options come first, and all words behind -- are none
2|latency imul r64, r64|perf0 latency: 'r64,' is no instruction: one with its operands is a word in quotes, as 'imul r64, r64'
2|latency --set memory load/4 --html mem.html|perf0 latency: '--html' stands behind 'load/4': options come first, and all words behind -- are none
2|report|perf0: report is a command of perf: \`perf report\` reads the perf.data of \`perf0 record\`; \`perf0 profile\` and \`perf0 explain\` need no perf
2|annotate|perf0: annotate is a command of perf: \`perf annotate\` reads the perf.data of \`perf0 record\`; \`perf0 profile\` and \`perf0 explain\` need no perf
2|stat Makefile|perf0: stat: unknown workload 'Makefile'; the file here is './Makefile'
EOF
is "no machine was started" "$(cat "$dir/started" 2>/dev/null)" ""
is "what was there is left" "$(cat "$dir/report")" old

# Help is complete, and needs no machine either.
$perf0 help stat >"$dir/help" 2>&1
for option in --repeat --filter --per-socket --field-separator --uarch --output; do
	is "help stat: $option" "$(grep -cE "^ +(-., )?$option( |\$)" "$dir/help")" 1
done
$perf0 help workloads >"$dir/help" 2>&1
is "help workloads: all of them" "$(grep -c '^  [a-z]' "$dir/help")" \
	"$(cat apps/workloads/*.c tests/programs/*.c | grep -c '^WORKLOAD_ENTRY(')"
$perf0 help trace >"$dir/help" 2>&1
has "help of a command that the image has" "$dir/help" '  -m, --mmap-pages N .*'
for topic in events machine plan list top; do
	$perf0 help $topic >"$dir/help" 2>&1
	is "help $topic" "$? $(test "$(wc -l <"$dir/help")" -gt 9 && echo long)" "0 long"
done
$perf0 help nosuch >"$dir/help" 2>&1
is "help nosuch" "$? $(cat "$dir/help")" "2 perf0: unknown command 'nosuch'; \`perf0 help commands\` lists them"
is "no machine was started for help" "$(cat "$dir/started" 2>/dev/null)" ""

$perf0 help --completion tcsh >"$dir/help" 2>&1
is "completion for another shell" "$? $(cat "$dir/help")" "2 perf0 help: --completion: bash, zsh or fish, not 'tcsh'"

# Completion in bash.
$perf0 help --completion >"$dir/completion"
completed() {
	# shellcheck disable=SC2016 # for the inner shell
	bash -c '. "$1" ; shift; COMP_WORDS=("$1") COMP_LINE=$* COMP_POINT=${#COMP_LINE}; _perf0
		echo "${COMPREPLY[@]}"' - "$dir/completion" "$@"
}
is "completes commands" "$(completed perf0 re)" "record report results"
is "completes options" "$(completed perf0 stat --per-)" "--per-thread --per-core --per-socket"
for command in stat boot linux qemu-args; do
	is "completes options of $command" "$(completed perf0 $command --uar)" "--uarch"
done
is "completes an option of one command" "$(completed perf0 qemu-args --pa)" "--page"
is "completes workloads" "$(completed perf0 stat hotc)" hotcold
is "completes workloads behind an option that counts how often it is given" "$(completed perf0 stat -d hotc)" hotcold

# The help of perf0 alone, and the manual page.
$perf0 >"$dir/out" 2>"$dir/alone"
is "perf0 alone" "$? $(cat "$dir/out")" "2 "
$perf0 --help >"$dir/help"
is "perf0 --help: the same" "$? $(cmp "$dir/alone" "$dir/help" 2>&1)" "0 "
is "its first example" "$(grep -m 1 '^  perf0' "$dir/help")" "  perf0 stat ./prog 1000"
is "three examples, ten options, on one screen" \
	"$(grep -c '^  perf0 [a-z]* [^ ]*\(prog\|--update\)' "$dir/help") $(grep -cE '^ +(-., )?--?[a-z]' "$dir/help") $(($(wc -l <"$dir/help") <= 60))" "3 10 1"
$perf0 help commands >"$dir/help"
for command in run attach results as-callgrind version help; do
	is "help commands: $command" "$(grep -c "^  $command  *[a-z]" "$dir/help")" 1
done
$perf0 help --man >"$dir/man"
is "the manual page has examples of each command" \
	"$(sed -n '/^.SH EXAMPLES/,/^.SH EXIT/p' "$dir/man" | grep -c '^.B perf0 ')" \
	"$(sed -n '/^usage/,/^Exit/p' "$dir/help" | grep -cvE '^(usage|Exit|$|  (version|help) )')"
mkdir "$dir/bin"
cp "$dir/static" "$dir/bin/lopp"
PATH=$PWD/$dir/bin:$PATH $perf0 stat --qemu /nowhere -- lopp >"$dir/said" 2>&1
has "a typo that is a program's name is told" "$dir/said" "perf0: 'lopp' is a program in PATH; the workload is 'loop'"

# Checks that a started QEMU would have left its trace.
$perf0 stat --qemu "$dir/qemu" -- loop >"$dir/said" 2>&1
is "a right one starts the machine" "$(cat "$dir/started")" started
is "a limit on files that is too small: one line, which names it" \
	"$(ulimit -f 10; $perf0 stat -e instructions:u -- loop 10 2>&1; echo $?)" \
	"perf0: a file may have $(ulimit -f 10; awk '/^Max file size/ { print $4 / 1024 }' /proc/self/limits) KiB by \`ulimit -f\` (RLIMIT_FSIZE), and memory that the machine shares is a file of 8192 KiB
1"
finish
