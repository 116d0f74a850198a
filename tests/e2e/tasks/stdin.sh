# SPDX-License-Identifier: BSD-2-Clause
# perf0 takes standard input when the program reads it, only as many bytes as it asks for. Counts do not depend on when
# the bytes come.
. "$(dirname "$0")/../_lib.sh"

# given ARGS...: runs a program with the standard input of the caller.
given() { $perf0 stat --quiet --machine-timeout $patience "$@"; }
count="-x , -e instructions:u"

printf 'first\nsecond\n' >"$dir/list"
while read -r line; do
	given -- /bin/true && echo "$line"
done <"$dir/list" >"$dir/loop" 2>&1
is "a loop over a list runs for each line" "$(paste -sd ' ' "$dir/loop")" "first second"
{
	given -- head -n 1
	cat
} <"$dir/list" >"$dir/file" 2>&1
is "a file: its position is behind what was read" "$(paste -sd ' ' "$dir/file")" "first second"
printf 'ab\ncd\n' | {
	given -- head -c 3
	cat
} >"$dir/pipe" 2>&1
is "a pipe: the next program has the rest" "$(paste -sd ' ' "$dir/pipe")" "ab cd"

# shellcheck disable=SC2086 # words
seq 20000 | given $count -r 2 -- wc -l >"$dir/once" 2>&1
is "-r: each run reads it from its start" "$(grep -c '^20000$' "$dir/once")" 2
# shellcheck disable=SC2086
{
	seq 10000
	sleep 3
	seq 10001 20000
} | given $count -r 2 -- wc -l >"$dir/slow" 2>&1
is "a slow writer: the same counts" "$(grep instructions "$dir/slow")" "$(grep instructions "$dir/once")"

mkfifo "$dir/fifo"
$perf0 stat --machine-timeout 20 -- cat <>"$dir/fifo" >"$dir/never" 2>&1
is "what never comes: the time limit" "$? $(grep -c 'timed out\|time limit' "$dir/never")" "124 1"
given -- wc -c <&- >"$dir/closed" 2>&1
is "closed: it is empty" "$? $(cat "$dir/closed")" "0 0"
if has_pty "a terminal"; then
	printf 'typed\nmore\n' | script -qec \
		"$perf0 stat --quiet --machine-timeout $patience -- head -n 1 >$dir/typed" /dev/null >"$dir/tty" 2>&1
	is "a terminal: a line as it is typed" "$(cat "$dir/typed")" typed
fi
if soaking; then
	head -c 100M /dev/zero | given -- wc -c >"$dir/large" 2>&1
	is "100 MiB" "$(cat "$dir/large")" 104857600
fi
finish
