# SPDX-License-Identifier: BSD-2-Clause
# `perf0 as-callgrind` in the place of valgrind: a script of that name, the words that runners of benchmarks type, and
# the client requests of a program. Its figures are callgrind's.
. "$(dirname "$0")/../_lib.sh"

is "--version" "$($perf0 as-callgrind --version)" valgrind-3.19.0
$perf0 as-callgrind --tool=callgrind --nosuch=1 true >"$dir/out" 2>"$dir/err"
is "an option of neither: status, one line" "$? $(wc -l <"$dir/err")" "2 1"
has "an option of neither: which" "$dir/err" ".*unknown option '--nosuch=1'"
$perf0 as-callgrind --tool=memcheck true >"$dir/out" 2>"$dir/err"
is "a tool that perf0 has not: status, one line" "$? $(wc -l <"$dir/err")" "2 1"
for word in --callgrind-out-file="$dir/no/file" --log-file="$dir/no/file"; do
	$perf0 as-callgrind --tool=callgrind --callgrind-out-file="$dir/unused" "$word" echo ran >"$dir/out" 2>"$dir/err"
	is "${word%%=*} in no folder: status, one line, no run" "$? $(wc -l <"$dir/err") $(cat "$dir/out")" "1 1 "
	has "${word%%=*} in no folder: which" "$dir/err" ".*$dir/no/file: No such file or directory"
done

cat >"$dir/valgrind" <<SCRIPT
#!/bin/sh
exec "$PWD/$perf0" as-callgrind --machine-timeout=$patience "\$@"
SCRIPT
chmod +x "$dir/valgrind"
theirs=$(command -v valgrind)
if [ -z "$theirs" ] || ! gcc -g -O1 -o "$dir/requests" tests/linux/requests.c 2>"$dir/gcc"; then
	skip "client requests" "there is no valgrind with its headers here"
	[ "$failures" = 0 ]
	exit
fi

# self FILE FUNCTION: its costs, where each name is whole.
self() {
	awk -v f="fn=$2" '/^fn=/ { at = $0 } /^calls=/ { getline; next } /^[0-9]/ && at == f { n += $2 } END { print n + 0 }' "$1"
}
words="--compress-strings=no --compress-pos=no"
PATH=$PWD/$dir:$PATH valgrind --tool=callgrind $words --callgrind-out-file="$dir/ours" "$dir/requests" 3 \
	>"$dir/out" 2>"$dir/log"
is "requests: the program's status" "$?" 3
is "requests: its output" "$(cat "$dir/out")" "no text"
has "requests: the log" "$dir/log" '==[0-9]+== Collected : [0-9]+'
is "requests: a part for each dump" "$(cd "$dir" && echo ours*)" "ours ours.1 ours.2"
has "requests: a part says which it is" "$dir/ours.2" 'part: 2'
is "requests: the total is the sum" "$(awk '/^summary:/ { print $2 }' "$dir/ours.2")" \
	"$(awk '/^calls=/ { getline; next } /^[0-9]/ { n += $2 } END { print n }' "$dir/ours.2")"
"$theirs" --tool=callgrind $words --callgrind-out-file="$dir/theirs" "$dir/requests" >"$dir/out" 2>"$dir/err"
all=0
for f in .1 .2 ''; do
	is "requests: work() as callgrind has it$f" "$(self "$dir/ours$f" work)" "$(self "$dir/theirs$f" work)"
	all=$((all + $(self "$dir/theirs$f" work)))
done

gcc -O1 -o "$dir/asks" tests/linux/asks_valgrind.c
for tool in callgrind none; do
	PATH=$PWD/$dir:$PATH valgrind -q --tool=$tool --callgrind-out-file="$dir/unused" "$dir/asks" >"$dir/out" 2>"$dir/err"
	is "--tool=$tool: a program that asks for Valgrind" "$(cat "$dir/out")" "$("$theirs" -q --tool=$tool "$dir/asks")"
done

# The words of gungraun, for the function that it wraps around a benchmark.
mkdir "$dir/g"
REQUESTS_TEXT=passed PATH=$PWD/$dir:$PATH valgrind --tool=callgrind --error-exitcode=0 --trace-children=yes \
	--fair-sched=try --vgdb=no --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 --cache-sim=yes $words \
	--dump-line=yes --dump-instr=no --combine-dumps=no --separate-threads=yes '--toggle-collect=togg*' \
	--callgrind-out-file="$dir/g/callgrind.b.out.#%p" --log-file="$dir/g/callgrind.b.log.#%p" "$dir/requests" \
	>"$dir/out" 2>"$dir/err"
is "a runner's words: status" "$? $(wc -c <"$dir/err")" "0 0"
is "a runner's words: the environment is passed" "$(cat "$dir/out")" passed
last=$(ls "$dir"/g/callgrind.b.out.*[0-9]-01 | grep -v '\.[12]-01')
log=$(ls "$dir"/g/callgrind.b.log.*)
is "a runner's words: names have the process" "$(basename "$last")" "callgrind.b.out.#${log##*#}-01"
has "a runner's words: loads and stores" "$last" 'events: Ir Dr Dw'
has "a runner's words: the log has the command" "$log" "==${log##*#}== Command: .*requests"
has "a runner's words: the log has an empty line" "$log" "==${log##*#}=="
"$theirs" --tool=callgrind $words --toggle-collect=toggled --callgrind-out-file="$dir/theirs" "$dir/requests" \
	>"$dir/out" 2>"$dir/err"
is "a runner's words: only inside of the function" "$(self "$last" work) $(self "$last" main)" \
	"$(self "$dir/theirs" work) 0"
is "a runner's words: the total is callgrind's" "$(awk '/^totals:/ { print $2 }' "$last")" \
	"$(awk '/^totals:/ { print $2 }' "$dir/theirs")"

# All parts in one file, and cachegrind's.
PATH=$PWD/$dir:$PATH valgrind -q --tool=callgrind --combine-dumps=yes --callgrind-out-file="$dir/all" "$dir/requests" \
	>"$dir/out" 2>"$dir/err"
is "--combine-dumps: three parts, one head" "$(grep -c '^part: ' "$dir/all") $(grep -c '^version: ' "$dir/all")" "3 1"
is "--combine-dumps: all of work()" "$(self "$dir/all" work)" $all
PATH=$PWD/$dir:$PATH valgrind -q --tool=cachegrind --cachegrind-out-file="$dir/lines" "$dir/requests" \
	>"$dir/out" 2>"$dir/err"
is "cachegrind: the lines add up" "$(awk '/^[0-9]/ { n += $2 } END { print n }' "$dir/lines")" \
	"$(awk '/^summary:/ { print $2 }' "$dir/lines")"
is "cachegrind: all parts of work()" \
	"$(awk '/^fn=/ { at = $0 } /^[0-9]/ && at == "fn=work" { n += $2 } END { print n }' "$dir/lines")" $all
[ "$failures" = 0 ]
