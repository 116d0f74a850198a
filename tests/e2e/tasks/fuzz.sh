# SPDX-License-Identifier: BSD-2-Clause
# Ring 3 attacks the runtime, many times, without a PMU and with one. Each attack gets an answer or a fault, the
# runtime's code and constants do not change, and later counts are exact.
. "$(dirname "$0")/../_lib.sh"

# The script of `make fuzz` prints seeds as whole numbers, although half of them are 2^31 or more.
for i in 1 2 3 4 5 6 7 8; do scripts/fuzz --dry-run 60; done >"$dir/dry" 2>&1
is "make fuzz: all fuzzers and tests" "$(sort -u "$dir/dry" | grep -c '^build/fuzz/fuzz_') $(grep -c '^build/[a-z].* [1-9][0-9]*$' "$dir/dry")" \
	"$(echo tests/fuzz/fuzz_*.c | wc -w) 24"

# fuzz NAME TRIES SEED ARGS...: makes TRIES attacks from SEED in a machine with the options ARGS.
fuzz() {
	what=$1 tries=$2 seed=$3
	shift 3
	boot "$dir/$what" "$@" -- checksum ';' stat -e task-clock fuzz "$tries" "$seed" ';' checksum ';' \
		stat -e instructions:u,task-clock loop 1000
	is "$what: exit status" $status 0
	has "$what: every try has an end" "$dir/$what" \
		"fuzz: $tries tries of seed $seed: [0-9]+ answered, [0-9]+ refused, [0-9]+ executed, [0-9]+ faults .*"
	is "$what: what never changes is the same" \
		"$(grep -c ' bytes  ' "$dir/$what") $(grep ' bytes  ' "$dir/$what" | sort -u | grep -c .)" "10 5"
}

for what in $(one_of none smp4) $(one_of skx zen4); do
	case $what in
	none) fuzz none 60000 4 --no-vpmu ;;
	smp4) fuzz smp4 20000 5 --no-vpmu --smp 4 ;;
	skx) fuzz skx 10000 4294967295 --uarch skx ;;
	zen4) fuzz zen4 5000 2 --uarch zen4 ;;
	esac
done
for what in skx zen4; do
	[ ! -e "$dir/$what" ] || has "$what: what is counted behind it is exact" "$dir/$what" ' +2,005 +instructions:u +.*'
done
finish
