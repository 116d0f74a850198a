# SPDX-License-Identifier: BSD-2-Clause
# Two sockets: memory of a task comes from the node of its CPU, or from the nodes of --membind; physical addresses in
# samples show the node. The image reports a node that is full.
. "$(dirname "$0")/../_lib.sh"

# A QEMU with two nodes, each with 128 MiB and a CPU.
cat >"$dir/qemu" <<'EOF'
#!/bin/sh
for a; do
	shift
	case ${was:-} in
	-smp) a=2,sockets=2,cores=1,threads=1 ;;
	-object) case $a in memory-backend-ram,id=ram,*) a=memory-backend-ram,id=ram,size=128M ;; esac ;;
	-machine) a=${a%,memory-backend=ram} ;;
	esac
	was=$a
	set -- "$@" "$a"
done
exec qemu-system-x86_64 "$@" -object memory-backend-ram,id=ram1,size=128M -numa node,nodeid=0,cpus=0,memdev=ram \
	-numa node,nodeid=1,cpus=1,memdev=ram1 -numa dist,src=0,dst=1,val=31
EOF
chmod +x "$dir/qemu"
gcc -O1 -static -o "$dir/nodes" tests/linux/node_memory.c || exit 1
faults="-d --phys-data -e page-faults:u -c 1"
# shellcheck disable=SC2086 # words
boot "$dir/log" --cold --qemu "$dir/qemu" --smp 2 --no-vpmu --memory 256M -o "$dir/out" -- machine \; caps --json \; \
	record $faults "$dir/nodes" 0 200 \; record $faults "$dir/nodes" 1 200 \; \
	record --membind 0 $faults "$dir/nodes" 1 200 \; record --membind 0-1 $faults "$dir/nodes" 1 200 \; \
	stat --membind 2 loop \; stat --membind 0,7 loop \; \
	stat -x , --membind 1 -e page-faults "$dir/nodes" 0 33000 \; stat -e page-faults "$dir/nodes" 1 33000 \; \
	stat -e page-faults "$dir/nodes" 1 1000
is "status: that of the first that failed" $status 2
has "machine: node 0" "$dir/log" ' +0 +12[78] +[0-9]+  0 +10  31'
has "machine: node 1" "$dir/log" ' +1 +12[78] +[0-9]+  1 +31  10'
has "caps --json: node 1" "$dir/log" ' +\{"node": 1, "memory_mib": 128, "free_mib": [0-9]+, "cpus": \[1\], "distances": \[31, 10\]\}'

# where COMMAND: prints the numbers of the nodes that hold more than 100 sampled pages of that command's recording.
where() {
	$perf0 decode --command "$1" -o "$dir/data" "$dir/out/stream.perf0" >"$dir/decoded" 2>&1
	perf script -i "$dir/data" -F comm,addr,phys_addr 2>/dev/null | python3 -c '
import sys, collections
nodes = collections.Counter(int(line.split()[-1], 16) >> 27 for line in sys.stdin if line.split()[-1] != "0")
print(" ".join(str(node) for node in sorted(nodes) if nodes[node] > 100))'
}
is "a task on CPU 0 has pages of node 0" "$(where 2)" 0
is "a task on CPU 1 has pages of node 1" "$(where 3)" 1
is "--membind 0: it has pages of node 0" "$(where 4)" 0
is "--membind 0-1: it has pages of the nearer one" "$(where 5)" 1
perf report -i "$dir/data" --header-only -I >"$dir/header" 2>&1
has "perf.data: memory of each node" "$dir/header" '# node1 meminfo *: total = 131072 kB, free = 0 kB'
is "perf.data: CPUs of each node" "$(sed -n 's/^# node\([0-9]\) cpu list *: /\1 /p' "$dir/header" | tr '\n' ' ')" "0 0 1 1 "
has "there is no such node" "$dir/log" "(>perf0: )?stat: --membind: '2': there is no node 2"
has "nor in a list" "$dir/log" "(>perf0: )?stat: --membind: '0,7': there is no node 7"
has "a program that needs more than there is gets the rest elsewhere" "$dir/log" '33,?0[0-9]+,,page-faults.*'
has "that is told" "$dir/log" 'stat: --membind 1: [0-9]+ pages found no room there, and are on other nodes'
has "also without the option" "$dir/log" \
	'stat: [0-9]+ pages found no room on the node of the CPU that wanted them, and are on other nodes'
is "and not where there was room" "$(grep -c 'found no room' "$dir/log")" 2
$perf0 stat --membind x loop >"$dir/bad" 2>&1
is "what is no list is refused before a machine starts" "$? $(cat "$dir/bad")" \
	"2 perf0 stat: --membind: 'x' is no list of nodes, as 0-2,4"
finish
