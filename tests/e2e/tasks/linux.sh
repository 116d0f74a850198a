# SPDX-License-Identifier: BSD-2-Clause
# Unmodified programs for Linux run in ring 3; they are from Debian's packages or built from a few lines. They print
# the same as on this host, and two machines execute the same instructions. linux.py has the table.
. "$(dirname "$0")/../_lib.sh"

if soaking; then
	why=$(sh tests/linux/gbench_source.sh "$dir") || skip "Google Benchmark with counters" "$why"
fi

# shellcheck disable=SC2046 # words
python3 tests/e2e/tasks/linux.py "$dir" "$patience" "$(either 8388608 52428800)" $(one_of 0 1 2)
[ $? = 0 ] || failures=1

# A program in place of a command gives the run its status. Its files are copied back, or perf0 gives the reason.
seq 100000 >"$dir/numbers"
cat >"$dir/script" <<'SCRIPT'
#! /bin/sh -e
sort -rn "$1" >sorted
echo "$0 $#" >&2
exit 7
SCRIPT
chmod +x "$dir/script"
gcc -O2 -o "$dir/bare" tests/linux/hello.c
(cd "$dir" && ../../perf0 run --timeout "$patience" --file bare --file numbers --file /usr/bin/sort --bring sorted --bring /none:none \
	--bring /dev/zero:zero -- ./script numbers) >"$dir/bring.out" 2>"$dir/bring.err"
is "a script: exit status" $? 7
has "a script: its words" "$dir/bring.err" '\./script 1'
is "--bring: what it wrote" "$(sort -rn "$dir/numbers" | cksum)" "$(cksum <"$dir/sorted")"
has "--bring: a file that is not there" "$dir/bring.err" 'perf0: --bring /none:none: No such file or directory'
has "--bring: a file without an end" "$dir/bring.err" 'perf0: --bring /dev/zero:zero: Invalid argument'

# perf0 names a file that the program did not find, but that this host has.
boot "$dir/sought" -k -- /bin/sh -c 'exec /usr/bin/sort none' \; /bin/sh -c 'cd /usr/bin; test -e sort || exit 1' \; \
	/bin/sh -c 'test -e /usr/bin/sort; true'
is "files that were looked for: told, where it fails" "$(grep -c '^perf0: the program looked for .*: /usr/bin/sort; `--file /usr/bin/sort`' "$log")" 2
finish
