# SPDX-License-Identifier: BSD-2-Clause
# perf0 pgo: profiles for optimizers have the exact counts of a program whose branches are known. BOLT and clang take
# them.
. "$(dirname "$0")/../_lib.sh"

sources="tests/linux/edges.c tests/linux/edges_other.c"
gcc -O2 -fno-ipa-cp -fno-ipa-sra -g -fno-pie -no-pie -fno-reorder-blocks-and-partition -Wl,-q -o "$dir/edges" $sources

# pgo WHAT OPTIONS...: perf0 pgo with them; its standard error is in $dir/err.
pgo() {
	what=$1
	shift
	$perf0 pgo --machine-timeout $patience "$@" >"$dir/out" 2>"$dir/err"
	is "$what: exit status" "$? $(complaints)" "0 "
}

# complaints: standard error without the summary.
complaints() { grep -v '^\[ perf0 pgo: ' "$dir/err"; }

pgo "edges" -o "$dir/edges" -- "$dir/edges"
is "edges: the program's output" "$(cat "$dir/out")" "$("$dir/edges")"
$perf0 pgo --bolt "$dir/none/fdata" -- "$dir/edges" >"$dir/no.out" 2>"$dir/no.err"
is "a file that cannot be written: nothing is run" "$? $(cat "$dir/no.out" "$dir/no.err")" \
	"1 perf0 pgo: $dir/none/fdata: No such file or directory"
is "edges: all files" "$(cd "$dir" && echo edges.*)" "edges.autofdo edges.fdata edges.prof edges.profgen"

# entries FUNCTION: how often the profile of BOLT enters it.
entries() { awk -v to="$1" '$4 == 1 && $5 == to && $6 == 0 { n += $8 } END { print n + 0 }' "$dir/edges.fdata"; }
# BOLT numbers the two functions of one name by address. The one of edges.c comes first, as it is linked first.
is "fdata: entries of functions" "$(entries main) $(entries choose/1) $(entries other) $(entries work/1) $(entries work/2)" \
	"1 3000 1000 2000 2000"
is "fdata: both sides of a condition" \
	"$(awk '$2 == "work/2" && $5 == "work/2" { print $8 }' "$dir/edges.fdata" | sort -n | tr '\n' ' ')" "1000 1000 "
is "prof: entries of functions" "$(sed -n 's/^\(main\|other\|choose\|work\):[0-9]*:/\1 /p' "$dir/edges.prof" | sort | tr '\n' ' ')" \
	"choose 3000 main 1 other 1000 work 4000 "
pgo "edges again" -o "$dir/again" -- "$dir/edges"
for form in fdata prof profgen autofdo; do
	is "two runs have the same $form" "$(md5sum <"$dir/again.$form")" "$(md5sum <"$dir/edges.$form")"
done

bolt=$(for b in llvm-bolt llvm-bolt-16; do command -v $b && break; done)
if [ -n "$bolt" ]; then
	$bolt "$dir/edges" -o "$dir/edges.cfg.bolt" -data="$dir/edges.fdata" -print-cfg >"$dir/cfg" 2>&1
	is "BOLT: no profile is stale" "$(grep -cE 'stale|invalid|could not be' "$dir/cfg")" 0
	is "BOLT: every block has its count" \
		"$(python3 tests/e2e/tools/bolt_blocks.py "$dir/edges.profgen" \
			"$(readelf -lW "$dir/edges" | awk '$1 == "LOAD" && / E / { print $3 }')" "$dir/cfg" 2>&1 |
			sed 's/^[1-9][0-9]* /blocks /')" "blocks 0"
	pgo "--run-bolt" --run-bolt "$dir/edges.bolt" -- "$dir/edges"
	is "--run-bolt: the same output" "$("$dir/edges.bolt")" "$("$dir/edges")"
	is "--run-bolt: fewer jumps are taken" \
		"$(tr -d , <"$dir/out" | awk '/^ taken jumps of the program/ { print ($7 < $6) }')" 1
