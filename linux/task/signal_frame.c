// SPDX-License-Identifier: BSD-2-Clause
/*
 * signal_frame.c - entry to a signal handler and return from it. The frame on the stack of ring
 * 3, upwards: the return address, struct ucontext, siginfo, then at a multiple of 64 the state
 * of x87, SSE and AVX.
 */
#include "linux/task/signal_parts.h"

#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "rt/print/print.h"
#include "linux/task/task_fault.h"

#include <asm/sigcontext.h>
#include <asm/ucontext.h>
#include <linux/errno.h>
#include <stddef.h>

#define RED_ZONE 128 /* bytes below RSP that a leaf function may use */

/* RFLAGS that a handler's return may set: CF, PF, AF, ZF, SF, TF, DF, OF, NT, RF, AC, ID. */
#define RFLAGS_RESTORED 0x254dd5u

struct signal_frame {
	uint64_t restorer;
	struct ucontext uc;
	siginfo_t info;
};

/* --- Entry to a handler --- */

static bool is_on_stack(const stack_t *stack, uint64_t rsp)
{
	return stack->ss_size && rsp - (uint64_t)stack->ss_sp <= stack->ss_size;
}

static uint64_t stack_for(const struct task *t, const struct signal_action *action)
{
	const stack_t *stack = &t->signals.stack;
	const uint64_t rsp = t->user.regs.rsp;

	if (action->flags & SA_ONSTACK && stack->ss_size && !is_on_stack(stack, rsp))
		return (uint64_t)stack->ss_sp + stack->ss_size;
	return rsp - RED_ZONE;
}

static void save_registers(struct sigcontext_64 *sc, const struct trap_frame *regs)
{
	sc->r8 = regs->r8;
	sc->r9 = regs->r9;
	sc->r10 = regs->r10;
	sc->r11 = regs->r11;
	sc->r12 = regs->r12;
	sc->r13 = regs->r13;
	sc->r14 = regs->r14;
	sc->r15 = regs->r15;
	sc->di = regs->rdi;
	sc->si = regs->rsi;
	sc->bp = regs->rbp;
	sc->bx = regs->rbx;
	sc->dx = regs->rdx;
	sc->ax = regs->rax;
	sc->cx = regs->rcx;
	sc->sp = regs->rsp;
	sc->ip = regs->rip;
	sc->flags = regs->rflags;
	sc->cs = (uint16_t)regs->cs;
	sc->ss = (uint16_t)regs->ss;
}

static void restore_registers(struct trap_frame *regs, const struct sigcontext_64 *sc)
{
	regs->r8 = sc->r8;
	regs->r9 = sc->r9;
	regs->r10 = sc->r10;
	regs->r11 = sc->r11;
	regs->r12 = sc->r12;
	regs->r13 = sc->r13;
	regs->r14 = sc->r14;
	regs->r15 = sc->r15;
	regs->rdi = sc->di;
	regs->rsi = sc->si;
	regs->rbp = sc->bp;
	regs->rbx = sc->bx;
	regs->rdx = sc->dx;
	regs->rax = sc->ax;
	regs->rcx = sc->cx;
	regs->rsp = sc->sp;
	regs->rip = sc->ip;
	regs->rflags = (regs->rflags & ~(uint64_t)RFLAGS_RESTORED) | (sc->flags & RFLAGS_RESTORED);
}

static void fill_frame(struct signal_frame *frame, const struct task *t,
		       const struct signal_action *action, const siginfo_t *info, uint64_t fpu)
{
	struct sigcontext_64 *sc = (struct sigcontext_64 *)&frame->uc.uc_mcontext;

	memset(frame, 0, sizeof(*frame));
	frame->restorer = action->restorer;
	frame->uc.uc_flags = UC_FP_XSTATE | UC_SIGCONTEXT_SS | UC_STRICT_RESTORE_SS;
	frame->uc.uc_stack = t->signals.stack;
	frame->uc.uc_stack.ss_flags = !t->signals.stack.ss_size ? SS_DISABLE
				      : is_on_stack(&t->signals.stack, t->user.regs.rsp)
					      ? SS_ONSTACK
					      : 0;
	save_registers(sc, &t->user.regs);
	sc->fpstate = fpu;
	sc->trapno = t->fault.vector;
	sc->err = t->fault.error;
	sc->cr2 = t->fault.address;
	sc->oldmask = t->signals.restore ? t->signals.saved : t->signals.blocked;
	memcpy(&frame->uc.uc_sigmask, &sc->oldmask, sizeof(sc->oldmask));
	frame->info = *info;
}

