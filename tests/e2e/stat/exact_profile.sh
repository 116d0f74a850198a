# SPDX-License-Identifier: BSD-2-Clause
# Exact profiles: `stat --functions` and `profile`. Their sums are the counts of stat, functions count what callgrind
# counts, other programs read the files, and bad input costs one line.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/calls.c" <<'SOURCE'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define APART __attribute__((noinline))
static jmp_buf back;
APART int leaf(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
APART int tail(int n) { return leaf(n + 1); }
APART int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
APART int odd(int n);
APART int even(int n) { return n ? odd(n - 1) : 1; }
APART int odd(int n) { return n ? even(n - 1) : 0; }
APART void thrower(int n) { leaf(n); longjmp(back, 1); }
APART void between(int n) { thrower(n); }
APART void jumps(int n) { for (volatile int i = 0; i < n; i++) if (!setjmp(back)) between(3); }
APART int filled(int n) { char *p = malloc(n); memset(p, 1, n); n = p[n / 2]; free(p); return n; }
static void handler(int number) { leaf(number); }
APART void signals(int n) { signal(SIGUSR1, handler); for (int i = 0; i < n; i++) raise(SIGUSR1); }
APART void trapped(int n) { signal(SIGTRAP, handler); __asm__ volatile("int3"); leaf(n); for (volatile int i = 0; i < n; i++); }
static void *thread(void *n) { for (int i = 0; i < 50; i++) leaf((int)(long)n); return NULL; }
APART void threads(int n) {
	pthread_t t[8];
	for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, thread, (void *)(long)(i + 1));
	for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
}
APART void child(int n) { if (!fork()) { leaf(n); _exit(0); } wait(NULL); }
int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	int r = 0;
	for (int i = 0; i < 100; i++) r += tail(10);
	r += fib(15) + even(40) + filled(5000);
	jumps(10);
	if (strchr(what, 's')) { signals(5); trapped(1000); }
	if (strchr(what, 't')) threads(4);
	if (strchr(what, 'c')) child(9);
	if (strchr(what, 'k')) abort();
	return r == 1;
}
SOURCE
if ! gcc -O1 -g -static -pthread -o "$dir/calls" "$dir/calls.c" 2>"$dir/gcc"; then
	skip "profiles" "no static libc here ($(head -n 1 "$dir/gcc"))"
	exit 0
fi
gcc -O1 -g -pthread -o "$dir/dynamic" "$dir/calls.c"

