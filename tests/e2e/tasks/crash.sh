# SPDX-License-Identifier: BSD-2-Clause
# When a signal ends a program, the image prints one line with the signal and the place. Then come the callers, by name
# and source line, also through libraries.
. "$(dirname "$0")/../_lib.sh"

g++ -g -O1 -o "$dir/dynamic" tests/linux/crash.cc -pthread
g++ -g -O1 -static -o "$dir/static" tests/linux/crash.cc
line() { grep -n "// $1\$" tests/linux/crash.cc | cut -d: -f1; }

# crash PROGRAM HOW STATUS: runs PROGRAM, which ends by HOW. The report is in $report.
crash() {
	report=$dir/$1-$2
	boot "$report" -- "$dir/$1" "$2"
	is "$1, $2: status" $status "$3"
	sed -n 's/^perf0: #[0-9]* *0x[0-9a-f]* in \(.*\)$/\1/p' "$report" >"$dir/chain"
}

# called WHAT FUNCTION...: checks that the chain contains these functions, one directly after the other.
called() {
	what=$1
	shift
	got=$(sed 's/+0x.* at / at /; s/+0x.* from / from /; s/ at .*:/:/' "$dir/chain" | tr '\n' '|')
	wanted=$(printf '%s|' "$@")
	case "|$got" in
	*"|$wanted"*) ok "$what" ;;
	*) not_ok "$what" "got:    $got" "wanted: $wanted" ;;
	esac
}

crash dynamic callback 139
has "what and where" "$report" 'perf0: .*/dynamic \(process 2, thread 2\) ended: #PF at ip 0x[0-9a-f]+ .*, write of address 0x0'
called "the innermost" "shop::Order::compare(void const*, void const*):$(line compare)"
# If the C library's debug file is installed, its name for the function comes first, as in perf.
is "the library between" "$(grep -c '^\(__GI___\)\{0,1\}qsort_r+' "$dir/chain")" 1
is "and main" "$(sed -n 's/^main+.* at //p' "$dir/chain")" "crash.cc:$(line main)"

crash static callback 139
called "static: the innermost" "shop::Order::compare(void const*, void const*):$(line compare)"
is "static: and main" "$(sed -n 's/^main+.* at //p' "$dir/chain")" "crash.cc:$(line main)"

crash dynamic stack 139
called "no stack: again and again" "shop::without_stack(char volatile*):$(line without_stack)" \
	"shop::without_stack(char volatile*):$(line without_stack)"

crash dynamic nowhere 139
called "a call to nowhere" '??' "shop::to_nowhere():$(line to_nowhere)"
is "no stack is left out" "$(grep -c '^main+' "$dir/chain")" 1

crash dynamic abort 134
has "abort(3)" "$report" 'perf0: .*/dynamic \(process 2, thread 2\) ended: SIGABRT'
is "what called it" "$(grep -A 1 '^abort+' "$dir/chain" | sed -n 's/+.*//; 2p')" "shop::give_up()"

crash dynamic thread 139
has "a thread" "$report" 'perf0: .*/dynamic \(process 2, thread 3\) ended: .*'
called "of a thread" '??' "shop::to_nowhere():$(line to_nowhere)"

crash dynamic wide 132
has "an instruction that the CPU has not" "$report" \
	'perf0: the instruction is vaddpd zmm3 ?, zmm2, zmm1: AVX-512, which no CPU that QEMU emulates has'
called "and where" "shop::wide():$(($(line wide_begins) + 2))"
crash dynamic instruction 132
has "one that no CPU has" "$report" 'perf0: the instruction is ud2: no CPU has it, .*'

# Without symbols the chain has addresses, and names of functions that libraries export.
strip -o "$dir/stripped" "$dir/dynamic"
crash stripped callback 139
is "stripped: the chain is as long" "$(grep -c '^perf0: #' "$report")" "$(grep -c '^perf0: #' "$dir/dynamic-callback")"
has "stripped: what is known" "$report" 'perf0: #0 +0x[0-9a-f]+ in \?\? from stripped'

# The debug file of a stripped program has the names.
objcopy --only-keep-debug "$dir/dynamic" "$dir/stripped.debug"
objcopy --add-gnu-debuglink="$dir/stripped.debug" "$dir/stripped"
crash stripped callback 139
called "stripped, with a debug file" "shop::Order::compare(void const*, void const*):$(line compare)"

# The addresses of the code differ from its offsets in the file.
g++ -g -O1 -pthread -Wl,-Ttext-segment=0x7000000 -o "$dir/displaced" tests/linux/crash.cc
crash displaced callback 139
called "displaced: the innermost" "shop::Order::compare(void const*, void const*):$(line compare)"

# A program that --file takes from another path of the host crashes in a child process.
boot "$dir/elsewhere" --file "$dir/dynamic:/opt/prog" -- /bin/sh -c '/opt/prog abort; echo "it was $?"'
has "a child: its parent goes on" "$dir/elsewhere" 'it was 134'
has "a child: it is told" "$dir/elsewhere" 'perf0: /opt/prog \(process [0-9]+, thread [0-9]+\) ended: SIGABRT'
has "elsewhere: it has names" "$dir/elsewhere" "perf0: #[0-9]+ +0x[0-9a-f]+ in shop::give_up\(\)\+0x[0-9a-f]+ at crash.cc:$(line give_up)"

# SIGKILL is no crash.
boot "$dir/killed" -- /bin/sh -c 'kill -9 $$'
is "killed is not crashed" "$(grep -c '(process' "$dir/killed")" 0
finish
