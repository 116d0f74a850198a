# SPDX-License-Identifier: BSD-2-Clause
# A hybrid: events of both kinds of cores, under perf's names. CPU 0 is a large core, CPU 1 a small one. On CPU 1 the
# journey has one leg of N turns, each with two instructions, one of which is a branch; on CPU 0 it has three legs.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/own.c" <<'EOF'
/* Opens PERF_TYPE_HARDWARE events of both kinds by their types, as sysfs tells them, and counts itself on CPU 1. */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <errno.h>

static unsigned long long type_of(const char *pmu)
{
	char path[80];
	unsigned type = 0;
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", pmu);
	FILE *f = fopen(path, "r");
	if (!f || fscanf(f, "%u", &type) != 1)
		return 0;
	return type;
}

static int open_in(unsigned long long type, int cpu, int group)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = type << 32 | PERF_COUNT_HW_INSTRUCTIONS, .disabled = 1, .exclude_kernel = 1};
	return (int)syscall(SYS_perf_event_open, &attr, 0, cpu, group, 0);
}

static int open_of(unsigned long long type, int cpu)
{
	return open_in(type, cpu, -1);
}

int main(void)
{
	cpu_set_t set;
	const int core = open_of(type_of("cpu_core"), -1), atom = open_of(type_of("cpu_atom"), -1);
	long long a = -1, b = -1;

	printf("types %llu %d, wrong kind %d %d, no such type %d, group of both %d\n", type_of("cpu_core"),
	       type_of("cpu_atom") > 4, open_of(type_of("cpu_atom"), 0) < 0 ? errno : 0,
	       open_of(type_of("cpu_core"), 1) < 0 ? errno : 0, open_of(99, -1) < 0 ? errno : 0,
	       open_in(type_of("cpu_atom"), -1, core) < 0 ? errno : 0);
	CPU_ZERO(&set);
	CPU_SET(1, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	ioctl(core, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(atom, PERF_EVENT_IOC_ENABLE, 0);
	__asm__ volatile("mov $50000, %%ecx\n1: dec %%ecx\njnz 1b" ::: "ecx");
	ioctl(core, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(atom, PERF_EVENT_IOC_DISABLE, 0);
	if (read(core, &a, 8) != 8 || read(atom, &b, 8) != 8)
		return 2;
	printf("core %lld, atom has the loop %d\n", a, b > 100000 && b < 100200);
	return 0;
}
EOF
# Event files for both kinds: MADE.TWO counts branches on large cores and instructions on small ones.
cat >"$dir/large.json" <<'EOF'
{"Header": {"Info": "Performance Monitoring Events for Golden Cove"}, "Events": [
 {"EventCode": "0xc4", "UMask": "0x00", "EventName": "MADE.LARGE", "Counter": "0,1,2,3,4,5,6,7"},
 {"EventCode": "0x00", "UMask": "0x01", "EventName": "INST_RETIRED.ANY", "Counter": "Fixed counter 0"},
 {"EventCode": "0xc4", "UMask": "0x00", "EventName": "MADE.TWO", "Counter": "0,1,2,3,4,5,6,7"}]}
EOF
cat >"$dir/small.json" <<'EOF'
[{"EventCode": "0x00", "UMask": "0x01", "EventName": "INST_RETIRED.ANY", "Counter": "Fixed counter 0"},
 {"EventCode": "0xc0", "UMask": "0x00", "EventName": "MADE.TWO", "Counter": "0,1,2,3,4,5"},
 {"EventCode": "0xc4", "UMask": "0x00", "EventName": "MADE.SMALL", "Counter": "0,1,2,3,4,5"}]
EOF
gcc -O1 -static -o "$dir/own" "$dir/own.c" || exit 1
made='{INST_RETIRED.ANY:u,made.two:u},cpu_core/MADE.LARGE/u,MADE.SMALL:u'
boot "$dir/log" --uarch adl --smp 2 --event-file "$dir/large.json" --event-file "cpu_atom=$dir/small.json" -o "$dir/out" -- \
	stat -x , -e instructions:u,cpu_atom/branches/u,r00c0:u,cpu_atom/event=0xc4/u journey 1000 \; \
	stat -x , -e instructions:u,cpu_atom/branches/u,r00c0:u,cpu_atom/event=0xc4/u journey 3000 \; \
	stat -a -A -x , -e instructions:u journey 1000 \; stat -a -A -x , -e instructions:u journey 3000 \; \
	stat -x , -e '{instructions:u,branches:u}' journey 1000 \; \
	stat -C 0 -x , -e cpu_atom/cycles/,instructions:u loop 1000 \; stat journey 1000 \; "$dir/own" \; \
	stat -x , -e '{cpu_core/cycles/,cpu_atom/cycles/}' loop \; \
	stat -x , -e "$made" journey 1000 \; stat -x , -e "$made" journey 3000 \; \
	record -e instructions:u,MADE.TWO:u -c 10007 journey 300000 \; list instructions \; "stat" "$dir/own"
sed 's/^\(>perf0: \)//' "$dir/log" >"$dir/text"

# count NTH EVENT: prints the first number in the NTH line with that event.
count() { awk -F, -v n="$1" -v e="$2" 'index($0, "," e ",") && !--n { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+$/) { print $i; exit } }' "$dir/text"; }
# grows WHAT EVENT COUNT: checks that 2000 turns more add COUNT.
grows() { is "$1: 2000 turns more" "$(($(count 2 "$2") - $(count 1 "$2")))" "$3"; }
grows "plain, on large cores" cpu_core/instructions/u 12000
grows "plain, on small cores" cpu_atom/instructions/u 4000
grows "by name" cpu_atom/branches/u 2000
grows "raw, on large cores" cpu_core/r00c0/u 12000
grows "raw, on small cores" cpu_atom/r00c0/u 4000
grows "by fields" cpu_atom/event=0xc4/u 2000
grows "of a file, one kind has it, with its PMU" cpu_core/MADE.LARGE/u 6000
grows "of a file, one kind has it, without" cpu_atom/MADE.SMALL/u 2000
grows "of both files, each kind by its code: branches" cpu_core/made.two/u 6000
grows "and instructions" cpu_atom/made.two/u 4000
grows "by a fixed counter's code, on large cores" cpu_core/INST_RETIRED.ANY/u 12000
grows "and on small ones" cpu_atom/INST_RETIRED.ANY/u 4000
is "-a: the same, each on its CPU" "$(grep -E '^CPU[01],[0-9]+,,cpu_' "$dir/text" | cut -d, -f1,4 | paste -sd ' ')" \
	"CPU0,cpu_core/instructions/u CPU1,cpu_atom/instructions/u CPU0,cpu_core/instructions/u CPU1,cpu_atom/instructions/u"
is "a group becomes two" "$(grep -cE '^[0-9]+,,cpu_(core|atom)/branches/u,' "$dir/text")" 4
has "-C 0: the other kind" "$dir/text" '<not supported>,,cpu_atom/cycles/,.*'
has "is told why" "$dir/text" 'stat: cpu_atom/cycles/: none of these CPUs is of that kind'
for kind in core atom; do
	has "the table has both: $kind" "$dir/text" " +[0-9,]+ +cpu_$kind/instructions/ +# +[0-9.]+ +insn per cycle.*"
	has "list has both: $kind" "$dir/text" " +cpu_$kind/instructions/ +\[Kernel PMU event\]"
done
has "a group of both is two, too: the kind on which it never ran" "$dir/text" '<not counted>,,cpu_atom/cycles/,0,.*'
has "by perf_event_open(2): types, and what is refused" "$dir/text" 'types 4 1, wrong kind 2 2, no such type 2, group of both 22'
has "by perf_event_open(2): counts" "$dir/text" 'core [0-9]{1,3}, atom has the loop 1'
$perf0 decode -o "$dir/data" "$dir/out/stream.perf0" >"$dir/decoded" 2>&1
is "samples of each event are on its kind" "$(perf script -i "$dir/data" -F cpu,event 2>/dev/null | awk '{ print $1, $2 }' | LC_ALL=C sort -u | paste -sd ' ')" \
	"[000] cpu_core/MADE.TWO/u: [000] cpu_core/instructions/u: [001] cpu_atom/MADE.TWO/u: [001] cpu_atom/instructions/u:"

# perf0 reports each mistake in one line, and boots nothing.
files="--event-file $dir/large.json --event-file cpu_atom=$dir/small.json"
# refused LINE ARGS...: checks that `stat ARGS` prints LINE and nothing else.
refused() {
	line=$1
	shift
	$perf0 stat "$@" loop >"$dir/refused" 2>&1
	is "refused: $*" "$? $(cat "$dir/refused")" "2 $line"
}
cp "$dir/small.json" "$dir/gracemont.json"
echo '{"Events": [' >"$dir/cut.json"
refused "perf0 stat: --event-file $dir/small.json: it does not tell for which cores it is: cpu_core=$dir/small.json or cpu_atom=$dir/small.json" \
	--uarch adl --smp 2 --event-file "$dir/small.json" -e MADE.TWO
refused "perf0 stat: --event-file $dir/gracemont.json: $dir/small.json is for cpu_atom already" --uarch adl --smp 2 $files --event-file "$dir/gracemont.json" -e MADE.TWO
refused "perf0 stat: $dir/cut.json: byte 13: the JSON text ends too early" --uarch adl --smp 2 --event-file "cpu_core=$dir/cut.json" -e MADE.TWO
refused "perf0 stat: $dir/nosuch: No such file or directory" --uarch adl --smp 2 --event-file "cpu_core=$dir/nosuch" -e MADE.TWO
refused "perf0 stat: --event-file: there is no cpu_atom: all cores of skylakex are alike" --uarch skx --event-file "cpu_atom=$dir/small.json" -e MADE.TWO
refused "perf0 stat: --event-file needs vpmu: which cores another machine has is not known" --accel kvm --no-vpmu --event-file "$dir/large.json" -e MADE.TWO
refused "perf0: stat: -e cycles,MADE.TOO: column 8: there is no event 'MADE.TOO'; did you mean 'MADE.TWO'?" --uarch adl --smp 2 $files -e cycles,MADE.TOO
refused "perf0: stat: -e cpu_core/MADE.LARG/: column 10: there is no term 'MADE.LARG' of PMU cpu; did you mean 'MADE.LARGE'?" --uarch adl --smp 2 $files -e cpu_core/MADE.LARG/
refused "perf0: stat: -e cpu_atom/MADE.LARGE/: column 10: there is no term 'MADE.LARGE' of PMU cpu" --uarch adl --smp 2 $files -e cpu_atom/MADE.LARGE/
$perf0 plan --uarch adl $files -e MADE.LARGE,cpu_core/MADE.TWO/ >"$dir/plan" 2>&1
has "a plan has the large cores' names" "$dir/plan" ' +counted +cpu_core/MADE\.TWO/'
$perf0 plan --uarch gracemont $files -e MADE.SMALL,cpu_atom/MADE.TWO/ >"$dir/plan.small" 2>&1
has "and the small ones'" "$dir/plan.small" ' +counted +MADE\.SMALL'
$perf0 plan --uarch adl $files -e MADE.SMALL >"$dir/plan.none" 2>&1
has "but not those of the others" "$dir/plan.none" "perf0 plan: -e: column 1: there is no event 'MADE.SMALL'"
finish
