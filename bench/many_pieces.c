// SPDX-License-Identifier: BSD-2-Clause
/* many_pieces.c - a program for Linux without a library that measures many pieces of code, one
 * after the other. An exception of a piece is its result, and the other pieces are measured all the
 * same. */
#include "bench/many_pieces.h"

#include "bench/complain.h"
#include "bench/bench_measure.h"
#include "bench/bench_sys.h"

/* The state in which the program goes on after a piece has raised an exception. */
static void *before[5];
static struct bench_fault raised;

static void leave_piece(const struct bench_fault *fault)
{
	raised = *fault;
	__builtin_longjmp(before, 1);
}

static struct emit_bytes bytes_between(uint64_t from, uint64_t to)
{
	return (struct emit_bytes){(const uint8_t *)from, (size_t)(to - from)};
}

static void copy_detail(struct bench_result *result, const char *text)
{
	for (unsigned i = 0; i < BENCH_DETAIL_MAX && text[i]; i++)
		result->detail[i] = text[i];
}

/* False: the piece raised an exception. Its memory is lost then. */
__attribute__((noinline)) static bool measure_piece(struct bench *b, const struct bench_piece *p)
{
	const struct bench_code code = {
		.code = bytes_between(p->code, p->code_end),
		.init = bytes_between(p->init, p->init_end),
	};

	if (__builtin_setjmp(before))
		return false;
	measure_code(b, &code, 1);
	return true;
}

__attribute__((used)) _Noreturn static void pieces_main(void)
{
	const uint32_t total = (uint32_t)(bench_pieces_end - bench_pieces);
	static struct bench b;
	uint64_t copies;

	measure_begin(&b);
	copies = b.settings.copies;
	survive_faults(leave_piece);
	for (const struct bench_piece *p = bench_pieces; p < bench_pieces_end; p++) {
		struct bench_result result = {.role = (uint32_t)p->role, .total = total};

		b.settings.copies = copies * p->copies;
		if (!measure_piece(&b, p))
			result.raised = (uint32_t)raised.vector + 1;
		copy_detail(&result, (const char *)p->detail);
		measure_hand_in_as(&b, (const char *)p->name, p->each, &result);
	}
	sys_exit(0);
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"xor %ebp, %ebp\n\t"
	"and $-16, %rsp\n\t"
	"call pieces_main\n");
