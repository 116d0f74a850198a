// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_futex.c - futex(2), futex_waitv(2): waiting for a word of memory. linux/mem/mm_word.h says
 * how a word is identified. A waiter joins the queue before it reads the word for the last time. A
 * waker changes the word before it reads the queue. So one of the two sees the other.
 */
#include "linux/syscall/futex.h"

#include "arch/x86/cpu/user.h"
#include "rt/clock/hrtimer.h"
#include "rt/base/heap.h"
#include "linux/mem/mm_word.h"
#include "linux/syscall/syscall.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/futex.h>

static int own_word(uint64_t address, bool private, struct futex_key *key)
{
	if (address & 3)
		return -EINVAL;
	return mm_word(sched_current()->process->mm, address, private, key);
}

/* --- Waiting --- */

static struct task *task_of(struct futex_waits *waits)
{
	return (struct task *)((char *)waits - offsetof(struct task, futex.waits));
}

static void wake_waiting_task(struct futex_waits *waits)
{
	sched_wake(task_of(waits));
}

/* The result of a finished wait: the index of the woken word, or else `otherwise`. */
static long end_wait(struct task *t, long otherwise)
{
	struct futex_waiter *waiter = t->futex.waits.waiter;
	const int woken = futex_queue_remove(&t->futex.waits);

	if (waiter != &t->futex.one)
		heap_free(waiter);
	t->futex.waits.waiter = NULL;
	return woken >= 0 ? woken : otherwise;
}

/* Continues after a sleep. A wake counts even if the wait is late or a signal came. */
static long wait_again(struct task *t)
{
	if (__atomic_load_n(&t->futex.waits.woken, __ATOMIC_RELAXED) >= 0)
		return end_wait(t, 0);
	if (syscall_is_late())
		return end_wait(t, -ETIMEDOUT);
	if (!syscall_may_sleep())
		return end_wait(t, t->deadline ? -EINTR : -SIGNAL_RESTART);
	return syscall_sleep_until(t->deadline);
}

/* A word, and its expected value. */
struct word {
	uint64_t address;
	uint32_t value;
	bool private;
};

/* 0, -EAGAIN: the word holds another value; -EFAULT. */
static int check_word(const struct word *word)
{
	uint32_t now;

	if (get_user32(&now, word->address))
		return -EFAULT;
	return now == word->value ? 0 : -EAGAIN;
}

static int check_futex_words(const struct word *words, unsigned n)
{
	int err = 0;

	for (unsigned i = 0; i < n && !err; i++)
		err = check_word(&words[i]);
	return err;
}

/* Sleeps until one of the words wakes the task, or returns why it cannot; the waiters have their
 * keys. */
static long wait_for_words(struct task *t, struct futex_waiter *waiters, const struct word *words,
			   unsigned n)
{
	int err;

	t->futex.waits = (struct futex_waits){waiters, n, -1, wake_waiting_task};
	futex_queue_add(&t->futex.waits);
	sched_prepare_sleep(0, true);
	err = check_futex_words(words, n);
	if (!err && signal_waits(t))
		err = -SIGNAL_RESTART;
	if (!err)
		return syscall_sleep_until(t->deadline);
	sched_stay_awake();
	return end_wait(t, err);
}

static long futex_wait(const struct trap_frame *f, uint32_t bits)
{
	const struct word word = {f->rdi, (uint32_t)f->rdx, f->rsi & FUTEX_PRIVATE_FLAG};
	struct task *t = sched_current();
	int err;

	if (t->again) {
		const long result = wait_again(t);

		return result > 0 ? 0 : result;
	}
	err = own_word(word.address, word.private, &t->futex.one.key);
	if (!err)
		err = check_word(&word);
	if (err)
		return err;
	t->futex.one.bits = bits;
	return wait_for_words(t, &t->futex.one, &word, 1);
}

/* --- Waking --- */

static long futex_wake(uint64_t address, bool private, long n, uint32_t bits)
{
	struct futex_key key;
	const int err = own_word(address, private, &key);

	return err ? err : futex_queue_wake(&key, bits, n > 0 ? n : 1);
}

static long futex_requeue(struct trap_frame *f, bool compare)
{
	const bool private = f->rsi & FUTEX_PRIVATE_FLAG;
	struct futex_key from, to;
	uint32_t now;
	int err;

	if ((int)f->rdx < 0 || (int)f->r10 < 0)
		return -EINVAL;
	err = own_word(f->rdi, private, &from);
	if (!err)
		err = own_word(f->r8, private, &to);
	if (err)
		return err;
	if (compare && copy_from_user(&now, f->rdi, sizeof(now)))
		return -EFAULT;
	if (compare && now != (uint32_t)f->r9)
		return -EAGAIN;
	return futex_queue_requeue(&from, (int)f->rdx, &to, (int)f->r10);
}

