# SPDX-License-Identifier: BSD-2-Clause
# Stock perf in Debian's kernel, a guest of vpmu, traces branches and instructions: each is in the trace, in order, and
# their number is the count.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_kernel.sh"

find_kernel "branch traces"
find_busybox "branch traces"

shared=$dir/shared
mkdir "$shared"
gcc -O1 -g -fno-inline -fno-optimize-sibling-calls -nostdlib -static -o "$shared/branchy" tests/guests/alone/branchy.c

# linux NAME ARGS...: runs the script $shared/NAME in Debian's kernel; its output goes to NAME.out.
linux() {
	script=$1
	shift
	$perf0 linux --timeout $patience --share "$shared" "$@" "$kernel" -- sh "$script" >"$dir/$script.out" 2>"$dir/$script.err" </dev/null
	is "$script: status" $? 0
}

# count EVENT FILE: prints the event's count, from the output of perf stat -x in FILE.
count() { sed -n "s/^\([0-9]*\),,$1,.*/\1/p" "$2" | head -n 1; }

# The BTS buffers of a process hold each branch, and perf decodes each instruction from the PT packets. (nopti: Linux
# allocates a BTS buffer of its own only where the kernel's pages stay mapped in ring 3.)
cat >"$shared/both" <<-'SCRIPT'
	perf stat -x , -e r20c4:u,instructions:u -- ./branchy 2>&1
	perf record -B -N --per-thread -o bts.data -e intel_bts//u -- ./branchy 2>&1
	perf record -B -N -o pt.data -e intel_pt//u -- ./branchy 2>&1
	exit 0
SCRIPT
linux both --uarch icl --append nopti
taken=$(count r20c4:u "$dir/both.out")
instructions=$(count instructions:u "$dir/both.out")
branches_of() {
	perf script -D -i "$1" 2>/dev/null | grep -a ' -> [0-9a-f]* \(pred\|miss\)' |
		sed 's/.*00 \([0-9a-f]* -> [0-9a-f]*\) .*/\1/' | grep '^4[0-9a-f]* -> 4'
}
is "BTS: each branch that was taken" "$(branches_of "$shared/bts.data" | wc -l)" "$taken"
is "PT: no errors" "$(perf script -i "$shared/pt.data" --itrace=e 2>&1)" ""
is "PT: each instruction" "$(perf script -i "$shared/pt.data" --itrace=i1i -F ip 2>/dev/null | wc -l)" "$instructions"
if ! soaking; then
	finish
	exit
fi

# A sample of each branch agrees with the buffer.
cat >"$shared/bts" <<-'SCRIPT'
	perf stat -x , -e r20c4:u -- ./branchy 2>&1
	perf record -d -o samples.data -e branches:u -c 1 -- ./branchy 2>&1
	perf record --per-thread -o bts.data -e intel_bts//u -- ./branchy 2>&1
	exit 0
SCRIPT
linux bts --uarch icl --append nopti
taken=$(count r20c4:u "$dir/bts.out")
perf script -i "$shared/samples.data" -F ip,sym,addr >"$dir/samples" 2>/dev/null
is "BTS: a sample for each branch that was taken" "$(wc -l <"$dir/samples")" "$taken"
has "it has source and target" "$dir/samples" ' *[0-9a-f]+ .* => +[0-9a-f]+ twice'
branches_of "$shared/bts.data" >"$dir/bts"
is "the buffer of a process has the same ones" "$(wc -l <"$dir/bts")" "$taken"
sed 's/ *\([0-9a-f]*\) [^ ]* => *\([0-9a-f]*\) .*/\1 -> \2/' "$dir/samples" >"$dir/samples.ends"
if cmp -s "$dir/samples.ends" "$dir/bts"; then ok "in the same order"; else not_ok "in the same order" "$(diff "$dir/samples.ends" "$dir/bts" | head -n 5)"; fi

# Processor Trace of ring 3: perf decodes exactly the instructions that were counted.
cat >"$shared/pt" <<-'SCRIPT'
	perf stat -x , -e instructions:u,branches:u -- ./branchy 2>&1
	perf record -o pt.data -e intel_pt//u -- ./branchy 2>&1
	perf record -o returns.data -e intel_pt/noretcomp/u -- ./branchy 2>&1
	perf record --kcore -m 2048,1024 -o both.data -e intel_pt// -- ./branchy 2>&1
	exit 0
SCRIPT
for u in skx icl adl; do
	linux pt --uarch "$u"
	instructions=$(count instructions:u "$dir/pt.out")
	for data in pt returns; do
		is "$u: PT ($data): no errors" "$(perf script -i "$shared/$data.data" --itrace=e 2>&1)" ""
		perf script -i "$shared/$data.data" --itrace=i1i -F ip,sym >"$dir/$data" 2>/dev/null
		is "$u: PT ($data): each instruction" "$(wc -l <"$dir/$data")" "$instructions"
	done
	is "$u: PT: the same ones" "$(cksum <"$dir/pt")" "$(cksum <"$dir/returns")"
	perf script -D -i "$shared/pt.data" 2>/dev/null | grep -ac ' TIP 0x' >"$dir/tips"
	perf script -D -i "$shared/returns.data" 2>/dev/null | grep -ac ' TIP 0x' >>"$dir/tips"
	is "$u: PT: returns are told by a bit" "$(sort -nu "$dir/tips" | head -n 1)" "$(head -n 1 "$dir/tips")"
	is "$u: PT of both rings: no errors" "$(perf script -i "$shared/both.data" --itrace=e 2>&1)" ""
	perf script -i "$shared/both.data" --itrace=i1i -F ip >"$dir/both" 2>/dev/null
	is "$u: PT of both rings: each instruction of ring 3" "$(grep -c ' 4.....$' "$dir/both")" "$instructions"
	is "$u: PT of both rings: there is ring 0" "$([ "$(grep -c ' ffffffff........$' "$dir/both")" -gt 10000 ] && echo yes)" yes
	rm -rf "$shared/pt.data" "$shared/returns.data" "$shared/both.data"
done

# Two CPUs, a large and a small one: each has a trace of its own.
cp "$shared/branchy" "$shared/other"
cat >"$shared/smp" <<-'SCRIPT'
	perf record -a -o smp.data -e intel_pt//u -- sh -c './branchy & ./other & wait' 2>&1
	exit 0
SCRIPT
linux smp --smp 2 --uarch adl
is "two CPUs: no errors" "$(perf script -i "$shared/smp.data" --itrace=e 2>&1)" ""
perf script -i "$shared/smp.data" --itrace=i1i -F comm,cpu,ip >"$dir/smp" 2>/dev/null
for program in branchy other; do
	is "two CPUs: each instruction of $program" "$(grep -cE "^ *$program .00[01]. +4.....$" "$dir/smp")" "$instructions"
done
is "two CPUs: both are there" "$(grep -oF -e '[000]' -e '[001]' "$dir/smp" | sort -u | wc -l)" 2
finish
