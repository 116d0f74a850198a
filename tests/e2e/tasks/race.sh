# SPDX-License-Identifier: BSD-2-Clause
# A task on any CPU operates on events of other tasks while these move between CPUs. Counts of breakpoints are exact,
# disabled events do not count, and all memory is free again when the events are closed.
. "$(dirname "$0")/../_lib.sh"

rounds=$(either 3 5)

# race NAME CPUS SEED ARGS...: runs the workload race from SEED in a machine with the options ARGS.
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
