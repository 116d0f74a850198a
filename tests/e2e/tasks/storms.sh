# SPDX-License-Identifier: BSD-2-Clause
# A time-out ends all storms of ring 3: timers, signals, wake-ups, faults, forks and samples. They end within 100 ms of
# the machine's time if that is exact. With several CPUs the time is the host's: there the test only requires an end.
. "$(dirname "$0")/../_lib.sh"

kinds="ignored handler blocked many queued intervals files futexes faults sleepers ping_pong forks samples"
MS=30
LATE_MS=100

if ! gcc -O2 -Wall -Wextra -Werror -pthread -static -I. -o "$dir/storms" tests/linux/storms.c 2>"$dir/gcc"; then
	not_ok "storms is built" "$(cat "$dir/gcc")"
fi

# add WORDS...: adds a command to the line.
line=
n=0
add() {
	line="$line ; stat -e task-clock --timeout $MS $dir/storms $*"
	n=$((n + 1))
}

# run_line NAME ARGS...: runs the line in a machine with the options ARGS, and checks that time-outs end all commands.
run_line() {
	what=$1
	shift
	boot "$dir/$what" "$@" -- ${line# ;}
	is "$what: each was ended by its time-out" "$(grep -c 'it did not end in time' "$dir/$what")" $n
}

# ended_soon NAME: checks that each command of the line ended within its time-out and LATE_MS.
ended_soon() {
	is "$1: each within $LATE_MS ms" "$(awk -v most=$((MS + LATE_MS)) '/seconds time elapsed/ {
		n++; if ($1 * 1000 > most) print "took " $1 " s" } END { print n }' "$dir/$1")" $n
}

# A fork bomb needs a second to reach the limit of processes.
set -f
MS=1000
add bomb
run_line bomb --no-vpmu
ended_soon bomb
MS=30 line='' n=0
for kind in $kinds; do add $kind; done
for seed in $(either "1 2" "$(seq 1 100)"); do add seed $seed; done
run_line none --no-vpmu
ended_soon none
if soaking; then
	run_line skx --uarch skx
	ended_soon skx
	run_line two --no-vpmu --smp 2
	run_line two_skx --smp 2
fi
line='' n=0
add forks sleepers
add many handler futexes
run_line four --no-vpmu --smp 4
finish