/* The operation of FUTEX_WAKE_OP on a word that holds `old`. -ENOSYS. */
static int new_word(uint32_t op, uint32_t old, uint32_t *new)
{
	const int argument = (int)(op << 8) >> 20;
	const bool shift = op >> 28 & FUTEX_OP_OPARG_SHIFT;
	const uint32_t value = shift ? 1u << (argument & 31) : (uint32_t)argument;

	switch (op >> 28 & 7) {
	case FUTEX_OP_SET:
		*new = value;
		return 0;
	case FUTEX_OP_ADD:
		*new = old + value;
		return 0;
	case FUTEX_OP_OR:
		*new = old | value;
		return 0;
	case FUTEX_OP_ANDN:
		*new = old & ~value;
		return 0;
	case FUTEX_OP_XOR:
		*new = old ^ value;
		return 0;
	default:
		return -ENOSYS;
	}
}

/* 1 or 0: does the comparison of FUTEX_WAKE_OP hold? -ENOSYS. */
static int compare_word(uint32_t op, uint32_t old)
{
	const int against = (int)(op << 20) >> 20, value = (int)old;

	switch (op >> 24 & 15) {
	case FUTEX_OP_CMP_EQ:
		return value == against;
	case FUTEX_OP_CMP_NE:
		return value != against;
	case FUTEX_OP_CMP_LT:
		return value < against;
	case FUTEX_OP_CMP_LE:
		return value <= against;
	case FUTEX_OP_CMP_GT:
		return value > against;
	case FUTEX_OP_CMP_GE:
		return value >= against;
	default:
		return -ENOSYS;
	}
}

/* Applies the operation atomically. */
static int change_word(uint64_t address, uint32_t op, uint32_t *old)
{
	uint32_t expected, new;
	int err = copy_from_user(old, address, sizeof(*old));

	do {
		expected = *old;
		if (!err)
			err = new_word(op, expected, &new);
		if (!err)
			err = user_cmpxchg(address, old, new);
	} while (!err && *old != expected);
	return err;
}

/* FUTEX_WAKE_OP: changes the second word, and wakes its waiters, too, if its old value passes
 * the comparison. */
static long futex_wake_op(struct trap_frame *f)
{
	const bool private = f->rsi & FUTEX_PRIVATE_FLAG;
	const uint32_t op = (uint32_t)f->r9;
	struct futex_key first, second;
	uint32_t old;
	int err, holds;
	long woken;

	err = own_word(f->rdi, private, &first);
	if (!err)
		err = own_word(f->r8, private, &second);
	if (!err && compare_word(op, 0) < 0)
		err = -ENOSYS;
	if (!err)
		err = change_word(f->r8, op, &old);
	if (err)
		return err;
	holds = compare_word(op, old);
	woken = futex_queue_wake(&first, FUTEX_BITSET_MATCH_ANY, (int)f->rdx);
	if (holds)
		woken += futex_queue_wake(&second, FUTEX_BITSET_MATCH_ANY, (int)f->r10);
	return woken;
}

/* --- Deadlines --- */

/* `ns` of ring 3's clock: CLOCK_REALTIME or CLOCK_MONOTONIC. */
static void set_absolute_deadline(struct task *t, uint64_t ns, bool realtime)
{
	if (realtime)
		ns -= ns < times_real_offset() ? ns : times_real_offset();
	t->deadline = times_to_clock(ns);
}

/* WAIT gives a relative timeout, WAIT_BITSET an absolute one of the clock that it names. */
static __attribute__((noinline)) long read_deadline(struct task *t, const struct trap_frame *f,
						    bool absolute)
{
	uint64_t ns, now;
	const int err = times_read(f->r10, &ns);

	if (err)
		return err;
	now = times_monotonic();
	if (absolute)
		set_absolute_deadline(t, ns, f->rsi & FUTEX_CLOCK_REALTIME);
	else
		t->deadline = times_to_clock(ns > UINT64_MAX - now ? UINT64_MAX : now + ns);
	return 0;
}

static inline long set_deadline(const struct trap_frame *f, bool absolute)
{
	struct task *t = sched_current();

	if (t->again)
		return 0;
	t->deadline = 0;
	return f->r10 ? read_deadline(t, f, absolute) : 0;
}

/* --- The calls --- */