else
	skip "BOLT" "no llvm-bolt here"
fi

clang=$(for c in clang clang-16; do command -v $c && break; done)
if [ -n "$clang" ]; then
	for c in $sources; do
		$clang -O2 -g -fdebug-info-for-profiling -c -o "$dir/$(basename "$c" .c).o" "$c"
	done
	$clang -no-pie -o "$dir/clanged" "$dir/edges.o" "$dir/edges_other.o"
	pgo "--clang" --clang "$dir/clanged.prof" -- "$dir/clanged"
	$clang -O2 -g -fdebug-info-for-profiling -fprofile-sample-use="$dir/clanged.prof" -S -emit-llvm -o "$dir/edges.ll" \
		tests/linux/edges.c >"$dir/clang" 2>&1
	is "clang takes it" "$? $(cat "$dir/clang")" "0 "
	is "clang knows how often a function is entered" \
		"$(sed -n 's/^!.*"function_entry_count", i64 \([0-9]*\).*/\1/p' "$dir/edges.ll" | sort -n | tr '\n' ' ')" "2 3001 4001 "
else
	skip "clang" "no clang here"
fi

if command -v create_gcov >/dev/null; then
	gcc -O1 -gdwarf-4 -fno-pie -no-pie -o "$dir/dwarf4" $sources # create_gcov 0.19 reads no DWARF 5
	pgo "--autofdo" --autofdo "$dir/dwarf4.autofdo" -- "$dir/dwarf4"
	create_gcov --binary="$dir/dwarf4" --profile="$dir/dwarf4.autofdo" --profiler=text --gcov="$dir/dwarf4.gcov" \
		-gcov_version=2 >"$dir/create_gcov" 2>&1
	is "AutoFDO: entries of functions" \
		"$(dump_gcov "$dir/dwarf4.gcov" -gcov_version=2 2>/dev/null | sed -n 's/^\([a-z]*\) total:[0-9]* head:/\1 /p' |
			sort | tr '\n' ' ')" "choose 3000 main 0 work 2000 " # it leaves small functions out
else
	skip "AutoFDO" "no create_gcov here"
fi

# All branches have both ends, but for the far ones: system calls.
$perf0 pgo --machine-timeout $patience --bolt "$dir/all.fdata" -- "$dir/edges" >/dev/null 2>"$dir/err"
$perf0 stat --machine-timeout $patience -x , -e branches:u,br_inst_retired.far_branch:u -o "$dir/stat" -- "$dir/edges" \
	>/dev/null 2>&1
is "all branches have both ends" "$(sed -n 's/^\[ perf0 pgo: \([0-9]*\) .*/\1/p' "$dir/err")" \
	"$(awk -F , 'NF > 3 { n = n ? n - $1 : $1 } END { print n }' "$dir/stat")"

# Mistakes.
gcc -O1 -o "$dir/plain" $sources
$perf0 pgo --machine-timeout $patience -o "$dir/plain" -- "$dir/plain" >/dev/null 2>"$dir/err"
is "without -g: a sentence, and the other files" "$? $(complaints) $(cd "$dir" && echo plain.*)" \
	"0 perf0 pgo: no $dir/plain.prof: $(realpath "$dir/plain") has no debug information (-g), which clang's profiles need plain.autofdo plain.fdata plain.profgen"
strip -o "$dir/stripped" "$dir/plain"
$perf0 pgo --machine-timeout $patience --bolt "$dir/stripped.fdata" -- "$dir/stripped" >/dev/null 2>"$dir/err"
is "without symbols" "$? $(complaints)" \
	"1 perf0 pgo: $(realpath "$dir/stripped") has no symbol table: optimizers know functions by name"
$perf0 pgo --machine-timeout $patience --object libm.so.6 --bolt "$dir/x" -- "$dir/edges" >/dev/null 2>"$dir/err"
is "a library that the program does not use" "$? $(complaints)" \
	"1 perf0 pgo: libm.so.6: the program has no code of this file"
finish
