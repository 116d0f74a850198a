# SPDX-License-Identifier: BSD-2-Clause
# Linux's system calls in ring 3: programs check their effects and errors (tests/linux/calls/calls_*.c). All checks pass
# on this host, and in perf0 on one CPU and on four.
. "$(dirname "$0")/../_lib.sh"

topics="memory mapped threads shared sysv process signals ptrace time files poll peers socket misc errors tasks advice"
set --
for topic in $topics; do
	if ! gcc -O2 -Wall -Wextra -Werror -pthread -I. -o "$dir/sys_$topic" "tests/linux/calls/calls_$topic.c" 2>"$dir/gcc"; then
		not_ok "$topic is built" "$(cat "$dir/gcc")"
		continue
	fi
	timeout 300 "$dir/sys_$topic" >"$dir/$topic.host" 2>&1 </dev/null
	is "$topic: the host does what is expected" "$? $(grep -c 'not so\|gave' "$dir/$topic.host")" "0 0"
	set -- "$@" \; "$dir/sys_$topic"
done
shift

# verdicts LOG: prints the failed checks of each program, and its last line.
verdicts() { grep -E '^sys_|^line ' "$1"; }
checked=$(for topic in $topics; do sed -n '$p' "$dir/$topic.host"; done)

for cpus in $(one_of 1 4); do
	boot "$dir/$cpus" --smp "$cpus" -k -- "$@"
	is "CPUs: $cpus: exit status" $status 0
	is "CPUs: $cpus: as on the host" "$(verdicts "$dir/$cpus")" "$checked"
	is "CPUs: $cpus: calls that are not there are told" \
		"$(grep -c 'system call 500 (no name) is not there: ENOSYS, 1 time$' "$dir/$cpus")" 1
done

# Memory that is writable and executable is allowed by an option or a setting, and otherwise refused with one line.
gcc -O2 -Wall -Wextra -Werror -I. -o "$dir/wx" tests/linux/wx.c
is "writable and executable: on this host" "$("$dir/wx")" "wx: 23 checked, 0 failed"
boot "$dir/allowed" --allow-wx -- "$dir/wx"
has "writable and executable: --allow-wx" "$dir/allowed" 'wx: 23 checked, 0 failed'
boot "$dir/refused" -k -- "$dir/wx" refused \; sysctl vm.allow_wx=1 \; "$dir/wx" \; sysctl vm.allow_wx=0 \; "$dir/wx" refused
is "writable and executable: by the setting, and refused" "$(grep '^wx' "$dir/refused" | xargs)" \
	"wx: 3 checked, 0 failed wx: 23 checked, 0 failed wx: 3 checked, 0 failed"
is "what was refused is told" "$(grep -c '^task [0-9]* (wx): memory that is both writable and executable was refused: EACCES, 2 times;' \
	"$dir/refused")" 2

# A program that does not depend on time executes the same instructions in two runs.
boot "$dir/twice" -- stat -r 2 -e instructions:u "$dir/sys_memory"
has "twice the same" "$dir/twice" ' +[0-9,]+ +instructions:u +\( identical \) *'
finish
