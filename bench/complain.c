// SPDX-License-Identifier: BSD-2-Clause
/* complain.c - see complain.h. */
#include "bench/complain.h"

#include "bench/bench_sys.h"

#include <asm/sigcontext.h>
#include <asm/siginfo.h>
#include <asm/signal.h>
#include <asm/ucontext.h>
#include <stdbool.h>

#define LINE_MAX    160
#define STACK_BYTES 16384
#define VECTOR_BP   3
#define VECTOR_PF   14
#define SA_RESTORER 0x04000000

struct line {
	char text[LINE_MAX];
	size_t n;
};

static void append_text(struct line *l, const char *text)
{
	while (*text && l->n < sizeof(l->text) - 1)
		l->text[l->n++] = *text++;
	l->text[l->n] = '\0';
}

static void append_number(struct line *l, uint64_t value, unsigned base)
{
	char digits[24];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	append_text(l, base == 16 ? "0x" : "");
	append_text(l, digits + at);
}

_Noreturn static void end(int status, struct line *l)
{
	append_text(l, "\n");
	sys_print(2, l->text);
	sys_exit(status);
}

_Noreturn void fail(int status, const char *why)
{
	struct line line = {.n = 0};

	append_text(&line, "bench: ");
	append_text(&line, why);
	end(status, &line);
}

/* --- Exceptions --- */

static struct {
	const uint8_t *at;
	size_t bytes;
	uint64_t n;
} copies;

void watched_copies(const uint8_t *at, size_t bytes, uint64_t n)
{
	copies.at = at;
	copies.bytes = bytes;
	copies.n = n;
}

static void append_place(struct line *l, uint64_t rip)
{
	const uint64_t offset = rip - (uint64_t)copies.at;

	if (!copies.bytes || offset >= copies.bytes * copies.n) {
		append_text(l, ", beside its copies, at ");
		append_number(l, rip, 16);
		return;
	}
	append_text(l, " in byte ");
	append_number(l, offset % copies.bytes, 10);
	append_text(l, " of copy ");
	append_number(l, offset / copies.bytes + 1, 10);
}

static const char *vector_name(uint64_t vector)
{
	static const char names[][4] = {"#DE", "#DB", "NMI", "#BP", "#OF", "#BR", "#UD",
					"#NM", "#DF", "#MF", "#TS", "#NP", "#SS", "#GP",
					"#PF", "",    "#MF", "#AC", "#MC", "#XM"};

	return vector < sizeof(names) / sizeof(names[0]) ? names[vector] : "an exception";
}

_Noreturn static void fail_by_second(const struct bench_fault *fault)
{
	struct line line = {.n = 0};

	append_text(&line, "bench: --sibling: the code raised ");
	append_text(&line, vector_name(fault->vector));
	end(STATUS_FAILED, &line);
}

static void (*survivor)(const struct bench_fault *fault);

void survive_faults(void (*go_on)(const struct bench_fault *fault))
{
	survivor = go_on;
}

_Noreturn void fail_by_fault(const struct bench_fault *fault)
{
	struct line line = {.n = 0};

	if (survivor)
		survivor(fault);
	append_text(&line, "bench: the code raised ");
	append_text(&line, vector_name(fault->vector));
	/* RIP is behind INT3 by then. */
	append_place(&line, fault->rip - (fault->vector == VECTOR_BP));
	if (fault->vector == VECTOR_PF) {
		append_text(&line, ": address ");
		append_number(&line, fault->address, 16);
	}
	end(STATUS_FAILED, &line);
}

static uint8_t second_stack[STACK_BYTES];

/* Whether this thread's stack is the second thread's. */
static bool is_second(const void *here)
{
	const uint64_t at = (uint64_t)here - (uint64_t)second_stack;

	return at < sizeof(second_stack);
}

static void fail_by_signal(int number, siginfo_t *info, void *context)
{
	const struct sigcontext *at = (const void *)&((struct ucontext *)context)->uc_mcontext;
	const struct bench_fault fault = {.vector = at->trapno, .rip = at->rip, .address = at->cr2};

	(void)number;
	(void)info;
	if (is_second(&fault))
		fail_by_second(&fault);
	fail_by_fault(&fault);
}

__asm__(".globl bench_restorer\n"
	"bench_restorer:\n\t"
	"mov $15, %eax\n\t"
	"syscall\n");
void bench_restorer(void);

struct signal_action {
	void (*handler)(int number, siginfo_t *info, void *context);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

static void use_stack(uint8_t *stack)
{
	const stack_t own = {.ss_sp = stack, .ss_size = STACK_BYTES};

	sys_call(__NR_sigaltstack, (uint64_t)&own, 0, 0, 0, 0, 0);
}

void watch_thread(void)
{
	use_stack(second_stack);
}

/* Exceptions are handled on a stack of their own: RSP may be anything. */
void watch_code(void)
{
	static uint8_t stack[STACK_BYTES];
	static const int numbers[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};
	const struct signal_action action = {
		.handler = fail_by_signal,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTORER,
		.restorer = bench_restorer,
	};

	use_stack(stack);
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sys_call(__NR_rt_sigaction, (uint64_t)numbers[i], (uint64_t)&action, 0, 8, 0, 0);
}
