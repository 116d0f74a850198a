# SPDX-License-Identifier: BSD-2-Clause
# bench, gate and diff report malformed input in one line with the place, and status 2. They start no machine.
. "$(dirname "$0")/../_lib.sh"

unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
head='# perf0 gate 1	version=0.1	uarch=skx	machine=0123456789abcdef'
printf '%s\na	event	instructions:u	1\n# end\n' "$head" >"$dir/good"
for i in 1 2; do printf '%s\n# shard %d/3\n# end\n' "$head" $i >"$dir/shard$i"; done
sed 's/skx/icl/' "$dir/shard2" >"$dir/icl"
sed 's/0123/3210/' "$dir/shard2" >"$dir/other"
cp "$dir/shard1" "$dir/twice"
sed -i '2a a	event	x	1' "$dir/shard1" "$dir/shard2"
sed 's/^# shard.*/# shard 3\/3/' "$dir/shard1" >"$dir/shard3"
echo 'int main(void) { return 0; }' >"$dir/main.c"
gcc -static -o "$dir/prog" "$dir/main.c" 2>/dev/null || gcc -o "$dir/prog" "$dir/main.c"
printf 'PERFILE2' >"$dir/header.data"
{ printf 'PERFILE2'; head -c 200 /dev/zero; } >"$dir/zeros.data"
count=0

# tells WHAT WANTED COMMAND...: checks that COMMAND prints WANTED and nothing else, with status 2.
tells() {
	what=$(printf '%s' "$1" | tr '\\' /) wanted=$2
	shift 2
	"$@" >"$dir/said" 2>&1 </dev/null
	is "$what" "$?|$(cat "$dir/said")" "2|$wanted"
	count=$((count + 1))
}

# --- bench: its words @ the message ---
: >"$dir/events.none"
printf 'ZZ.00 X\n' >"$dir/events.number"
printf '# x\nC0.00.FOO=1 X\n' >"$dir/events.field"
printf '\377\376\n' >"$dir/events.bytes"
while IFS='@' read -r words told; do
	eval "set -- $words"
	tells "bench $words" "$told" $perf0 bench --qemu /nowhere "$@"
