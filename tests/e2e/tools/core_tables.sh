# SPDX-License-Identifier: BSD-2-Clause
# The tables of execution units have a row for 99.9 % of the instructions of each program. Where LLVM's headers are
# installed: the tables are what scripts/core-tables makes of its models.
. "$(dirname "$0")/../_lib.sh"

programs=
for f in /bin/bash "$(readlink -f /usr/bin/python3)" /lib/x86_64-linux-gnu/libc.so.6 \
	/usr/lib/x86_64-linux-gnu/libcrypto.so.3 /usr/lib/x86_64-linux-gnu/libsqlite3.so.0 "$(gcc -print-prog-name=cc1)"; do
	if [ -r "$f" ]; then
		programs="$programs $f"
	else
		skip "coverage of $f" "not installed"
	fi
done
for core in skx zen4; do
	# shellcheck disable=SC2086
	build/core-coverage $core $programs >"$dir/coverage"
	is "$core has a row for 99.9 % of each program" $? 0
	grep ' %$' "$dir/coverage"
done
# A core that lacks AVX-512, and a program of nothing else: the check can fail.
printf '.rept 999\nvpaddd %%zmm0, %%zmm1, %%zmm2\n.endr\n' | as -o "$dir/wide.o"
build/core-coverage hsw "$dir/wide.o" >"$dir/coverage"
is "a program of AVX-512 on Haswell: status" $? 1
has "the form without a row is told" "$dir/coverage" ' *999  0x[0-9a-f]{8}  vpaddd zmm2, zmm1, zmm0'

if command -v llvm-config-19 >/dev/null && [ -d "$(llvm-config-19 --includedir)/llvm/MC" ]; then
	mkdir "$dir/cores"
	scripts/core-tables "$dir/cores" >"$dir/log" 2>&1
	is "the tables are made: status" $? 0
	for f in "$dir/cores/"*; do
		cmp -s "$f" "vpmu/model/cores/$(basename "$f")" || echo "$(basename "$f")"
	done >"$dir/differ"
	is "the tables are what scripts/core-tables makes" "$(cat "$dir/differ")" ""
	is "there are ten, the keys and their number" "$(ls "$dir/cores" | wc -l)" 12
else
	skip "the tables are what scripts/core-tables makes" "no llvm-19-dev"
fi
finish
