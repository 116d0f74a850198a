# SPDX-License-Identifier: BSD-2-Clause
# PMUs without hardware counters on several CPUs: breakpoints and migrations of tasks that move, by task and by CPU; and
# events of a package, which count once.
. "$(dirname "$0")/../_lib.sh"

# The breakpoint is on the third system call of migrate_child(), which runs right before each move.
move=$(objdump -d build/perf0.elf --disassemble=migrate_child | awk '/syscall/ && ++n == 3 { sub(":", "", $1); print $1 }')
move=mem:$(printf '0x%x' $((0x$move + 0x400000000000))):x

boot "$dir/log" --uarch skx --smp 4 -- \
	stat -x , -e "$move,migrations" migrate 100 4 \; \
	stat -a -A -x , -e "$move,migrations,power/energy-pkg/" migrate 100 2 \; \
	stat -a -e "$move,$move,$move,$move,$move" migrate 1 \; \
	stat -C 3 -e power/energy-pkg/ loop 10
is "exit status" "$status" 0
is "a breakpoint is hit wherever its task is" "$(grep -c "^400,,$move," "$dir/log")" 1
moves=$(sed -nE 's/^([0-9]+),,migrations,.*/\1/p' "$dir/log")
is "each move is a migration, once" "$([ "${moves:-0}" -ge 400 ] && [ "$moves" -le 440 ] && echo yes || echo "$moves")" yes
is "each CPU has those on it" "$(grep -c "^CPU[0-3],50,,$move," "$dir/log")" 4
is "energy is one CPU's" "$(grep -c ',Joules,power/energy-pkg/,' "$dir/log")" 1
has "four on a CPU, and no fifth" "$dir/log" \
	"stat: $move: CPU 0 has 4 debug registers, which are taken: 4 by breakpoints of the CPU, 0 by those of task 2"
has "any CPU of a package can ask" "$dir/log" ' +[0-9.]+ Joules power/energy-pkg/ *'

finish