static long sys_futex(struct trap_frame *f)
{
	const unsigned op = f->rsi & ~(unsigned)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
	const bool private = f->rsi & FUTEX_PRIVATE_FLAG;
	long err;

	switch (op) {
	case FUTEX_WAIT:
		err = set_deadline(f, false);
		return err ? err : futex_wait(f, FUTEX_BITSET_MATCH_ANY);
	case FUTEX_WAIT_BITSET:
		err = (uint32_t)f->r9 ? set_deadline(f, true) : -EINVAL;
		return err ? err : futex_wait(f, (uint32_t)f->r9);
	case FUTEX_WAKE:
		return futex_wake(f->rdi, private, (int)f->rdx, FUTEX_BITSET_MATCH_ANY);
	case FUTEX_WAKE_BITSET:
		return (uint32_t)f->r9 ? futex_wake(f->rdi, private, (int)f->rdx, (uint32_t)f->r9)
				       : -EINVAL;
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
		return futex_requeue(f, op == FUTEX_CMP_REQUEUE);
	case FUTEX_WAKE_OP:
		return futex_wake_op(f);
	default:
		return -ENOSYS;
	}
}

/* A word of futex_waitv(2), and its waiter's key. */
static int read_waitv(uint64_t from, struct word *word, struct futex_waiter *waiter)
{
	struct futex_waitv v;
	int err = copy_from_user(&v, from, sizeof(v));

	if (err)
		return err;
	if (v.flags & ~(uint32_t)(FUTEX_32 | FUTEX_PRIVATE_FLAG) || !(v.flags & FUTEX_32) ||
	    v.__reserved || v.val > UINT32_MAX)
		return -EINVAL;
	*word = (struct word){v.uaddr, (uint32_t)v.val, v.flags & FUTEX_PRIVATE_FLAG};
	waiter->bits = FUTEX_BITSET_MATCH_ANY;
	return own_word(word->address, word->private, &waiter->key);
}

static int set_waitv_deadline(struct task *t, uint64_t timeout, uint64_t clock)
{
	uint64_t ns;
	int err;

	t->deadline = 0;
	if (!timeout)
		return 0;
	if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME)
		return -EINVAL;
	err = times_read(timeout, &ns);
	if (!err)
		set_absolute_deadline(t, ns, clock == CLOCK_REALTIME);
	return err;
}

static long sys_futex_waitv(struct trap_frame *f)
{
	const unsigned n = (unsigned)f->rsi;
	struct task *t = sched_current();
	struct futex_waiter *waiters;
	struct word *words;
	int err;

	if (t->again)
		return wait_again(t);
	if (f->rdx || !n || n > FUTEX_WAITV_MAX || !f->rdi)
		return -EINVAL;
	err = set_waitv_deadline(t, f->r10, f->r8);
	if (err)
		return err;
	/* One piece of memory for words and waiters; it is freed when the wait ends. */
	waiters = heap_alloc(n * (sizeof(*waiters) + sizeof(*words)));
	if (!waiters)
		return -ENOMEM;
	words = (struct word *)(waiters + n);
	for (unsigned i = 0; i < n && !err; i++)
		err = read_waitv(f->rdi + i * sizeof(struct futex_waitv), &words[i], &waiters[i]);
	if (!err)
		return wait_for_words(t, waiters, words, n);
	heap_free(waiters);
	return err;
}

/* --- Ends of threads --- */

#define ROBUST_MOST 2048 /* entries of a list that are looked at */

/* Marks a lock whose holder ends, so that the next holder learns of it. Other CPUs may change
 * the word meanwhile. */
static void give_up_lock(const struct task *t, uint64_t address)
{
	uint32_t word, expected;

	if (address & 3 || copy_from_user(&word, address, sizeof(word)))
		return;
	do {
		if ((word & FUTEX_TID_MASK) != t->tid)
			return;
		expected = word;
		if (user_cmpxchg(address, &word, (word & FUTEX_WAITERS) | FUTEX_OWNER_DIED))
			return;
	} while (word != expected);
	if (word & FUTEX_WAITERS)
		futex_wake(address, false, 1, FUTEX_BITSET_MATCH_ANY);
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

	if (t->futex.waits.n)
		end_wait(t, 0);
	leave_robust_list(t);
	if (t->clear_tid && t->process->mm->refs + t->process->threads > 2 &&
	    !copy_to_user(t->clear_tid, &zero, sizeof(zero)))
		futex_wake(t->clear_tid, false, 1, FUTEX_BITSET_MATCH_ANY);
	t->clear_tid = t->robust_list = 0;
}

const struct syscall_row syscall_futex_rows[] = {
	{__NR_futex, sys_futex},
	{__NR_futex_waitv, sys_futex_waitv},
	{0, NULL},
};
