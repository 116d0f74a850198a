// SPDX-License-Identifier: BSD-2-Clause
/* sibling.c - see sibling.h. */
#include "bench/sibling.h"

#include "bench/complain.h"
#include "bench/bench_function.h"
#include "bench/bench_sys.h"

#define COPIES       100
#define AROUND_BYTES 128
#define STACK_BYTES  16384
/* CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD, _SYSVSEM: a thread. */
#define THREAD 0x50f00ull

static struct {
	uint32_t cpu;
	void (*loop)(void);
	volatile bool runs;
} sibling;

/* --- The loop --- */

static uint8_t *append_bytes(uint8_t *at, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	while (n--)
		*at++ = *from++;
	return at;
}

/* MOV of 64 bits. */
static uint8_t *put_address(uint8_t *at, uint8_t rex, uint8_t opcode, uint64_t value)
{
	*at++ = rex;
	*at++ = opcode;
	return append_bytes(at, &value, sizeof(value));
}

static uint8_t *put_areas(uint8_t *at)
{
	static const uint8_t code[EMIT_AREAS][2] = {
		{0x49, 0xbe}, {0x48, 0xbf}, {0x48, 0xbe}, {0x48, 0xbd}, {0x48, 0xbc}};
	const uint64_t areas = (uint64_t)function_map(EMIT_AREAS * BENCH_AREA_BYTES);

	for (unsigned i = 0; i < EMIT_AREAS; i++)
		at = put_address(at, code[i][0], code[i][1],
				 areas + i * BENCH_AREA_BYTES + BENCH_AREA_BYTES / 2);
	return at;
}

static void make_loop(const struct emit_bytes *code)
{
	const uint64_t bytes = (COPIES * code->n + AROUND_BYTES + PAGE - 1) & ~(PAGE - 1);
	uint8_t *const start = function_map(bytes), *at = put_areas(start), *const again = at;
	int32_t back;

	for (unsigned i = 0; i < COPIES; i++)
		at = append_bytes(at, code->bytes, code->n);
	*at++ = 0xe9; /* JMP */
	back = (int32_t)(again - (at + sizeof(back)));
	append_bytes(at, &back, sizeof(back));
	sibling.loop = (void (*)(void))(uintptr_t)start;
	if (sys_protect_code((uint64_t)start, bytes))
		fail(STATUS_FAILED, "the sibling's code cannot be made executable");
}

/* --- The thread --- */

__attribute__((used)) _Noreturn static void run_sibling(void)
{
	if (sys_run_on(sibling.cpu))
		fail(STATUS_FAILED, "the sibling's CPU is not to be had");
	watch_thread();
	sibling.runs = true;
	sibling.loop();
	__builtin_unreachable();
}

/* The child has a stack of its own, and no caller. */
static long clone_sibling(uint64_t stack)
{
	register uint64_t r10 __asm__("r10") = 0;
	register uint64_t r8 __asm__("r8") = 0;
	long result;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t"
			 "call run_sibling\n"
			 "1:"
			 : "=a"(result)
			 : "a"(__NR_clone), "D"(THREAD), "S"(stack), "d"(0), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return result;
}

void sibling_start(const struct bench *b, const struct emit_bytes *code)
{
	const uint64_t stack = (uint64_t)function_map(STACK_BYTES);

	if (!b->settings.sibling)
		fail(STATUS_USAGE, "--sibling: the CPU has no sibling: --smp 2,threads=2, or a "
				   "machine with hyper-threads");
	sibling.cpu = b->settings.sibling - 1;
	if (sys_run_on(b->settings.cpu))
		fail(STATUS_FAILED, "the CPU is not to be had");
	make_loop(code);
	if (clone_sibling(stack + STACK_BYTES) < 0)
		fail(STATUS_FAILED, "there is no second thread to be had");
	while (!sibling.runs)
		__builtin_ia32_pause();
}
