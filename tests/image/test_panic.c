// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_panic.c - each bug of the image ends in a panic that names it. The tests cause the bugs on
 * purpose, and replace the panic's handler by one that notes the reason and jumps back.
 */
#include "arch/x86/dev/apic.h"
#include "arch/x86/mem/image.h"
#include "arch/x86/cpu/stack.h"
#include "arch/x86/cpu/trap.h"
#include "lib/panic.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "tests/image/fixture.h"
#include "rt/base/image_test.h"

static char seen[256];
static void *way_back[5]; /* of __builtin_setjmp() */

static void note_reason(const char *reason)
{
	fmt_print(seen, sizeof(seen), "%s", reason);
	__builtin_longjmp(way_back, 1);
}

/* Returns the reason of the panic that `bug` causes; "" if there is none. */
static const char *reason_of(void (*bug)(void))
{
	panic_handler *volatile old = panic_set_handler(note_reason);

	seen[0] = '\0';
	if (!__builtin_setjmp(way_back))
		bug();
	panic_set_handler(old);
	return seen;
}

static void read_null(void)
{
	__asm__ volatile("mov 8, %%eax" : : : "eax", "memory");
}

static void write_text(void)
{
	__asm__ volatile("movb $0, (%0)" : : "r"(__text_start) : "memory");
}

static void write_relro(void)
{
	__asm__ volatile("movb $0, (%0)" : : "r"(__relro_start) : "memory");
}

static void run_data(void)
{
	__asm__ volatile("call *%0" : : "r"(__data_start) : "memory");
}

static void read_nowhere(void)
{
	__asm__ volatile("mov (%0), %%eax" : : "r"(0x7ff000000000) : "eax", "memory");
}

static void read_non_canonical(void)
{
	__asm__ volatile("mov (%0), %%eax" : : "r"(1ull << 63) : "eax", "memory");
}

static void divide_by_zero(void)
{
	__asm__ volatile("div %0" : : "r"(0), "a"(1), "d"(0) : "cc");
}

static void undefined_instruction(void)
{
	__asm__ volatile("ud2");
}

static void single_step(void)
{
	__asm__ volatile("pushfq\n\t"
			 "orq %0, (%%rsp)\n\t"
			 "popfq\n\t"
			 "nop"
			 :
			 : "i"(RFLAGS_TF)
			 : "memory", "cc");
}

static void break_a_rule(void)
{
	ASSERT(seen[0] == 'x');
}

static void leave_nothing(void)
{
	user_leave(0);
}

static const struct {
	void (*bug)(void);
	const char *reason; /* how it begins */
} bugs[] = {
	{read_null, "#PF: read of 0x8, which is the null page"},
	{write_text, "#PF: write to "},
	{write_relro, "#PF: write to "},
	{run_data, "#PF: fetch from "},
	{read_nowhere, "#PF: read of 0x7ff000000000, which is not mapped"},
	{read_non_canonical, "#GP"},
	{divide_by_zero, "#DE"},
	{undefined_instruction, "#UD"},
	{single_step, "#DB"},
	{break_a_rule, "tests/image/test_panic.c:"},
	{leave_nothing, "arch/x86/cpu/user.c:"},
};

static const char *test_bugs_are_named(void)
{
	for (size_t i = 0; i < sizeof(bugs) / sizeof(bugs[0]); i++) {
		const char *reason = reason_of(bugs[i].bug);

		if (strncmp(reason, bugs[i].reason, strlen(bugs[i].reason)))
			return *reason ? seen : bugs[i].reason;
	}
	return NULL;
}
IMAGE_TEST(test_bugs_are_named);

static const char *test_rights_are_named(void)
{
	if (!strstr(reason_of(write_text), "which is read only"))
		return "a write to text is not called a write to what is read only";
	if (!strstr(reason_of(run_data), "which is no-execute"))
		return "running data is not called running what is no-execute";
	return NULL;
}
IMAGE_TEST(test_rights_are_named);

static void push_without_end(void)
{
	__asm__ volatile("mov %0, %%rsp\n"
			 "1: push %%rax\n\t"
			 "jmp 1b"
			 :
			 : "r"(stack_alloc(PAGE_SIZE, "a small stack"))
			 : "memory");
}

static const char *test_stack_overflow_is_named(void)
{
	return strcmp(reason_of(push_without_end), "#DF: stack overflow of a small stack") ? seen
											   : NULL;
}
IMAGE_TEST(test_stack_overflow_is_named);
