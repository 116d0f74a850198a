# SPDX-License-Identifier: BSD-2-Clause
# perf's own tests in Linux under vpmu: those of tests/e2e/machine/perf_tests pass. `make test` runs a few that need
# most of a PMU, on one CPU; `make soak` runs all of them on more.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_kernel.sh"

find_kernel "perf's own tests in a guest"
find_busybox "perf's own tests in a guest"

# Tests that take minutes in a guest and need no PMU are left out by their numbers.
left_out=$(perf test list 2>&1 | sed -n 's/^ *\([0-9]*\): PMU events$/\1/p')
list=tests/e2e/machine/perf_tests

# perf_tests U WORDS...: perf test of these words, or all, in Linux on that CPU.
perf_tests() {
	u=$1
	shift
	$perf0 linux --timeout $patience --uarch "$u" --file /bin/sleep --file /bin/true \
		--file "$(command -v objdump)" --file "$(command -v perf)" "$kernel" -- \
		perf test -s "${left_out:-0}" "$@" >"$dir/$u.out" 2>"$dir/$u.err" </dev/null
	cat "$dir/$u.err" >>"$dir/$u.out"
}

# passed U NAME: that entry was there, and is Ok. Names have characters that patterns have, and one begins like another.
passed() {
	is "$1: $2" "$(awk -v name="$2" '
	{ result = said = $0; sub(/^ *[0-9.]+: /, "", said); sub(/ *:[^:]*$/, "", said) }
	said == name { sub(/.*: */, "", result); print result }' "$dir/$1.out")" Ok
}

# Words are looked for in the names of entries and in those of their parts, and both must have one.
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
