// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_futex.c - futex(2): waiting for a word of memory. A word is known by its memory and its
 * address there; so one that two processes share is not the same for both, unless they share all
 * memory.
 *
 * A waiter says that it waits before it looks at the word the last time. A waker has changed the
 * word before it looks for waiters: one of both sees the other.
 */
#include "rt/syscall/futex.h"

#include "arch/x86/cpu/user.h"
#include "rt/clock/hrtimer.h"
#include "rt/syscall/syscall.h"
#include "rt/syscall/times.h"
#include "rt/task/sched.h"
#include "rt/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/futex.h>

static uint64_t last_order; /* of all waits */

static long wait_over(struct task *t, long result)
{
	t->wait_on = 0;
	return result;
}

/* Woken, or late, or with a signal to take: whatever it is, the wait is over. */
static long end_wait(struct task *t)
{
	if (!t->wait_on)
		return 0;
	if (syscall_is_late())
		return wait_over(t, -ETIMEDOUT);
	if (signal_waits(t))
		return wait_over(t, t->deadline ? -EINTR : -SIGNAL_RESTART);
	sched_prepare_sleep(0, true);
	return syscall_sleep_until(t->deadline);
}

static long futex_wait(uint64_t address, uint32_t value, uint32_t bits)
{
	struct task *t = sched_current();
	uint32_t now;

	if (t->again)
		return end_wait(t);
	if (copy_from_user(&now, address, sizeof(now)))
		return -EFAULT;
	if (now != value)
		return -EAGAIN;
	t->wait_bits = bits;
	t->wait_order = __atomic_add_fetch(&last_order, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&t->wait_on, address, __ATOMIC_SEQ_CST);
	sched_prepare_sleep(0, true);
	if (copy_from_user(&now, address, sizeof(now)) || now != value || signal_waits(t)) {
		sched_stay_awake();
		return wait_over(t, now != value ? -EAGAIN : -SIGNAL_RESTART);
	}
	return syscall_sleep_until(t->deadline);
}

struct futex_wake {
	const struct mm *mm;
	uint64_t address;
	uint32_t bits;
	struct task *first; /* of those that wait there, the one that came first */
};

static void find_first(struct task *t, void *arg)
{
	struct futex_wake *w = arg;

	if (t->process && t->process->mm == w->mm && t->wait_on == w->address &&
	    t->wait_bits & w->bits && (!w->first || t->wait_order < w->first->wait_order))
		w->first = t;
}

/* To `to`, or awake where that is 0. It stays a task meanwhile: its process is this one's, or
 * shares its memory, and it ends on a CPU only when it was woken. */
static bool move_first(const struct futex_wake *wanted, uint64_t to)
{
	struct futex_wake w = *wanted;
	const uint64_t flags = task_lock_tree();

	w.mm = sched_current()->process->mm;
	w.first = NULL;
	for (struct task *t = task_tree.first; t; t = t->next_task)
		find_first(t, &w);
	if (w.first) {
		w.first->wait_on = to;
		if (!to)
			sched_wake(w.first);
	}
	task_unlock_tree(flags);
	return w.first;
}

static long move_waiters(const struct futex_wake *w, uint64_t to, long most)
{
	long n = 0;

	while (n < most && move_first(w, to))
		n++;
	return n;
}

static long futex_wake(uint64_t address, long n, uint32_t bits)
{
	return move_waiters(&(struct futex_wake){.address = address, .bits = bits}, 0, n);
}

static long futex_requeue(struct trap_frame *f, bool compare)
{
	const struct futex_wake w = {.address = f->rdi, .bits = FUTEX_BITSET_MATCH_ANY};
	uint32_t now;
	long woken;

	if (f->r8 & 3 || (int)f->rdx < 0 || (int)f->r10 < 0)
		return -EINVAL;
	if (copy_from_user(&now, f->rdi, sizeof(now)))
		return -EFAULT;
	if (compare && now != (uint32_t)f->r9)
		return -EAGAIN;
	woken = move_waiters(&w, 0, (int)f->rdx);
	return woken + (f->r8 == f->rdi ? 0 : move_waiters(&w, f->r8, (int)f->r10));
}

