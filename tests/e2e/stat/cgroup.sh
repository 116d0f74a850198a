# SPDX-License-Identifier: BSD-2-Clause
# Events of cgroups: -G and --for-each-cgroup. The groups exist when the workload begins. It moves tasks into them, and
# each group's count is exact.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/spin.c" <<EOF
#include <stdlib.h>
int main(int n, char **words)
{
	for (volatile long i = n > 1 ? atol(words[1]) : 0; i > 0; i--)
		;
}
EOF
gcc -O1 -static -o "$dir/spin" "$dir/spin.c"
# enter GROUP N: runs a program in that group. Its shell executes the same number of instructions there each time.
cat >"$dir/lib.sh" <<EOF
cd /sys/fs/cgroup
enter() { /bin/sh -c 'echo 0 >"\$0"/cgroup.procs; exec $PWD/$dir/spin "\$1"' "\$1" "\$2"; }
EOF
for script in "twins enter a 20000 & enter b 20000 & wait" "nested enter p/x 1000; enter p/y 5000; enter a 1000" \
	"again cat /proc/self/cgroup; rmdir a; mkdir a; enter a 3000; ls -d b" "spin enter a 20000"; do
	printf '. %s\n%s\n' "$PWD/$dir/lib.sh" "${script#* }" >"$dir/${script%% *}.sh"
done
files="--file /bin/sh --file /bin/mkdir --file /bin/rmdir --file /bin/cat --file /bin/ls --file $dir"
sh() { echo "/bin/sh $PWD/$dir/$1.sh"; }
i=instructions:u

# shellcheck disable=SC2046,SC2086 # words of commands
boot "$dir/stat" $files -o "$dir/run" -- \
	stat -a -e $i --for-each-cgroup a,b,empty $(sh twins) \; free \; \
	stat -a -e $i,$i,$i,$i,$i,$i,$i -G p,p/x,/p/y,a,,/,b -x, $(sh nested) \; free \; \
	stat -C 0 -j -r 2 -e "{$i,branches:u}" -G a $(sh spin) \; \
	stat -a -v -A -e $i -G a -e $i $(sh spin) \; \
	stat -a -e $i,$i -G a,b $(sh again) \; \
	stat -a -e $i -G a loop 1000 \; \
	stat -a -I 10 --summary -e $i -G a $(sh spin) \; \
	stat -a -e "{$i,$i}" -G a,b loop 10 \; \
	record -a -e $i -G a -c 1000 $(sh nested)
is "exit status" $status 0
# counted COMMAND: prints count and group of each line of that command's results in the form of `stat -x`.
counted() { $perf0 decode --csv --command "$1" "$dir/run/stream.perf0" 2>/dev/null | cut -d, -f1,4 | tr '\n' ' '; }
got=$(counted 0)
n=${got%%,*}
is "two like programs in two groups count alike" "$got" "$n,a $n,b <not counted>,empty "
has "the group stands behind the event" "$dir/stat" " +$(printf '%d' "$n" | sed 's/...$/,&/')      instructions:u                   b +"
has "where nothing ran nothing was counted" "$dir/stat" '     <not counted>      instructions:u            empty +'
is "nothing is left of groups" "$(grep 'free' "$dir/stat" | uniq | grep -c .)" 1

grep -E '^[^{]*,,instructions:u,' "$dir/stat" | cut -d, -f1,4 >"$dir/nested"
of() { sed -n "s|^\([^,]*\),$1\$|\1|p" "$dir/nested"; }
is "groups in the order of events" "$(cut -d, -f2 "$dir/nested" | tr '\n' ' ')" "p p/x /p/y a  / b "
is "a group has what those below it have" "$(of p)" $(($(of p/x) + $(of /p/y)))
is "and no more than ran there" "$(of p/x)" "$(of a)"
is "the root of groups has all" "$(of /)" "$(of '')"
is "a group without tasks" "$(of b)" "<not counted>"
is "the host's rows are the same" "$(counted 2)" "$(tr '\n' ' ' <"$dir/nested")"

has "JSON has the group" "$dir/stat" '.*"event" : "instructions:u", "cgroup" : "a", "variance" : 0.00,.*'
is "each run has its groups" "$(grep -c '"cgroup" : "a"' "$dir/stat")" 2
is "the same count by -j, -A and -I" "$(sed -n 's/.*"\([0-9]*\).000000", "unit" : "", "event" : "instr.*/\1/p' "$dir/stat")" \
	"$(sed -n 's/^CPU0: instructions:u a: \([0-9]*\) .*/\1/p' "$dir/stat")"
is "-I: the parts are the whole" \
	"$(awk '$1 ~ /^0\./ && $3 == "instructions:u" && $4 == "a" { gsub(",", ""); n += $2 } END { print n }' "$dir/stat")" \
	"$(sed -n 's/^CPU0: instructions:u a: \([0-9]*\) .*/\1/p' "$dir/stat")"
has "an event in front of which no -G stands is of all" "$dir/stat" 'CPU0: instructions:u: [0-9]{6,} .*'
has "a program begins in the root" "$dir/stat" '0::/'
is "a group that comes again is another one" "$(counted 6)" "<not counted>,a <not counted>,b "
is "a built-in workload enters none" "$(counted 7)" "<not counted>,a "
has "events of one group are of one cgroup" "$dir/stat" \
	'stat: instructions:u: the events of a group must all have the same target'

$perf0 decode --command 10 "$dir/run/stream.perf0" -o "$dir/data" >/dev/null 2>&1
is "record -G: samples of the group's program, one each 1000" \
	"$(perf script -i "$dir/data" -F comm 2>/dev/null | grep -c .)" $(($(of a) / 1000))
is "record -G: and of no other" "$(perf script -i "$dir/data" -F comm 2>/dev/null | sort -u | tr -d ' ' | tr '\n' ' ')" "sh spin "
finish
