# SPDX-License-Identifier: BSD-2-Clause
# Stock perf shows every field of a sample, with the right value.
. "$(dirname "$0")/../_lib.sh"

user_address() {
	nm build/perf0.elf | awk -v symbol="$1" '$3 == symbol { print $1 }' |
		while read -r at; do printf '0x%x\n' $((0x$at + 0x400000000000)); done
}
touched=$(user_address workload_touched)

# take N: decodes the recording of command N into $data.
take() {
	data=$dir/$u.$1
	$perf0 decode "$dir/$u.d/stream.perf0" --command "$1" -o "$data" >"$data.log" 2>&1
}

# script FIELDS: prints these fields of all samples, one blank between words.
script() {
	perf script -i "$data" -F "$1" 2>"$data.err" | tr -s ' \t' ' ' | sed 's/^ //; s/ $//'
}

# values: prints the values of PERF_SAMPLE_READ, in decimal.
values() {
	perf script -D -i "$data" 2>/dev/null | sed -n 's/^\.\.\.\.\. id .*, value \(.*\)/0x\1/p' |
		while read -r v; do echo $((v)); done
}
differences() { awk '{ print $1 - last; last = $1 }' | sort -n | uniq -c | one_line | sed 's/^ //'; }

chain="deep8 deep7 deep6 deep5 deep4 deep3 deep2 workload_deep"
one_line() { tr -s ' \n' ' ' | sed 's/ $//'; }

for u in $(personalities hsw skx icl zen4); do
	boot "$dir/$u.log" --uarch $u -o "$dir/$u.d" -- \
		record -g -e instructions:u -c 10007 deep 100000 \; \
		record -d --phys-data --data-page-size --code-page-size -e mem:$touched/8:w -c 100 touch 1000 \; \
		record -I --user-regs=ip,DI -s --switch-events -e instructions:u -c 10008 deep 100000 \; \
		record -e '{instructions:u,branches:u}:S' -c 10007 deep 100000 \; \
		record --call-graph dwarf,512 --max-stack 3 -e instructions:u -c 10007 deep 100000 \; \
		record -g -e instructions:k -c 61 sleep 0.01 \; \
		record -g --max-stack 3 -e mem:$touched/8:rw,instructions:u -c 501 touch 1000
	is "$u: exit status" $status 0

	# deep8 executes 2 * 100000 and some instructions: it has 19 samples, and its callers are known.
	take 0
	is "$u: the chain of callers of every sample" \
		"$(perf script -i "$data" -F ip,sym 2>/dev/null | awk 'NF { print $2 }' | one_line)" \
		"$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do echo "$chain"; done | one_line)"
	is "$u: perf report -g" "$(perf report --stdio --no-children -g caller -i "$data" 2>/dev/null |
		sed -n '/---/,/^$/p' | tr -d '|-' | awk 'NF { print $1 }' | one_line)" \
		"workload_deep deep2 deep3 deep4 deep5 deep6 deep7 deep8"

	# The breakpoint gives the address. The physical address and the page sizes come from the page tables.
	take 1
	is "$u: ADDR of all samples" "$(script addr | sort | uniq -c | one_line)" " 10 ${touched#0x}"
	is "$u: PHYS_ADDR is in the same place of its page" "$(script phys_addr |
		sed 's/.*\(...\)$/\1/' | sort -u)" "$(printf %s "$touched" | sed 's/.*\(...\)$/\1/')"
	is "$u: page sizes" "$(script data_page_size,code_page_size | sort -u)" "4K 4K"
	is "$u: mappings of data" "$(perf script -D -i "$data" 2>/dev/null |
		sed -n 's/.*PERF_RECORD_MMAP2 .*: rw-p \(.*\)/\1/p' | sed 's/.*\///' | sort | one_line)" \
		"[heap] [stack] perf0.elf"

	# deep8 decrements AX once every two instructions.
	take 2
	is "$u: REGS_INTR: AX goes down by half a period" "$(script iregs |
		sed -n 's/.* AX:\(0x[0-9a-f]*\) .*/\1/p' | while read -r ax; do
		[ -z "${last:-}" ] || echo $((last - ax))
		last=$ax
	done | sort | uniq -c | one_line)" " 18 5004"
	is "$u: REGS_USER: those that were asked for" "$(script uregs |
		sed 's/IP:0x4000000[0-9a-f]*/IP:here/' | sort -u)" "ABI:2 DI:0x186a0 IP:here"
	is "$u: counts at the end" "$(perf report -T --stdio -i "$data" 2>/dev/null |
		awk '$1 == 2 && $2 == 2 { print $3 }')" 200047
	is "$u: the switch at the end" "$(perf script --show-switch-events -i "$data" 2>/dev/null |
		grep -c 'PERF_RECORD_SWITCH OUT')" 1

	# Each sample of the leader has the group's counts: k periods of instructions, half as many branches.
	take 3
	is "$u: READ: instructions at each sample" "$(values | awk 'NR % 2' | differences)" "19 10007"
	is "$u: READ: branches at each sample" "$(values | awk 'NR % 2 == 0' | differences)" \
		"1 4996 9 5003 9 5004"

	take 4
	is "$u: STACK_USER: all that was asked for, and is there" "$(perf script -D -i "$data" 2>/dev/null |
		sed -n 's/.*ustack: size \([0-9]*\), offset .*/\1/p' | sort | uniq -c | one_line)" " 19 144"

	# The callers in ring 0 come first, then those in ring 3.
	take 5
	is "$u: the chain goes from ring 0 to ring 3" "$(script ip,sym |
		awk 'NF { printf "%s ", $2 } !NF { print "" }' |
		grep -c '[a-z] sys_nanosleep dispatch_syscall user_syscall_framed workload_sleep $' |
		awk '{ print ($1 > 0) }')" 1

	# Walking the stack does not hit a breakpoint: all 2000 hits are accesses of ring 3.
	take 6
	is "$u: chains beside breakpoints" "$(perf script -i "$data" -F event 2>/dev/null | sed 's/ //g' |
		grep -c mem:)" 3
