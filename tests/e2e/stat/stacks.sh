# SPDX-License-Identifier: BSD-2-Clause
# Exact profiles of programs that switch stacks: coroutines, handlers on a stack of their own, goroutines. Their
# functions count what they call, and nothing else.
. "$(dirname "$0")/../_lib.sh"

cat >"$dir/co.c" <<'SOURCE'
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#define APART __attribute__((noinline))
static ucontext_t back, co[3];
static sigjmp_buf out;
/* 2 * n + 1 instructions */
APART void work(int n) { __asm__ volatile("1: dec %0; jnz 1b" : "+r"(n)); }
APART void yield_from(int i) { swapcontext(&co[i], &back); }
APART void inner(int i) { work(1000); yield_from(i); work(2000); }
APART void body(int i) { for (int k = 0; k < 10; k++) inner(i); }
APART void resume(int i) { swapcontext(&back, &co[i]); }
APART void other(int n) { work(n); }
APART void coroutines(char *room, int size) {
	for (int i = 0; i < 3; i++) {
		getcontext(&co[i]);
		co[i].uc_stack.ss_sp = room + i * size;
		co[i].uc_stack.ss_size = size;
		co[i].uc_link = &back;
		makecontext(&co[i], (void (*)(void))body, 1, i);
	}
	for (int k = 0; k < 11; k++) for (int i = 0; i < 3; i++) { other(500); resume(i); }
}
APART void handler(int s) { work(100); if (s == SIGUSR2) siglongjmp(out, 1); }
APART void raiser(int n) { work(n); raise(SIGUSR1); work(n); }
APART void jumper(int n) { if (!sigsetjmp(out, 1)) { work(n); raise(SIGUSR2); } work(n); }
APART void quiet(int n) { work(n); }
APART void handlers(void *room, int size) {
	stack_t s = {.ss_sp = room, .ss_size = size};
	struct sigaction a = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	sigaltstack(&s, NULL);
	sigaction(SIGUSR1, &a, NULL);
	sigaction(SIGUSR2, &a, NULL);
	for (int i = 0; i < 10; i++) { raiser(1000); jumper(2000); quiet(500); }
}
/* A stack that lies below the program's own, or one that lies in its middle. */
int main(int argc, char **argv) {
	char within[1 << 18];
	int size = atoi(argv[1]);
	char *room = argc > 2 ? within : malloc(4 * size);
	coroutines(room, size);
	handlers(room + 3 * size, size);
	return 0;
}
SOURCE
if ! gcc -O1 -g -static -o "$dir/co" "$dir/co.c" 2>"$dir/gcc"; then
	skip "stacks" "no static libc here ($(head -n 1 "$dir/gcc"))"
	exit 0
fi

# profile ARGS...: profiles a program. row FUNCTION: calls, self and inclusive instructions.
profile() { $perf0 profile -e instructions:u -n 9000 --callgrind "$dir/callgrind" -- "$@" >"$dir/out" 2>"$dir/err"; }
row() { sed -n '/:u, by function/,/total/p' "$dir/out" | tr -d , | awk -v f="$1" '$5 == f { print $1, $2, $4 }'; }
calls() { row "$1" | cut -d ' ' -f 1; }
own() { row "$1" | cut -d ' ' -f 2; }
inside() { row "$1" | cut -d ' ' -f 3; }

for words in 65536 4096 "4096 in"; do
	profile "$dir/co" $words
	is "$words: calls of a coroutine's functions" "$(calls body) $(calls inner) $(calls yield_from) $(calls resume)" "3 30 30 33"
	swap=$(($(own __swapcontext) / 63))
	is "$words: swapcontext(3) has no more than its own" "$(inside __swapcontext)" $((63 * swap))
	is "$words: a switch is inside of the function that makes it" "$(inside resume) $(inside yield_from)" \
		"$(($(own resume) + 33 * swap)) $(($(own yield_from) + 30 * swap))"
	is "$words: a function goes on behind a switch" "$(inside inner)" "$(($(own inner) + 30 * (2001 + 4001) + $(inside yield_from)))"
	is "$words: a coroutine's outermost function" "$(inside body)" "$(($(own body) + $(inside inner)))"
	is "$words: who resumes it has nothing of it" "$(inside coroutines)" \
		"$(($(own coroutines) + $(inside other) + $(inside resume) + $(inside __getcontext) + $(inside __makecontext)))"
	is "$words: handlers" "$(inside handler)" "$(($(own handler) + 20 * 201 + $(inside __libc_siglongjmp)))"
	is "$words: raise(3) has its handler inside" "$(($(inside raiser) - $(own raiser) - 20 * 2001 > 10 * 201))" 1
	is "$words: functions behind siglongjmp(3)" "$(inside quiet)" "$(($(own quiet) + 10 * 1001))"
done

# Go: stacks that grow and move, a switch for each call of the runtime, preemption by signals.
if ! command -v go >/dev/null; then
	skip "goroutines" "# not run: go test -c: no go here"
	finish
	exit
fi
mkdir "$dir/go"
printf 'module stacks\ngo 1.19\n' >"$dir/go/go.mod"
cat >"$dir/go/stacks_test.go" <<'SOURCE'
package stacks

import "testing"

//go:noinline
func deep(n int) int {
	var room [64]byte
	room[n%64] = 1
	if n == 0 {
		return int(room[0])
	}
	return deep(n-1) + int(room[1])
}

//go:noinline
func leaf(n int) (s int) {
	for i := 0; i < n; i++ {
		s += i * i
	}
	return
}

func BenchmarkDeep(b *testing.B) {
	for i := 0; i < b.N; i++ {
		deep(3000)
	}
}

func BenchmarkChannel(b *testing.B) {
	to, from := make(chan int), make(chan int)
	go func() {
		for n := range to {
			from <- leaf(n)
		}
	}()
	for i := 0; i < b.N; i++ {
		to <- 100
		<-from
	}
}
SOURCE
(cd "$dir/go" && HOME=$dir GOFLAGS=-mod=mod go test -c -o stacks .) >"$dir/go.log" 2>&1
is "Go's program is built" "$? $(cat "$dir/go.log")" "0 "
profile "$dir/go/stacks" -test.run '^$' -test.bench Deep -test.benchtime=100x
is "Go: calls" "$(calls stacks.BenchmarkDeep) $(calls stacks.deep)" "2 $((101 * 3001))"
is "Go: a function whose stack moves" "$(inside stacks.BenchmarkDeep)" "$(($(own stacks.BenchmarkDeep) + $(inside stacks.deep)))"
# Calls within those of the signal that asks a goroutine to yield.
preempted() { echo $(($(inside runtime.asyncPreempt.abi0) + $(inside runtime.sigtramp.abi0) + $(inside runtime.sigreturn.abi0))); }
is "Go: the runtime's work for it is inside" "$(($(inside stacks.deep) > $(own stacks.deep) && $(inside stacks.deep) <= \
	$(own stacks.deep) + $(inside runtime.morestack_noctxt.abi0) + $(preempted)))" 1
profile "$dir/go/stacks" -test.run '^$' -test.bench Channel -test.benchtime=100x
is "Go: functions of another goroutine are not inside" "$(($(inside stacks.BenchmarkChannel.func1) > $(inside stacks.leaf) && \
	$(calls stacks.leaf) == 101 && $(inside stacks.leaf) >= $(own stacks.leaf) && \
	$(inside stacks.leaf) <= $(own stacks.leaf) + $(preempted)))" 1
finish
