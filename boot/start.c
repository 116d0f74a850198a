// SPDX-License-Identifier: BSD-2-Clause
/* start.c - see start.h. */
#include "boot/start.h"

#include "boot/upper.h"

#define PAGE        4096
#define STACK_BYTES (64 * 1024)

struct handoff boot_handoff;
static uint8_t stack[PAGE + STACK_BYTES] __attribute__((aligned(PAGE))); /* guard page first */

_Noreturn void start_runtime(void)
{
	rt_start(&boot_handoff);
}

void *start_stack_top(void)
{
	return stack + sizeof(stack);
}

void start_note_stack(void)
{
	boot_handoff.stack_guard = (uintptr_t)stack;
	boot_handoff.stack_bytes = STACK_BYTES;
}

/* The caller of start_runtime() has no address in the upper half: the chain of callers ends with 0
 * instead. */
_Noreturn void start_own(void)
{
	start_note_stack();
	upper_map();
	__asm__ volatile(
		"mov %[top], %%rsp\n\t"
		"xor %%ebp, %%ebp\n\t"
		"push %%rbp\n\t"
		"jmp *%[entry]"
		:
		: [top] "r"(in_upper_half(start_stack_top())), [entry] "r"(in_upper_half(
								       (const void *)start_runtime))
		: "memory");
	__builtin_unreachable();
}
