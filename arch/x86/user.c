// SPDX-License-Identifier: BSD-2-Clause
/* user.c - see user.h. */
#include "arch/x86/user.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/paging.h"
#include "arch/x86/step.h"
#include "arch/x86/trap.h"
#include "arch/x86/vector.h"
#include "include/perf0/workload.h"
#include "lib/panic.h"
#include "lib/percpu.h"

#include <linux/errno.h>

#define STAR_KERNEL_SHIFT 32
#define STAR_USER_SHIFT   48

/* The workload's stack pointer may stand right above its stack. */
#define STACK_TOP_SLACK 1

static PERCPU bool running;
static PERCPU bool enter_with_tf;
static PERCPU uint64_t left_at; /* what user_ip() is while there is no frame of ring 3 */
static user_syscall *syscall_handler;

/* entry.S */
long user_enter(uint64_t rip, uint64_t rsp, const uint64_t args[6], uint64_t rflags);
_Noreturn void user_return(long code);
long user_do_syscall(long nr, long a0, long a1, long a2);

void user_init(void)
{
	wrmsr(MSR_STAR, (uint64_t)SEL_KERNEL_CODE << STAR_KERNEL_SHIFT |
				(uint64_t)(SEL_USER_BASE | SEL_RPL_USER) << STAR_USER_SHIFT);
	wrmsr(MSR_LSTAR, (uintptr_t)user_syscall_entry);
	wrmsr(MSR_SFMASK, RFLAGS_IF | RFLAGS_TF | RFLAGS_DF | RFLAGS_AC | RFLAGS_NT);
	wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_SCE);
}

bool user_running(void)
{
	return running;
}

long user_run(uint64_t rip, uint64_t rsp, const uint64_t args[6])
{
	uint64_t flags, rflags = RFLAGS_IF | RFLAGS_RESERVED;
	long code;

	if (!user_range(rip, 1) || !user_range(rsp - STACK_TOP_SLACK, 1))
		return -EFAULT;
	ASSERT(!running);
	flags = irq_save();
	wrmsr(MSR_FS_BASE, 0);
	wrmsr(MSR_GS_BASE, 0);
	if (enter_with_tf)
		rflags |= RFLAGS_TF;
	enter_with_tf = false;
	running = true;
	left_at = rip;
	code = user_enter(rip, rsp, args, rflags);
	running = false;
	irq_restore(flags);
	return code;
}

void user_prepare(uint64_t rip)
{
	ASSERT(!running);
	step_prepared(rip);
	left_at = rip;
}

bool user_set_tf(bool on)
{
	struct trap_frame *frame = trap_user_frame();
	bool was = enter_with_tf;

	if (!running) {
		enter_with_tf = on;
		return was;
	}
	was = frame->rflags & RFLAGS_TF;
	frame->rflags &= ~(uint64_t)RFLAGS_TF;
	frame->rflags |= on ? RFLAGS_TF : 0;
	return was;
}

_Noreturn void user_leave(long code)
{
	ASSERT(running);
	left_at = user_ip();
	trap_forget_context();
	user_return(code);
}

uint64_t user_ip(void)
{
	const struct trap_frame *frame = trap_user_frame();

	return frame ? frame->rip : left_at;
}

/* In SYSCALL's entry RCX is what will be pushed as RIP; nothing else lies there meanwhile. */
void user_nmi_in_syscall(const struct trap_frame *frame)
{
	trap_user_frame()->rip = frame->rcx;
}

user_syscall *user_set_syscall(user_syscall *fn)
{
	user_syscall *old = syscall_handler;

	syscall_handler = fn;
	return old;
}

/* Called by entry.S. */
long user_do_syscall(long nr, long a0, long a1, long a2)
{
	long result;

	step_syscall();
	result = syscall_handler ? syscall_handler(nr, a0, a1, a2) : -ENOSYS;
	step_sysret();
	return result;
}

void user_access_begin(void)
{
	if (read_cr4() & CR4_SMAP)
		insn_stac();
}

void user_access_end(void)
{
	if (read_cr4() & CR4_SMAP)
		insn_clac();
}

/* Returns the bytes that were not copied, because a page fault came in between. */
static size_t copy_until_fault(void *dst, const void *src, size_t n)
{
	__asm__ volatile("1: rep movsb\n"
			 "2:\n\t" INSN_EXTABLE("1b", "2b")
			 : "+D"(dst), "+S"(src), "+c"(n)
			 :
			 : "memory");
	return n;
}

/* An NMI may come here while a page fault handler is about to read CR2: hence it is put back. */
static size_t copy(void *dst, const void *src, size_t n)
{
	uint64_t cr2 = read_cr2();
	size_t left;

	user_access_begin();
	left = copy_until_fault(dst, src, n);
	user_access_end();
	if (left)
		write_cr2(cr2);
	return n - left;
}

int copy_from_user(void *dst, uint64_t user_src, size_t n)
{
	return copy_from_user_some(dst, user_src, n) == n ? 0 : -EFAULT;
}

size_t copy_from_user_some(void *dst, uint64_t user_src, size_t n)
{
	return user_range(user_src, n) ? copy(dst, (const void *)user_src, n) : 0;
}

int copy_to_user(uint64_t user_dst, const void *src, size_t n)
{
	if (!user_range(user_dst, n) || copy((void *)user_dst, src, n) != n)
		return -EFAULT;
	return 0;
}

bool probe_read(uint64_t va, uint64_t *value)
{
	uint64_t cr2 = read_cr2(), v = 0;
	bool ok = false;

	__asm__ volatile("1: mov (%[va]), %[v]\n\t"
			 "mov $1, %[ok]\n\t"
			 "2:\n\t" INSN_EXTABLE("1b", "2b")
			 : [v] "+r"(v), [ok] "+r"(ok)
			 : [va] "r"(va)
			 : "memory");
	*value = v;
	if (!ok)
		write_cr2(cr2);
	return ok;
}