done
# Any value may be in ring 3's frame pointer: nothing faults, and chains end. A breakpoint on the stack counts the call
# and the return of ring 3 that write and read there, but no walk between them.
# A field that an event cannot give contains zeros, with a warning, or "not available", as on Linux.
u=zeros
boot "$dir/$u.log" -o "$dir/$u.d" -- \
	record -d -W --phys-data -e instructions:u -c 10007 deep 100000 \; \
	record --phys-data -R -e task-clock -c 1000000 deep 1000000
is "zeros: exit status" $status 0
said='record: (.*) cannot give this: (.*); the zeros in its place are not measured'
is "zeros: a line for each event" "$(sed -nE "s/.*$said.*/\1: \2/p" "$dir/$u.log" | tr '\n' '|')" \
	"instructions:u: data address, physical address, weight|task-clock: physical address, raw data|"
take 0
is "zeros: addresses and weights of all samples" "$(script addr,phys_addr,weight | sort | uniq -c |
	one_line)" " 19 0 0 0"
is "zeros: the source is not available" "$(perf script -D -i "$data" 2>/dev/null |
	sed -n 's/^ *\. data_src: //p' | sort | uniq -c | one_line)" " 19 0x5080021"

u=bad
boot "$dir/$u.log" -k -o "$dir/$u.d" -- record -g -e instructions:u -c 10007 frames 0 \; \
	record -g -e instructions:u -c 10007 frames 1 \; record -g -e instructions:u -c 10007 frames 2 \; \
	record -g -e instructions:u -c 10007 frames 3 \; record -g -e instructions:u -c 10007 frames 4 \; \
	record -g -e instructions:u -c 10007 frames 5 \; record -g -e instructions:u -c 10007 frames 6 \; \
	stat -e mem:$((0x401fffffff88))/8:rw deep 100000 \; \
	record -g -e mem:$((0x401fffffff88))/8:rw,instructions/period=1009/u -c 1 deep 100000 \; \
	record --intr-regs=AX,XX loop \; record --user-regs=, loop \; \
	help record \; record --call-graph lbrs loop \; record --call-graph dwarf,0 loop \; record --max-stack 128 loop
how=0
for depth in 1 1 1 2 1 5 127; do
	take $how
	is "frame pointer $how: depth of the chain" "$(script ip | awk 'NF { n++ } !NF && n { print n; n = 0 }
		END { if (n) print n }' | sort -u | one_line)" $depth
	how=$((how + 1))
done
has "help record tells its last option, too" "$dir/$u.log" '  -i, --no-inherit .*'
take 8
is "a breakpoint on the stack: ring 3's accesses only" "$(script event | grep -c mem:) \
$(script event | grep -c instructions)" "2 198"
for refusal in "record: --intr-regs: column 4 of 'AX,XX': .*" "record: --user-regs: column 1 of ',': .*" \
	"record: --call-graph: 'lbrs' is none of .*" "record: --call-graph: '0' is not a number .*" \
	'record: --max-stack: .*'; do
	has "refused: $refusal" "$dir/$u.log" "$refusal"
done
finish
