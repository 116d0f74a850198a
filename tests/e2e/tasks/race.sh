# SPDX-License-Identifier: BSD-2-Clause
# Operations on the events of tasks that move from CPU to CPU meanwhile, from whichever CPU the
# operating task is on: no count of a breakpoint is off by one, what is disabled stands still, and
# nothing is left when all is closed.
. "$(dirname "$0")/../_lib.sh"

rounds=$(either 3 5)

# race NAME CPUS SEED ARGS...
race() {
	what=$1 cpus=$2 seed=$3
	shift 3
	boot "$dir/$what" "$@" -- stat --allow-system -e task-clock race "$rounds" 4 "$seed"
	is "$what: exit status" $status 0
	has "$what: every count is right" "$dir/$what" "race: seed $seed, CPUs $cpus, tasks 4 and [0-9]+ that ended .*; errors 0"
	is "$what: each kind of operation was tried" \
		"$(sed -n 's/^race: .*operations: \(.*\); errors 0$/\1/p' "$dir/$what" | tr ',' '\n' |
			awk '$2 > 0' | grep -c .)" 12
	moved=$(sed -n 's/^race: .* migrations \([0-9]*\);.*/\1/p' "$dir/$what")
	is "$what: tasks moved where there is somewhere to go" "$((${moved:-0} > 50))" "$((cpus > 1))"
}

for what in $(one_of skx zen4-smp2 skx-smp4); do
	case $what in
	skx) race skx 1 1 --uarch skx ;;
	zen4-smp2) race zen4-smp2 2 2 --uarch zen4 --smp 2 ;;
	skx-smp4) race skx-smp4 4 3 --uarch skx --smp 4 ;;
	esac
done

boot "$dir/refused" --no-vpmu -- stat -e task-clock race 1
has "without --allow-system it is refused, and says so" "$dir/refused" 'race: seed 1: opening an event of a task: error 13: .*'
finish
