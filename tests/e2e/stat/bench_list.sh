# SPDX-License-Identifier: BSD-2-Clause
# perf0 bench --list: pieces of a list on one machine. Each has the counts that it has alone; a wrong line is told at its
# place and loses no other; parts make the bytes of one run.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/list" <<'END'
# Name, colon, code.
chain: imul rax, rbx
two:   add rax, rbx; add rcx, rdx # both at once

load: mov rax, [r14]
wrong: mov rax, rbx; frobnicate rax
no colon
raises: ud2
chain: nop
elsewhere: call foo
nops: |3; nop
END
events=instructions,cycles,branches

$perf0 bench --list "$dir/list" -j -e $events >"$dir/whole" 2>"$dir/log"
is "status" $? 1
sed 's/^{"piece" : [0-9]*, /{/' "$dir/whole" | grep -v '"error"' >"$dir/counts"
while IFS='@' read -r piece code; do
	$perf0 bench -j -e $events --asm "$code" 2>&1 | sed 's/^{"benchmark" : "[^"]*"/{"benchmark" : "'"$piece"'"/'
done >"$dir/alone" <<'END'
chain@imul rax, rbx
two@add rax, rbx; add rcx, rdx
load@mov rax, [r14]
nops@|3; nop
END
is "each piece has the counts that it has alone" "$(wc -l <"$dir/counts") $(cmp "$dir/counts" "$dir/alone" 2>&1)" "12 "
for line in ":6:22: no such instruction: .frobnicate rax'" ":7:1: a name and a colon are missing .*" \
	":8:9: the code raised #UD in byte 0 of copy 1" ":9:1: $dir/list:2 has the name 'chain', too" \
	":10:12: the code uses 'foo', which it does not define"; do
	has "a message: $line" "$dir/log" "perf0 bench: $dir/list$line"
	is "and a row: $line" "$(grep -cE "\"error\" : \"$dir/list$line\"}" "$dir/whole")" 1
done
has "their number" "$dir/log" "perf0 bench: 5 of 9 pieces failed"
is "pieces are numbered" "$(grep -o '^{"piece" : [0-9]*' "$dir/whole" | uniq | grep -o '[0-9]*' | tr '\n' ' ')" "1 2 3 4 5 6 7 8 9 "

$perf0 bench --list "$dir/list" -x, -e $events >"$dir/csv" 2>"$dir/log"
is "-x: status" $? 1
for row in 'chain,cycles,3.000000,3.000000,3.000000,3.000000' "wrong,error,$dir/list:6:22: no such instruction: .*"; do
	has "-x: $row" "$dir/csv" "$row"
done
is "-x: rows of four pieces and of five failures" "$(wc -l <"$dir/csv")" 17
$perf0 bench --list "$dir/list" -e $events -M ipc >"$dir/table" 2>"$dir/log"
for row in ' +instructions +cycles +branches +IPC' ' chain +1.00 +3.00 +0.00 +0.33' ' nops +2.00 +0.50 +0.00 +4.00' \
	" wrong +$dir/list:6:22: no such instruction: .*"; do
	has "table: $row" "$dir/table" "$row"
done

# Parts, the last one of which has less pieces.
for i in 1 2 3 4; do
	$perf0 bench --list "$dir/list" -j -e $events --shard $i/4 >"$dir/part$i" 2>"$dir/log"
done
$perf0 bench merge "$dir"/part[4231] >"$dir/merged" 2>"$dir/log"
is "parts make the bytes of one run" "$? $(cat "$dir/log") $(cmp "$dir/merged" "$dir/whole" 2>&1)" "0  "
sed -i '$d' "$dir/part3"
$perf0 bench merge "$dir"/part[124] "$dir/part3" >"$dir/merged" 2>"$dir/log"
is "a part that is not whole" "$? $(cat "$dir/merged" "$dir/log")" \
	"2 perf0 bench merge: of 4 parts 1 is missing or not whole: 3
perf0 bench merge: part 3 is made up by: perf0 bench --list $dir/list --shard 3/4 -j >part3"
$perf0 bench merge "$dir/list" >"$dir/log" 2>&1
is "a file that is no part" "$? $(cat "$dir/log")" "2 perf0 bench merge: $dir/list:1: it is cut off, or no line of JSON"

# A long list tells how far it is, also where standard error is no terminal; one that is ended prints what it has.
i=0
while [ $((i += 1)) -le 2000 ]; do echo "p$i: nop"; done >"$dir/long"
timeout -k 60 25 $perf0 bench --list "$dir/long" -e instructions >"$dir/table" 2>"$dir/log"
has "progress" "$dir/log" 'perf0 bench: [0-9]+ of 2000 pieces, [0-9]+ s left'
has "an end before the last piece" "$dir/log" 'perf0 bench: [0-9]+ of 2000 pieces were not measured'
has "what was measured is printed" "$dir/table" ' p1 +1.00'

# A mistake @ its message.
: >"$dir/empty"
while IFS='@' read -r words line; do
	# shellcheck disable=SC2086
	$perf0 bench $words >"$dir/out" 2>&1
	is "bench $words" "$? $(cat "$dir/out")" "2 perf0 bench: $line"
done <<END
--list /no/such@--list /no/such: No such file or directory
--list $dir/empty@--list $dir/empty: there is no code in it
--list $dir/list --asm nop@--list and --asm exclude each other: the code is in the list
--list $dir/list --min@--list and --min exclude each other: a list is a table of medians, or rows of four figures by -j and -x
--list $dir/list -o x@--list and --output exclude each other: a list is a table, or rows by -j and -x
--list $dir/list --shard 1/2@--shard needs --json-output: parts are put together from JSON
-j --shard 1/2 --asm nop@--shard is of a list of pieces, --list FILE
--list $dir/list x@either --list FILE or a PROGRAM, not both
END
finish
