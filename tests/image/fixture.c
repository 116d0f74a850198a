// SPDX-License-Identifier: BSD-2-Clause
/* fixture.c - see fixture.h. */
#include "tests/image/fixture.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/space/space.h"
#include "arch/x86/dev/tsc.h"
#include "lib/panic.h"
#include "lib/string.h"
#include "tests/image/user_code.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>

#define CODE_PAGES 1

static void leave_with_vector(struct trap_frame *frame)
{
	user_leave(FIXTURE_FAULT + (long)frame->vector);
}

static long exit_or_go_on(long nr, struct trap_frame *frame)
{
	if (nr == __NR_exit_group)
		user_leave((long)frame->rdi);
	return 0;
}

uint64_t fixture_code(const uint8_t *piece)
{
	return FIXTURE_CODE + ((uintptr_t)piece - (uintptr_t)user_code_start);
}

const uint8_t *fixture_fault(const char *name)
{
	const struct user_fault_row *row = user_faults;

	while (row != user_faults_end && strcmp(row->name, name))
		row++;
	ASSERT(row != user_faults_end);
	return (const uint8_t *)&row->code + row->code;
}

void fixture_arm_timer(uint64_t ns)
{
	uint64_t ticks = tsc_from_ns(ns);

	apic_timer_arm(rdtsc() + ticks, ticks);
}

int fixture_map(uint64_t va, void *memory, size_t pages, unsigned prot)
{
	return space_map(&space_here, va, memory, pages, prot, false);
}

void fixture_unmap(uint64_t va, size_t pages)
{
	space_hide(&space_here, va, pages);
	space_flush();
	space_unmap(&space_here, va, pages);
}

static int map_both(void *code, void *stack)
{
	memcpy(code, user_code_start, (uintptr_t)user_code_end - (uintptr_t)user_code_start);
	if (fixture_map(FIXTURE_CODE, code, CODE_PAGES, PAGE_EXEC))
		return -ENOMEM;
	return fixture_map(FIXTURE_STACK, stack, 1, PAGE_WRITE);
}

static long with_handlers(trap_handler *on_fault, user_syscall *on_syscall,
			  long (*fn)(const void *arg), const void *arg)
{
	trap_handler *old_fault = trap_set_user_fault(on_fault ? on_fault : leave_with_vector);
	const struct user_syscalls calls = {.call = on_syscall ? on_syscall : exit_or_go_on};
	const struct user_syscalls *old_syscalls = user_set_syscalls(&calls);
	long code = fn(arg);

	trap_set_user_fault(old_fault);
	user_set_syscalls(old_syscalls);
	user_take_syscall_ticks(false);
	return code;
}

long fixture_with(trap_handler *on_fault, user_syscall *on_syscall, long (*fn)(const void *arg),
		  const void *arg)
{
	void *code = page_alloc(CODE_PAGES), *stack = page_alloc(1);
	long result = -ENOMEM;

	if (code && stack && !map_both(code, stack))
		result = with_handlers(on_fault, on_syscall, fn, arg);
	fixture_unmap(FIXTURE_CODE, CODE_PAGES);
	fixture_unmap(FIXTURE_STACK, 1);
	if (code)
		page_free(code, CODE_PAGES);
	if (stack)
		page_free(stack, 1);
	return result;
}

struct run {
	const uint8_t *piece;
	const uint64_t *args;
};

static long run_piece(const void *arg)
{
	const struct run *run = arg;

	return user_run(fixture_code(run->piece), FIXTURE_TOP, run->args);
}

long fixture_run(const uint8_t *piece, const uint64_t args[6], trap_handler *on_fault,
		 user_syscall *on_syscall)
{
	return fixture_with(on_fault, on_syscall, run_piece, &(const struct run){piece, args});
}

bool can_write(uint64_t va)
{
	uint64_t cr2 = read_cr2();
	bool ok = false;

	__asm__ volatile("1: lock orb $0, (%[va])\n\t"
			 "mov $1, %[ok]\n\t"
			 "2:\n\t" INSN_EXTABLE("1b", "2b")
			 : [ok] "+r"(ok)
			 : [va] "r"(va)
			 : "memory", "cc");
	if (!ok)
		write_cr2(cr2);
	return ok;
}

uint64_t rflags(void)
{
	uint64_t flags;

	__asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags));
	return flags;
}
