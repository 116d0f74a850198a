# SPDX-License-Identifier: BSD-2-Clause
# perf's own tests in Linux under vpmu: all entries in tests/e2e/machine/perf_tests pass. `make test` runs a few that
# need most of a PMU, on one personality; `make soak` runs all of them on four.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_kernel.sh"

find_kernel "perf's own tests in a guest"
find_busybox "perf's own tests in a guest"

# Tests that take minutes in a guest and need no PMU are left out by their numbers.
left_out=$(perf test list 2>&1 | sed -n 's/^ *\([0-9]*\): PMU events$/\1/p')
list=tests/e2e/machine/perf_tests

# perf_tests U WORDS...: runs the entries of perf test that these words select, or all, in Linux on personality U.
perf_tests() {
	u=$1
	shift
	$perf0 linux --timeout $patience --uarch "$u" --file /bin/sleep --file /bin/true \
		--file "$(command -v objdump)" --file "$(command -v perf)" "$kernel" -- \
		perf test -s "${left_out:-0}" "$@" >"$dir/$u.out" 2>"$dir/$u.err" </dev/null
	cat "$dir/$u.err" >>"$dir/$u.out"
}

# passed U NAME: checks that the entry NAME ran and is Ok. Names are compared whole, for they contain special characters
# of patterns, and some begin with another entry's name.
passed() {
	is "$1: $2" "$(awk -v name="$2" '
	{ result = said = $0; sub(/^ *[0-9.]+: /, "", said); sub(/ *:[^:]*$/, "", said) }
	said == name { sub(/.*: */, "", result); print result }' "$dir/$1.out")" Ok
}

# perf looks for the words in names of entries and in names of their parts: both must contain one of the words.
while read -r u words; do
	if soaking; then
		perf_tests "$u"
	else
		perf_tests "$u" "mmap interface" "counter reading" "Breakpoint accounting" "Event times" \
			"time to TSC" "TSC support" Sigtrap
	fi
	while read -r entry; do
		passed "$u" "$entry"
	done <<-END
		$(grep -v '^#' $list | grep -E "$words")
	END
done <<-END
	$(either "icl mmap interface|counter reading|Breakpoint accounting|Event times|TSC|Sigtrap" "hsw .
	skx .
	icl .
	zen4 .")
END
finish