# count WORDS...: instructions:u of stat. total FILE: the sum of a table of functions.
count() { $perf0 stat -x , -e instructions:u "$@" 2>/dev/null | cut -d , -f 1; }
total() { sed -n '/instructions:u, by function/,/total/s/^ *\([0-9,]*\) .*total$/\1/p' "$1" | tr -d ,; }
counted() { sed -n 's/^ *\([0-9,]*\) *instructions:u .*/\1/p' "$1" | tr -d ,; }
for words in "-- $dir/calls" "-- $dir/calls stc" "-- $dir/dynamic stc" "--smp 2 -- $dir/calls st"; do
	before=${words%%-- *} after=${words#*-- }
	$perf0 stat $before -e instructions:u --functions=30 -- $after >"$dir/out" 2>"$dir/err"
	is "$before$after: functions add up to stat's count" "$(total "$dir/out")" "$(counted "$dir/out")"
done

# Modelled events: with the model's thread and without, in several threads and on several CPUs.
modelled="cycles:u branch-misses:u l1d.replacement:u mem_load_retired.l1_miss:u"
sums() { for e in $modelled; do sed -n "/$e \[modelled\], by/,/total/s/^ *\([0-9,]*\) .*total\$/\1/p" "$1"; done | xargs; }
stats() { for e in $modelled; do sed -n "s/^ *\([0-9,]*\) *$e .*/\1/p" "$1"; done | xargs; }
for words in "-- $dir/calls" "-- $dir/calls stc" "-- $dir/dynamic stc" "--smp 2 -- $dir/calls st"; do
	before=${words%%-- *} after=${words#*-- }
	[ -z "$before" ] || modelled=${modelled#* } # a CPU ends with a part of a cycle
	list=$(echo "$modelled" | tr ' ' ,)
	$perf0 stat $before -e "$list" --functions=30 --profile-event "$list" -- $after >"$dir/out" 2>"$dir/err"
	is "$before$after: functions add up to the modelled counts" "$(sums "$dir/out")" "$(stats "$dir/out")"
	has "$before$after: which are some" "$dir/out" ' branch-misses:u \[modelled\], by function:'
done
modelled="cycles:u branch-misses:u"
$perf0 profile -e cycles:u,branch-misses:u -n 1000 --callgrind "$dir/modelled" -- "$dir/calls" >"$dir/out" 2>"$dir/err"
is "a modelled callgrind.out: its sums" "$(awk '/^(totals|summary):/ { print $2 "," $3; exit }' "$dir/modelled")" \
	"$(for e in $modelled; do sed -n "/$e \[modelled\], by/,/total/s/^ *\([0-9,]*\) .*total\$/\1/p" "$dir/out" | tr -d ,; done | xargs | tr ' ' ,)"
is "its lines add up" "$(awk '/^calls=/ { getline; next } /^[0-9+*-]/ { c += $(NF - 1); b += $NF } END { print c "," b }' "$dir/modelled")" \
	"$(awk '/^(totals|summary):/ { print $2 "," $3; exit }' "$dir/modelled")"
$perf0 stat --line calls.c:12 --profile-event cycles:u -- "$dir/calls" >"$dir/out" 2>"$dir/err"
is "a modelled event by line: status" "$?" 1
has "a modelled event by line: why" "$dir/err" '.*cycles:u is modelled: functions and calls have it, no line has'
$perf0 profile --events counts -e cycles:u -- "$dir/calls" >"$dir/out" 2>"$dir/err"
has "a modelled event without the model: why" "$dir/err" '.*modelled events need --events model'

is "which is the count without a profile" "$(count -- "$dir/calls")" \
	"$($perf0 stat -x , -e instructions:u --functions -- "$dir/calls" 2>/dev/null | head -n 1 | cut -d , -f 1)"

# A machine that stays has no profile, so a command that wants one has its own machine.
printf 'stat -e instructions:u -- %s\nstat -e instructions:u --functions -- %s\n' "$dir/calls" "$dir/calls" >"$dir/lines"
$perf0 shell "$dir/lines" >"$dir/out" 2>"$dir/err"
is "in a shell: functions add up" "$(total "$dir/out")" "$(counted "$dir/out" | tail -n 1)"

# row FUNCTION: calls, self and inclusive instructions.
$perf0 profile -e instructions:u -n 1000 --callgrind "$dir/ours" --folded "$dir/folded" --speedscope "$dir/speedscope" \
	--pprof "$dir/pprof" --html "$dir/page.html" -- "$dir/calls" st >"$dir/out" 2>"$dir/err"
is "all forms of a profile: status" "$? $(cat "$dir/err")" "0 "
row() { sed -n '/:u, by function/,/total/p' "$dir/out" | tr -d , | awk -v f="$1" '$5 == f { print $1, $2, $4 }'; }
is "a function that is called from several threads" "$(row leaf | cut -d ' ' -f 1)" $((100 + 10 + 5 + 1 + 1 + 200))
is "calls by jumps" "$(row tail | cut -d ' ' -f 1)" 100
is "frames that longjmp(3) leaves" "$(row between | cut -d ' ' -f 1) $(row thrower | cut -d ' ' -f 1)" "10 10"
is "a signal's handler" "$(row handler | cut -d ' ' -f 1)" 6
is "what goes on behind a handler is not inside of it" "$(row __restore_rt | cut -d ' ' -f 2)" "$(row __restore_rt | cut -d ' ' -f 3)"

# callgrind counts the same, where both execute the same instructions.
cat >"$dir/callgrind.py" <<'PYTHON'
import re, sys
# Prints FUNCTION SELF CALLS INCLUSIVE for the functions that a callgrind.out has, calls from itself left out.
names, own, calls, inside = {}, {}, {}, {}
function = callee = None
number = 0
def name(text):
    m = re.match(r"\((\d+)\)(?: (.*))?", text)
    if not m:
        return text
    if m[2]:
        names[m[1]] = m[2]
    return names[m[1]]
for line in open(sys.argv[1]):
    line = line.rstrip("\n")
    if line.startswith("fn="):
        function = name(line[3:])
    elif line.startswith("cfn="):
        callee = name(line[4:])
    elif line.startswith("calls="):
        number = int(line[6:].split()[0])
    elif re.match(r"[+*\-\d]", line) and function:
        cost = int(line.split()[1]) if len(line.split()) > 1 else 0
        base = re.sub(r"'\d+$", "", callee) if callee else None
        if callee is None:
            own[function] = own.get(function, 0) + cost
        else:
            calls[base] = calls.get(base, 0) + number
            inside[base] = inside.get(base, 0) + cost
        callee = None
for f in sys.argv[2:]:
    same = [k for k in own if re.sub(r"'\d+$", "", k) == f]
    print(f, sum(own[k] for k in same), calls.get(f, 0), inside.get(f, 0))
PYTHON
if command -v valgrind >"$dir/which"; then
	$perf0 profile -e instructions:u --callgrind "$dir/ours" -- "$dir/calls" >"$dir/out" 2>"$dir/err"
	valgrind --tool=callgrind --callgrind-out-file="$dir/theirs" "$dir/calls" >"$dir/valgrind" 2>&1
	python3 "$dir/callgrind.py" "$dir/ours" leaf tail odd even between thrower jumps fib >"$dir/ours.txt"
	python3 "$dir/callgrind.py" "$dir/theirs" leaf tail odd even between thrower jumps fib >"$dir/theirs.txt"
	is "self costs are callgrind's" "$(cut -d ' ' -f 1,2 "$dir/ours.txt")" "$(cut -d ' ' -f 1,2 "$dir/theirs.txt")"
	is "calls and inclusive costs are callgrind's" "$(grep -E '^(leaf|tail|jumps) ' "$dir/ours.txt")" \
		"$(grep -E '^(leaf|tail|jumps) ' "$dir/theirs.txt")"
	is "callgrind_annotate reads it" "$(callgrind_annotate "$dir/ours" 2>&1 | grep -c 'calls.c:fib ' | awk '{ print ($1 > 0) }')" 1
else
	skip "callgrind's counts" "no valgrind here"
fi
is "folded stacks add up" "$(awk '{ s += $NF } END { print s }' "$dir/folded")" "$(count -- "$dir/calls" st)"
is "speedscope's add up" "$(python3 -c 'import json, sys
print(sum(json.load(open(sys.argv[1]))["profiles"][0]["weights"]))' "$dir/speedscope")" "$(count -- "$dir/calls" st)"
is "pprof's file is whole" "$(gzip -dc "$dir/pprof" 2>&1 | wc -c | awk '{ print ($1 > 1000) }')" 1
has "the page has the functions" "$dir/page.html" '.*fib.*'

# Self counts alone.
selves() { sed -n '/instructions:u, by/,/total/p' "$dir/out" | awk -v self="$1" -v name="$2" '/%/ && $self != "0" { print $self, $name, $(name + 1) }'; }
$perf0 stat -e instructions:u --functions=1000 --profile-event instructions:u -- "$dir/dynamic" stc >"$dir/out" 2>&1
selves 2 5 | sed '$d' | sort >"$dir/with_calls"
$perf0 stat -e instructions:u --functions=1000 --self -- "$dir/dynamic" stc >"$dir/out" 2>&1
selves 1 3 | sed '$d' | sort >"$dir/without"
is "--self: the same without calls" "$(cat "$dir/without")" "$(cat "$dir/with_calls")"
is "--self: there are some" "$(($(wc -l <"$dir/without") > 50))" 1
is "--self: no such columns" "$(grep -cE 'calls|inclusive' "$dir/out")" 0
$perf0 stat --self --functions --profile-event instructions:k -- "$dir/calls" >"$dir/out" 2>"$dir/err"
is "--self: an event that needs calls" "$? $(cat "$dir/err")" "2 perf0: --self: instructions:k is not counted without calls"

# Inside of functions, and of a line.
$perf0 stat -e instructions:u --function 'tail,fi*' --line calls.c:13 --calls=30 -- "$dir/calls" >"$dir/out" 2>&1
has "functions by patterns" "$dir/out" '.* fib .*'
has "a line" "$dir/out" '.*calls\.c:13.*'
has "calls, with their place" "$dir/out" '.*[-=]> leaf .*'

# Functions of children and of programs that execute another one: they are inside of the functions that made them. All
# is inside of _start.
cat >"$dir/forks.c" <<'SOURCE'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define APART __attribute__((noinline))
static volatile unsigned long sum;
APART void work(int n) { while (n--) sum++; }
APART void in_child(int n) { if (!fork()) { work(n); _exit(0); } wait(NULL); }
APART int twice(int n) { work(n); return fork(); }
APART void execs(void) { work(10); execl("/proc/self/exe", "forks", "400", NULL); }
static void *thread(void *n) { work((int)(long)n); in_child(30); return NULL; }
int main(int argc, char **argv) {
	pthread_t t;
	if (argc > 1) { work(atoi(argv[1])); return 0; }
	in_child(1000);
	if (!twice(5)) { work(200); exit(0); }
	wait(NULL);
	if (!vfork()) { execs(); _exit(1); }
	wait(NULL);
	pthread_create(&t, NULL, thread, (void *)20L);
	pthread_join(t, NULL);
	execs();
}
SOURCE
gcc -O1 -g -static -pthread -o "$dir/forks" "$dir/forks.c"
# inside PATTERN: the instructions of ring 3 with such a stack. inclusive FUNCTION: by the table, which comes from calls.
inside() { awk -v pattern="$1" '/^instructions:u;/ && $0 ~ pattern { n += $NF } END { print n + 0 }' "$dir/folded"; }
inclusive() { sed -nE "/instructions:u, by/,/total/s/^ *[0-9,]+ +[0-9,]+ +[0-9.]+% +([0-9,]+) +$1 .*/\\1/p" "$dir/out" | tr -d ,; }
for words in '' '--smp 2'; do
	# shellcheck disable=SC2086 # words
	$perf0 profile $words -n 500 --folded "$dir/folded" -- "$dir/forks" >"$dir/out" 2>&1
	is "children $words: the stacks are all" "$(inside .)" "$(total "$dir/out")"
	for f in _start main in_child twice execs work thread; do
		is "children $words: all inside of $f" "$(inclusive $f)" "$(inside ";${f}[; ]")"
	done
	# n rounds of work() are each * n + once instructions.
	few=$(inside ';main;twice;work ')
	each=$((($(inside ';main;in_child;work ') - few) / 995))
	once=$((few - 5 * each))
	is "children $words: work() of main, execs, the thread and its child" \
		"$(inside ';main;work ') $(inside ';main;execs;work ') $(inside ';thread;work ') $(inside ';thread;in_child;work ')" \
		"$((1000 * each + 3 * once)) $((20 * each + 2 * once)) $((20 * each + once)) $((30 * each + once))"
done

# Programs that ask whether Valgrind runs them. Their instructions are the same.
gcc -O1 -static -o "$dir/asks" tests/linux/asks_valgrind.c
gcc -O1 -shared -fPIC -DLIBRARY -o "$dir/libasks.so" tests/linux/asks_valgrind.c
gcc -O1 -o "$dir/asks_library" tests/linux/asks_valgrind.c -Wl,--no-as-needed "$dir/libasks.so" -Wl,-rpath,"$PWD/$dir"
# asks ANSWER WORDS...: runs it, and checks its answers; prints instructions of the functions that ask to $dir/asked.
asks() {
	answer=$1
	shift
	$perf0 stat -e instructions:u --function 'ask*' "$@" -- "$dir/asks_library" >"$dir/out" 2>"$dir/err"
	has "$* the program's own answers" "$dir/out" \
		"own $answer, constant $answer, copied $answer, cut $((28 * answer)) of 28, child $answer, other 7"
	has "$* the library's answer" "$dir/out" "library $answer"
	sed -n '/instructions:u, by/,/inside/s/^ *[0-9]* *\([0-9,]*\) .* \(ask[a-z_]*\) .*/\2 \1/p' "$dir/out" | sort >"$dir/asked"
}
asks 0
cp "$dir/asked" "$dir/asked_first"
is "functions that ask" "$(cut -d ' ' -f 1 "$dir/asked" | xargs)" "ask ask ask_in_copy ask_in_library"
asks 1 --running-on-valgrind
is "instructions of the functions that ask" "$(cat "$dir/asked")" "$(cat "$dir/asked_first")"
asks 1 --running-on-valgrind --smp 2
is "the same with two CPUs" "$(cat "$dir/asked")" "$(cat "$dir/asked_first")"
$perf0 profile --running-on-valgrind --callgrind "$dir/ours" -- "$dir/asks" >"$dir/out" 2>"$dir/err"
has "a static program's answers" "$dir/out" 'own 1, constant 1, copied 1, cut 28 of 28, child 1, other 7'

# Bad input.
$perf0 profile --pprof "$dir/none/pprof" -- "$dir/calls" >"$dir/out" 2>"$dir/err"
is "a file that cannot be written: nothing is run" "$? $(cat "$dir/out" "$dir/err")" \
	"1 perf0 profile: $dir/none/pprof: No such file or directory"
$perf0 stat -e instructions:u --function 'leef' -- "$dir/calls" >"$dir/out" 2>"$dir/err"
is "a function that is none: status" "$?" 1
has "and what was meant" "$dir/err" ".*did you mean 'leaf'.*"
$perf0 profile -e cache-misses:u -- "$dir/calls" >"$dir/out" 2>"$dir/err"
is "an event that neither instructions nor calls have" "$? $(cut -c 1-66 "$dir/err")" \
	'2 perf0 profile: "cache-misses:u" is not counted by function; these '
strip -o "$dir/stripped" "$dir/calls"
$perf0 profile --callgrind "$dir/ours" -- "$dir/stripped" >"$dir/out" 2>"$dir/err"
is "without symbols: the sum is the same" "$(total "$dir/out")" "$(count -- "$dir/stripped")"
$perf0 profile --callgrind "$dir/ours" -- "$dir/calls" k >"$dir/out" 2>"$dir/err"
has "a program that is killed: until then" "$dir/out" '.* fib .*'
$perf0 profile --no-vpmu -- "$dir/calls" >"$dir/out" 2>"$dir/err"
has "without vpmu: the reason" "$dir/err" '.*profiles count what QEMU executes.*'

[ "$failures" = 0 ]
