# SPDX-License-Identifier: BSD-2-Clause
# perf0 bench --trace: what was counted when all counters were stopped at each cycle. Under vpmu that is what the table of
# micro-operations and the width of each core in docs/MODEL.md imply, which bench_trace.py works out once more.
. "$(dirname "$0")/../_lib.sh"

chain='nop; xchg rax, rbx; imul rcx, rdx; add [r14], rsi'
cat >"$dir/script" <<END
bench --trace -j -n 3 -u 40 --asm nop
bench --trace -j -n 3 -u 10 --asm '$chain'
bench --trace -j -n 3 -u 40 --asm nop --kernel
bench --trace -j -n 3 -u 10 --asm '$chain' --kernel
END

# part LOG N: the rows of its Nth trace.
part() {
	python3 - "$1" "$2" <<'END'
import json, sys
part, last = 0, 1 << 62
for line in open(sys.argv[1]):
    line = line.lstrip(">")
    if not line.startswith("{"):
        continue
    cycle = json.loads(line)["cycle"]
    part += cycle < last
    last = cycle
    if part == int(sys.argv[2]):
        print(line, end="")
END
}

for how in "skx" "zen4" "hsw" "icl" "adl" "skx ipc1" "zen4 ipc1"; do
	set -- $how
	$perf0 shell --uarch "$1" ${2:+--timing $2} "$dir/script" >"$dir/log" 2>&1
	is "$how: exit status" $? 0
	for n in 1 2 3 4; do
		ring=$((n > 2 ? 0 : 3))
		classes="SIMPLE DOUBLE SIMPLE DOUBLE" copies=10
		[ $((n % 2)) = 0 ] || { classes=SIMPLE; copies=40; }
		is "$how: chain $n of 40 instructions, ring $ring" \
			"$(part "$dir/log" $n | python3 tests/e2e/stat/bench_trace.py "$1" $ring $copies "${2:-model}" $classes)" "as the model says"
	done
done
finish
