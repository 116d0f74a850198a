# SPDX-License-Identifier: BSD-2-Clause
# What is wrong on a command line is told in one line, by a status, and before a machine is started:
# the QEMU here would leave a trace.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/qemu" <<EOF
#!/bin/sh
echo started >>"$dir/started"
exit 1
EOF
chmod +x "$dir/qemu"
echo text >"$dir/text"
printf '\177EL' >"$dir/short"
: >"$dir/empty"
echo old >"$dir/report"

# status|command line (words)|the whole line that is told
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
	$perf0 "$command" "$@" >"$dir/said" 2>&1 </dev/null
	is "$line" "$?|$(cat "$dir/said")" "$wanted|$told"
done <<EOF
2|stat -z -- loop|perf0 stat: unknown option '-z'
2|stat --nosuch -- loop|perf0 stat: unknown option '--nosuch'
2|stat --uarhc hsw -- loop|perf0 stat: unknown option '--uarhc'; did you mean '--uarch'?
2|stat --repaet=3 -- loop|perf0 stat: unknown option '--repaet=3'; did you mean '--repeat'?
2|record --live=1 -- loop|perf0 record: --live takes no value
2|stat --per -- loop|perf0 stat: '--per' may be more than one option
2|stat -r|perf0 stat: --repeat wants a value
2|record -e|perf0 record: --event wants a value
2|stat -r abc -- loop|perf0 stat: --repeat: 'abc' is not a number from 1 to 1000
2|stat -r 0 -- loop|perf0 stat: --repeat: '0' is not a number from 1 to 1000
2|stat -r 1001 -- loop|perf0 stat: --repeat: '1001' is not a number from 1 to 1000
2|stat --repeat=-1 -- loop|perf0 stat: --repeat: '-1' is not a number from 1 to 1000
2|stat -r3x -- loop|perf0 stat: --repeat: '3x' is not a number from 1 to 1000
2|stat --timeout 0 -- loop|perf0 stat: --timeout: '0' is not a number from 1 to 3600000
2|stat --mux-interval-us 99 -- loop|perf0 stat: --mux-interval-us: '99' is not a number from 100 to 1000000
2|stat --policy best -- loop|perf0 stat: --policy: 'best' is not perf or fair
2|stat -C 0- -- loop|perf0 stat: '0-' is no list of CPUs, as 0-2,4
2|stat -C a -- loop|perf0 stat: 'a' is no list of CPUs, as 0-2,4
2|stat --machine-timeout 0 -- loop|perf0 stat: --machine-timeout: '0' is not a number from 1 to 86400
2|stat --smp 65 -- loop|perf0 stat: --smp: '65' is not a number of CPUs, 1 to 64, of which threads=T (1 or 2) in a core
2|stat --uarch p4 -- loop|perf0 stat: --uarch: 'p4' is not hsw, skx, icl, adl or zen4
2|stat --ht maybe -- loop|perf0 stat: --ht: 'maybe' is not on or off
2|stat --accel xen -- loop|perf0 stat: --accel: 'xen' is not tcg or kvm
2|stat --baud 7 -- loop|perf0 stat: --baud: '7' is not a divisor of 115200
2|stat --flow up -- loop|perf0 stat: --flow: 'up' is not none, xonxoff or rtscts
2|stat --max-size 0 -- loop|perf0 stat: --max-size: '0' is not a size: bytes, or a number and K, M, G or T
2|stat --append -- loop|perf0 stat: --append needs -o FILE
2|stat -o - -- loop|perf0 stat: --output: '-' is not a file name
2|stat --no-vpmu --uarch hsw -- loop|perf0 stat: --uarch needs vpmu, which is taken away by --no-vpmu
2|record -c 0 -- loop|perf0 record: --count: '0' is not a number from 1 to 1152921504606846976
2|record -c 18446744073709551616 -- loop|perf0 record: --count: '18446744073709551616' is not a number from 1 to 1152921504606846976
2|record -F often -- loop|perf0 record: -F wants a number of samples a second, or max, not 'often'
2|record -m 0 -- loop|perf0 record: --mmap-pages: '0' is neither a number of pages, 1 to 16384, nor a size with B, K, M or G
2|record -m 1,4KB -- loop|perf0 record: --mmap-pages: '4KB' is neither a number of pages, 1 to 16384, nor a size with B, K, M or G
2|record --max-stack 128 -- loop|perf0 record: --max-stack: '128' is not a number from 1 to 127
2|record --limit x -o y -- loop|perf0 record: --limit: 'x' is not a number from 1 to 1152921504606846976
2|record --folded --text -- loop|perf0 record: --folded and --text: one form at a time
2|record -r 3 -- loop|perf0 record: unknown option '-r'
2|stat|perf0: stat: no workload given; \`perf0 help workloads\` lists them
2|record -e cycles|perf0: record: no workload given; \`perf0 help workloads\` lists them
2|stat -- lopo|perf0: stat: unknown workload 'lopo'; did you mean 'loop'?
2|stat nosuch|perf0: stat: unknown workload 'nosuch'; \`perf0 help workloads\` lists them
2|record hotcol|perf0: record: unknown workload 'hotcol'; did you mean 'hotcold'?
2|stat loop x|perf0: stat: loop: 'x' is no N: a number from 0 to 18446744073709551615 is wanted
2|stat loop 1 2|perf0: stat: loop takes no argument '2'; usage: loop [N]
2|stat sleep 3601|perf0: stat: sleep: '3601' is no SECONDS: a number from 0 to 3600 is wanted
2|stat dd count=1 count=2|perf0: stat: dd: count is given twice
2|stat -- $dir/nosuch|perf0: stat: $dir/nosuch: No such file or directory
2|stat -- $dir/text|perf0: stat: $dir/text: it is no ELF file
2|stat -- $dir/short|perf0: stat: $dir/short: it is no ELF file
2|stat -- $dir/empty|perf0: stat: $dir/empty: it is no ELF file
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
2|list one two|perf0: list: takes one PART: 'two' is another
2|top -c 0 -- loop|perf0 top: --count: '0' is not a number from 1 to 1152921504606846976
2|top -- lopo|perf0: record: unknown workload 'lopo'; did you mean 'loop'?
2|plan --uarhc hsw|perf0 plan: unknown option '--uarhc'; did you mean '--uarch'?
2|decode --command x $dir/text|perf0 decode: --command: 'x' is not a number from 0 to 4294967294
2|statt|perf0: unknown command 'statt'; did you mean 'stat'?
EOF
is "no machine was started" "$(cat "$dir/started" 2>/dev/null)" ""
is "what was there is left" "$(cat "$dir/report")" old

# Help is whole, and needs no machine either.
$perf0 help stat >"$dir/help" 2>&1
for option in --repeat --filter --per-socket --field-separator --uarch --output; do
	is "help stat: $option" "$(grep -cE "^ .*[ ,]$option( |\$)" "$dir/help")" 1
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
is "help nosuch" "$? $(cat "$dir/help")" "2 perf0: unknown command 'nosuch'; \`perf0 help\` lists them"
is "no machine was started for help" "$(cat "$dir/started" 2>/dev/null)" ""

# What bash completes.
$perf0 help --completion >"$dir/completion"
completed() {
	# shellcheck disable=SC2016 # for the inner shell
	bash -c '. "$1" ; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) ; _perf0
		echo "${COMPREPLY[@]}"' - "$dir/completion" "$@"
}
is "completes commands" "$(completed perf0 re)" record
is "completes options" "$(completed perf0 stat --per-)" "--per-thread --per-core --per-socket"
is "completes workloads" "$(completed perf0 stat hotc)" hotcold

# That the trace would have been left.
$perf0 stat --qemu "$dir/qemu" -- loop >"$dir/said" 2>&1
is "a right one starts the machine" "$(cat "$dir/started")" started
finish