/* FUTEX_WAKE_OP: changes the second word, and wakes there by what it was. */
static long futex_wake_op(struct trap_frame *f)
{
	const uint32_t op = (uint32_t)f->r9;
	const unsigned shift = op >> 31 & 1;
	const int argument = (int)(op << 8) >> 20, against = (int)(op << 20) >> 20;
	const uint32_t value = shift ? 1u << (argument & 31) : (uint32_t)argument;
	uint32_t old, new;
	bool holds;
	long woken;

	if (copy_from_user(&old, f->r8, sizeof(old)))
		return -EFAULT;
	switch (op >> 28 & 7) {
	case FUTEX_OP_SET:
		new = value;
		break;
	case FUTEX_OP_ADD:
		new = old + value;
		break;
	case FUTEX_OP_OR:
		new = old | value;
		break;
	case FUTEX_OP_ANDN:
		new = old & ~value;
		break;
	case FUTEX_OP_XOR:
		new = old ^ value;
		break;
	default:
		return -ENOSYS;
	}
	if (copy_to_user(f->r8, &new, sizeof(new)))
		return -EFAULT;
	switch (op >> 24 & 15) {
	case FUTEX_OP_CMP_EQ:
		holds = (int)old == against;
		break;
	case FUTEX_OP_CMP_NE:
		holds = (int)old != against;
		break;
	case FUTEX_OP_CMP_LT:
		holds = (int)old < against;
		break;
	case FUTEX_OP_CMP_LE:
		holds = (int)old <= against;
		break;
	case FUTEX_OP_CMP_GT:
		holds = (int)old > against;
		break;
	case FUTEX_OP_CMP_GE:
		holds = (int)old >= against;
		break;
	default:
		return -ENOSYS;
	}
	woken = futex_wake(f->rdi, (int)f->rdx, FUTEX_BITSET_MATCH_ANY);
	if (holds)
		woken += futex_wake(f->r8, (int)f->r10, FUTEX_BITSET_MATCH_ANY);
	return woken;
}

/* WAIT has the time to wait, WAIT_BITSET when it is over, by the clock that it names. */
static long set_deadline(const struct trap_frame *f, bool absolute)
{
	struct task *t = sched_current();
	uint64_t ns, now;
	int err;

	if (t->again)
		return 0;
	t->deadline = 0;
	if (!f->r10)
		return 0;
	err = times_read(f->r10, &ns);
	if (err)
		return err;
	now = times_monotonic();
	if (!absolute)
		ns = ns > UINT64_MAX - now ? UINT64_MAX : now + ns;
	else if (f->rsi & FUTEX_CLOCK_REALTIME)
		ns -= ns < times_real_offset() ? ns : times_real_offset();
	t->deadline = times_to_clock(ns);
	return 0;
}

static long sys_futex(struct trap_frame *f)
{
	const unsigned op = f->rsi & ~(unsigned)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
	long err;

	if (f->rdi & 3)
		return -EINVAL;
	switch (op) {
	case FUTEX_WAIT:
		err = set_deadline(f, false);
		return err ? err : futex_wait(f->rdi, (uint32_t)f->rdx, FUTEX_BITSET_MATCH_ANY);
	case FUTEX_WAIT_BITSET:
		err = (uint32_t)f->r9 ? set_deadline(f, true) : -EINVAL;
		return err ? err : futex_wait(f->rdi, (uint32_t)f->rdx, (uint32_t)f->r9);
	case FUTEX_WAKE:
		return futex_wake(f->rdi, (int)f->rdx, FUTEX_BITSET_MATCH_ANY);
	case FUTEX_WAKE_BITSET:
		return (uint32_t)f->r9 ? futex_wake(f->rdi, (int)f->rdx, (uint32_t)f->r9) : -EINVAL;
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return futex_requeue(f, op == FUTEX_CMP_REQUEUE);
	case FUTEX_WAKE_OP:
		return futex_wake_op(f);
	default:
		return -ENOSYS;
	}
}

/* --- Ends of threads --- */

#define ROBUST_MOST 2048 /* entries of a list that are looked at */

/* A lock whose holder ends: the next one that takes it learns so. */
static void give_up_lock(const struct task *t, uint64_t address)
{
	uint32_t word;

	if (copy_from_user(&word, address, sizeof(word)) || (word & FUTEX_TID_MASK) != t->tid)
		return;
	word = (word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
	if (!copy_to_user(address, &word, sizeof(word)) && word & FUTEX_WAITERS)
		futex_wake(address, 1, FUTEX_BITSET_MATCH_ANY);
}

static void leave_robust_list(const struct task *t)
{
	struct robust_list_head head;
	uint64_t at;

	if (!t->robust_list || copy_from_user(&head, t->robust_list, sizeof(head)))
		return;
	at = (uint64_t)head.list.next;
	for (unsigned i = 0; i < ROBUST_MOST && at != t->robust_list; i++) {
		if (at != (uint64_t)head.list_op_pending)
			give_up_lock(t, (at & ~1ull) + (uint64_t)head.futex_offset);
		if (copy_from_user(&at, at & ~1ull, sizeof(at)))
			return;
	}
	if (head.list_op_pending)
		give_up_lock(t, ((uint64_t)head.list_op_pending & ~1ull) +
					(uint64_t)head.futex_offset);
}

void futex_leave(struct task *t)
{
	const uint32_t zero = 0;

	leave_robust_list(t);
	if (t->clear_tid && t->process->mm->refs + t->process->threads > 2 &&
	    !copy_to_user(t->clear_tid, &zero, sizeof(zero)))
		futex_wake(t->clear_tid, 1, FUTEX_BITSET_MATCH_ANY);
	t->clear_tid = t->robust_list = 0;
}

const struct syscall_row syscall_futex_rows[] = {
	{__NR_futex, sys_futex},
	{0, NULL},
};