static bool enter_handler(struct task *t, const struct signal_action *action, const siginfo_t *info)
{
	const uint64_t fpu = (stack_for(t, action) - user_fpu_frame_bytes()) & ~63ull,
		       at = ((fpu - sizeof(struct signal_frame)) & ~15ull) - 8;
	struct trap_frame *regs = &t->user.regs;
	struct signal_frame frame;

	if (!(action->flags & SA_RESTORER))
		return false;
	fill_frame(&frame, t, action, info, fpu);
	if (user_fpu_to_frame(&t->user, fpu) || copy_to_user(at, &frame, sizeof(frame)))
		return false;
	t->signals.blocked |= action->mask;
	if (!(action->flags & SA_NODEFER))
		t->signals.blocked |= signal_bit(info->si_signo);
	t->signals.restore = false;
	regs->rdi = (uint64_t)info->si_signo;
	regs->rsi = at + offsetof(struct signal_frame, info);
	regs->rdx = at + offsetof(struct signal_frame, uc);
	regs->rax = 0;
	regs->rsp = at;
	t->mark.stack = at;
	regs->rip = action->handler;
	regs->rflags = RFLAGS_IF | RFLAGS_RESERVED;
	return user_range(action->handler, 1);
}

/* --- Interrupted system calls --- */

#define SYSCALL_BYTES 2

/* Sets the result of the system call that the signal interrupted. */
static void settle_syscall(struct task *t, const struct signal_action *action)
{
	struct trap_frame *regs = &t->user.regs;
	const long result = (long)regs->rax;

	if (t->interrupted < 0)
		return;
	if (action && (result == -SIGNAL_RESTART_NO_HANDLER ||
		       (result == -SIGNAL_RESTART && !(action->flags & SA_RESTART)))) {
		regs->rax = (uint64_t)-EINTR;
	} else {
		regs->rax = (uint64_t)t->interrupted;
		regs->rip -= SYSCALL_BYTES;
	}
	t->interrupted = -1;
}

/* --- Delivery --- */

static bool end_by_signal(struct task *t, const siginfo_t *info)
{
	fault_tell_end(t, info);
	task_end_process(t->process, info->si_signo & 0x7f);
	return false;
}

static bool act_by_default(struct task *t, const siginfo_t *info)
{
	if (signal_is_fatal(info->si_signo))
		return end_by_signal(t, info);
	if (job_is_stop(info->si_signo))
		job_stop(t, info->si_signo);
	return !ptrace_interrupts(&t->trace);
}

static bool deliver_one(struct task *t, const siginfo_t *info)
{
	const struct signal_action action = t->process->signals.action[info->si_signo - 1];
	siginfo_t fault;

	if (action.handler == (uint64_t)SIG_IGN)
		return true;
	if (action.handler == (uint64_t)SIG_DFL)
		return act_by_default(t, info);
	if (action.flags & SA_RESETHAND)
		t->process->signals.action[info->si_signo - 1].handler = (uint64_t)SIG_DFL;
	settle_syscall(t, &action);
	if (enter_handler(t, &action, info)) {
		ptrace_in_handler(t);
		return true;
	}
	fault = signal_info(SIGSEGV, SI_KERNEL);
	return end_by_signal(t, &fault);
}

static bool next_signal(struct task *t, siginfo_t *info)
{
	return ptrace_take_injected(t, info) || (signal_waits(t) && signal_next(t, info));
}

bool signal_deliver(struct task *t)
{
	siginfo_t info;

	while (next_signal(t, &info))
		if (ptrace_stops_for(t, &info) || !deliver_one(t, &info))
			return false;
	settle_syscall(t, NULL);
	if (t->signals.restore)
		t->signals.blocked = t->signals.saved;
	t->signals.restore = false;
	return true;
}

/* --- Return from a handler --- */

static bool read_frame(struct task *t, struct signal_frame *frame)
{
	const struct sigcontext_64 *sc = (struct sigcontext_64 *)&frame->uc.uc_mcontext;

	return !copy_from_user(frame, t->user.regs.rsp - 8, sizeof(*frame)) &&
	       user_range(sc->ip, 1) && !user_fpu_from_frame(&t->user, sc->fpstate);
}

bool signal_return(struct task *t)
{
	struct signal_frame frame;
	siginfo_t fault;

	t->interrupted = -1;
	if (!read_frame(t, &frame)) {
		fault = signal_info(SIGSEGV, SI_KERNEL);
		signal_force(t, &fault);
		return false;
	}
	restore_registers(&t->user.regs, (struct sigcontext_64 *)&frame.uc.uc_mcontext);
	memcpy(&t->signals.blocked, &frame.uc.uc_sigmask, sizeof(t->signals.blocked));
	t->signals.blocked &= ~SIGNALS_UNMASKABLE;
	if (!(frame.uc.uc_stack.ss_flags & SS_ONSTACK))
		t->signals.stack = frame.uc.uc_stack;
	t->mark.stack = t->user.regs.rsp | TASK_MARK_RESUMES;
	return true;
}