done <<END
--asm 'nop; bad rax'@perf0 bench: --asm: column 6: no such instruction: \`bad rax'
--asm 'mov rax'@perf0 bench: --asm: column 1: number of operands mismatch for \`mov'
--asm 'mov rax, xmm0'@perf0 bench: --asm: column 1: operand type mismatch for \`mov'
--asm 'add rax, [rbx'@perf0 bench: --asm: column 1: bad expression
--asm 'nop;nop; lock nop'@perf0 bench: --asm: column 10: expecting lockable instruction after \`lock'
--asm '|0'@perf0 bench: --asm: column 1: '|0' is no NOP of 1 to 15 bytes, |1 to |15
--asm 'nop; |x'@perf0 bench: --asm: column 6: '|x' is no NOP of 1 to 15 bytes, |1 to |15
--asm '.org -1'@perf0 bench: --asm: column 1: attempt to move .org backwards
--asm '.rept 3; nop'@perf0 bench: the code is refused by the assembler: REPT without ENDR
--asm '/* nop'@perf0 bench: the code does not end: there is no */ behind its /*
--asm 'jmp nowhere'@perf0 bench: the code uses 'nowhere', which it does not define
--att --asm 'mov rax, rbx'@perf0 bench: --asm: column 1: operand size mismatch for \`mov'
--asm nop --asm-init 'foo'@perf0 bench: --asm-init: column 1: no such instruction: \`foo'
--asm nop --asm-late-init 'nop; foo'@perf0 bench: --asm-late-init: column 6: no such instruction: \`foo'
--asm nop --asm-one-time-init 'foo bar'@perf0 bench: --asm-one-time-init: column 1: no such instruction: \`foo bar'
--code $dir/none@perf0 bench: --code: $dir/none: No such file or directory
--code $dir@perf0 bench: --code: $dir: Is a directory
--asm nop --code-init $dir@perf0 bench: --code-init: $dir: Is a directory
--asm nop -o /no/such/x@perf0 bench: --output: /no/such/x: No such file or directory
--asm nop -e instructions,@perf0: bench: -e instructions,: column 14: an event is missing
--asm nop -e cycles:z@perf0: bench: -e cycles:z: column 8: there is no modifier 'z'
--asm nop -e instructoins@perf0: bench: -e instructoins: column 1: there is no event 'instructoins'; did you mean 'instructions'?
--asm nop --config $dir/none@perf0 bench: --config: $dir/none: No such file or directory
--asm nop --config $dir/events.number@perf0 bench: $dir/events.number: line 1: 'ZZ' is no event
--asm nop --config $dir/events.field@perf0 bench: $dir/events.field: line 2: 'FOO=1' is not known
--asm nop --config $dir/events.bytes@perf0 bench: $dir/events.bytes: line 1: '\\xff\\xfe' is no event
--asm nop --n-measurements 1e3@perf0 bench: --n-measurements: '1e3' is not a number from 1 to 1000000
--asm nop --loop-count x@perf0 bench: --loop-count: 'x' is not a number from 0 to 1000000000
--asm nop --uarch z80@perf0 bench: --uarch: 'z80' is not one of those that 'perf0 list uarchs' lists
--asm@perf0 bench: --asm wants a value
END

# --- perf0.toml: its text @ the message ---
while IFS='@' read -r text told; do
	printf '%b' "$text" >"$dir/t.toml"
	tells "perf0.toml: $text" "perf0 gate: $dir/t.toml:$told" $perf0 gate --qemu /nowhere --config "$dir/t.toml"
done <<'END'
a@1:2: = should be here
a = 1 2@1:7: the line should end here
a = 1\na = 2@2:1: this key is there twice
a.b = 1@1:2: keys with dots are not read here
a = "x@1:7: the string does not end
a = """x"""@1:5: strings of several lines are not read here
a = "\\q"@1:7: there is no such escape: \b \t \n \f \r \" \\ \uXXXX \UXXXXXXXX are
a = 1.5@1:5: a number that is not whole stands in quotes, as "0.5%"
a = {b=1}@1:5: tables in one line are not read here
a = [1]@1:6: a string should be here
a = ['x'@1:9: the array does not end
a = "\0"@1:6: a byte 0: this is no text
[a.b]\n@1:3: tables in tables are not read here
[gate]\n[gate]\n@2:1: this table is there twice
[other]\n@1:1: other is neither [gate] nor [[benchmark]]
[benchmark]\n@1:1: benchmark is neither [gate] nor [[benchmark]]
[gate]\ncolour = 1\n@2:1: there is no key 'colour' here
[gate]\nuarch = 'z80'\n@2:9: uarch: this is not one of those that 'perf0 list uarchs' lists
[gate]\nbaseline = 1\n@2:12: baseline: a string is needed
[gate]\nevents = []\n@2:10: events: this is empty
[gate]\ntolerance = -1\n@2:13: tolerance: column 1: '-1' is not a number of events, or of percent as 0.5%, with EVENT= in front for one event
[gate]\ntolerance = 'x=1,x=2'\n@2:13: tolerance: column 5: this event is there twice
[[benchmark]]\nname = 'a'\n@1:1: a benchmark without program
[[benchmark]]\nprogram = './no-*'\n@2:11: program: there is no program of that name
[[benchmark]]\nprogram = 'a'\nsame-seed = 1\n@3:13: same-seed: true or false is needed
[[benchmark]]\nprogram = 'a'\nargs = 'b'\n@3:8: args: an array of strings is needed
END

# --- A baseline: the text after its first line @ the message ---
while IFS='@' read -r text told; do
	printf '%s\n%b' "$head" "$text" >"$dir/b"
	tells "baseline: $text" "perf0 gate: $dir/b: $told" $perf0 gate --qemu /nowhere --baseline "$dir/b" -- "$dir/prog"
done <<'END'
@line 1: the file is cut off: its last line is not '# end'
a\tevent\tx\t1\n@line 2: the file is cut off: its last line is not '# end'
a\tevent\tx\t1\n# en@line 3: the file is cut off: its last line is not '# end'
a\tevent\tx\n# end\n@line 2: 3 columns, and not benchmark, kind, name and number
<<<<<<< HEAD\n# end\n@line 2: 1 column, and not benchmark, kind, name and number
a\tevnt\tx\t1\n# end\n@line 2: 'evnt' is not event, files, functions or inside
a\tevent\tx\t-1\n# end\n@line 2: '-1' is no number
a\tevent\tx\t1\r\n# end\n@line 2: '1\x0d' is no number
a\tevent\tx\t18446744073709551616\n# end\n@line 2: '18446744073709551616' is no number
\tevent\tx\t1\n# end\n@line 2: a benchmark or a number without a name
a\tevent\tx\a\t1\n# end\n@line 2: a name with a control character in it, or a # in front
a\tevent\tx\t1\na\tevent\tx\t1\n# end\n@line 3 is there twice
b\tevent\tx\t1\na\tevent\tx\t1\n# end\n@line 3 is not in its place: lines are sorted by their bytes
# shard 4/3\n# end\n@line 2: this is no shard I/N
# end\na\tevent\tx\t1\n@line 3: there is more behind '# end'
a\0b\n# end\n@line 2: a byte 0: this is no text
END
echo hello >"$dir/hello"
tells "baseline: another file" "perf0 gate: $dir/hello: line 1: this is no file of perf0 gate" \
	$perf0 gate --qemu /nowhere --baseline "$dir/hello" -- "$dir/prog"
tells "baseline: a folder" "perf0 gate: $dir: Is a directory" $perf0 gate --qemu /nowhere --baseline "$dir" -- "$dir/prog"

# --- gate, merge and diff: their words @ the message ---
while IFS='@' read -r words told; do
	# shellcheck disable=SC2086 # words
	set -- $words
	tells "$words" "$told" $perf0 "$@"
done <<END
gate --qemu /nowhere --config $dir@perf0 gate: $dir: Is a directory
gate --qemu /nowhere --shard 0/3 -- $dir/prog@perf0 gate: --shard: '0/3' is not I/N, with I from 1 to N
gate --qemu /nowhere --shard 3 -- $dir/prog@perf0 gate: --shard: '3' is not I/N, with I from 1 to N
gate --qemu /nowhere --tolerance 1,, -- $dir/prog@perf0 gate: --tolerance: column 3: '' is not a number of events, or of percent as 0.5%, with EVENT= in front for one event
gate --qemu /nowhere --tolerance cycles=1% -- $dir/prog@perf0 gate: --tolerance: a tolerance for 'cycles', which is not counted
gate --qemu /nowhere --baselime x -- $dir/prog@perf0 gate: unknown option '--baselime'; did you mean '--baseline'?
gate --qemu /nowhere --baseline $dir/good --uarch icl -- $dir/prog@perf0 gate: $dir/good is of --uarch skx, and this is icl
gate merge@perf0 gate merge: the files of all shards are needed
gate merge -o $dir/m@perf0 gate merge: the files of all shards are needed
gate merge -o $dir/m $dir/shard1 $dir/twice@perf0 gate: $dir/shard1 and $dir/twice are both shard 1 of 3
gate merge -o $dir/m $dir/shard1 $dir/other@perf0 gate: $dir/other and $dir/shard1 were measured by different machines
gate merge -o $dir/m $dir/shard1 $dir/good@perf0 gate: $dir/good: this is no shard, but all
gate merge -o $dir/m $dir/shard1 $dir/shard2 $dir/shard3@perf0 gate: benchmark 'a' is in two shards
diff $dir/good@perf0 diff: two files are needed; see \`perf0 help diff\`
diff $dir/good $dir/header.data@perf0 diff: $dir/header.data: it is cut off: its header is not whole
diff $dir/good $dir/zeros.data@perf0 diff: $dir/zeros.data: its events are not whole
diff $dir/good $dir@perf0 diff: $dir: Is a directory
END
echo "# $count malformed inputs"
is "more than 80" "$((count > 80))" 1
finish
