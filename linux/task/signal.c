// SPDX-License-Identifier: BSD-2-Clause
/* signal.c - the queues of pending signals, sending, and the choice of the next signal.
 * signal_frame.c delivers it. */
#include "linux/task/signal_parts.h"

#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "rt/base/heap.h"
#include "linux/task/sched.h"

#include <linux/errno.h>

#define BIT(name) (1ull << ((name)-1))
static const uint64_t ignored_by_default =
	BIT(SIGCHLD) | BIT(SIGURG) | BIT(SIGWINCH) | BIT(SIGCONT);

static bool is_ignored_by_default(int number)
{
	return ignored_by_default & signal_bit(number);
}

bool signal_is_fatal(int number)
{
	return !is_ignored_by_default(number) && !job_is_stop(number);
}

/* Faults come first: they belong to the next instruction. */
static const uint64_t first_of_all =
	BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGFPE) | BIT(SIGSYS);
#undef BIT

const char *signal_name(int number)
{
	static const char *const names[] = {
		[SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",       [SIGQUIT] = "SIGQUIT",
		[SIGILL] = "SIGILL",   [SIGTRAP] = "SIGTRAP",     [SIGABRT] = "SIGABRT",
		[SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",       [SIGKILL] = "SIGKILL",
		[SIGUSR1] = "SIGUSR1", [SIGSEGV] = "SIGSEGV",     [SIGUSR2] = "SIGUSR2",
		[SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM",     [SIGTERM] = "SIGTERM",
		[SIGCHLD] = "SIGCHLD", [SIGXCPU] = "SIGXCPU",     [SIGXFSZ] = "SIGXFSZ",
		[SIGPROF] = "SIGPROF", [SIGVTALRM] = "SIGVTALRM", [SIGIO] = "SIGIO",
		[SIGSYS] = "SIGSYS",
	};
	const unsigned n = (unsigned)number;

	return n < sizeof(names) / sizeof(names[0]) && names[n] ? names[n] : "a signal";
}

siginfo_t signal_info(int number, int code)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = number;
	info.si_code = code;
	return info;
}

static bool is_ignored(const struct signals *s, int number)
{
	const uint64_t handler = s->action[number - 1].handler;

	return handler == (uint64_t)SIG_IGN ||
	       (handler == (uint64_t)SIG_DFL && is_ignored_by_default(number));
}

/* --- Entries --- */

static unsigned reserved; /* number of entries of all processes; with the lock */

bool signal_reserve(const struct process *p)
{
	if (reserved >= p->limits[RLIMIT_SIGPENDING].rlim_cur)
		return false;
	reserved++;
	return true;
}

void signal_unreserve(void)
{
	reserved--;
}

unsigned signal_reserved(void)
{
	return reserved;
}

static void release_entry(struct signal_entry *entry)
{
	entry->on = NULL;
	if (entry->taken)
		return;
	heap_free(entry);
	signal_unreserve();
}

static void append_entry(struct signal_queue *q, struct signal_entry *entry)
{
	struct signal_entry **last = &q->last[entry->info.si_signo - 1];

	entry->on = q;
	entry->next = *last ? (*last)->next : entry;
	if (*last)
		(*last)->next = entry;
	*last = entry;
	q->pending |= signal_bit(entry->info.si_signo);
}

/* Unlinks the entry after `before` from the ring of that number. Without further entries the
 * pending bit is cleared. */
static struct signal_entry *take_entry(struct signal_queue *q, int number,
				       struct signal_entry *before)
{
	struct signal_entry **last = &q->last[number - 1], *entry = before->next;

	before->next = entry->next;
	if (*last == entry)
		*last = before == entry ? NULL : before;
	if (!*last)
		q->pending &= ~signal_bit(number);
	return entry;
}

void signal_take_back(struct signal_entry *own)
{
	struct signal_entry *before = own;

	if (!own->on)
		return;
	while (before->next != own)
		before = before->next;
	take_entry(own->on, own->info.si_signo, before);
	own->on = NULL;
}

/* True for a signal of ring 0 below SIGRTMIN: a queue holds at most one such signal of each number,
 * so its entry ignores the limit. */
static bool is_beyond_limit(const siginfo_t *info)
{
	return info->si_signo < SIGRTMIN && info->si_code >= 0;
}

/* True for a signal that becomes pending even if there is no room for its origin: the sender gets
 * no error. */
static bool needs_no_entry(const siginfo_t *info)
{
	return info->si_signo < SIGRTMIN || info->si_code >= 0;
}

static struct signal_entry *alloc_signal_entry(const struct process *p, const siginfo_t *info)
{
	const bool has_room =
		reserved < p->limits[RLIMIT_SIGPENDING].rlim_cur || is_beyond_limit(info);
	struct signal_entry *entry = has_room ? heap_alloc(sizeof(*entry)) : NULL;

	if (!entry)
		return NULL;
	entry->info = *info;
	reserved++;
	return entry;
}

/* A pending signal below SIGRTMIN is not queued twice. */
static int enqueue(const struct process *p, struct signal_queue *q, const siginfo_t *info)
{
	const uint64_t bit = signal_bit(info->si_signo);
	struct signal_entry *entry;

	if (q->pending & bit && info->si_signo < SIGRTMIN)
		return 0;
	entry = alloc_signal_entry(p, info);
	if (!entry && !needs_no_entry(info))
		return -EAGAIN;
	q->pending |= bit;
	if (entry)
		append_entry(q, entry);
	return 0;
}

void signal_forget_some(struct signal_queue *q, uint64_t set)
{
	uint64_t left = q->pending & set;

	/* Each number with entries has its bit set. */
	for (; left; left &= left - 1) {
		const int number = __builtin_ctzll(left) + 1;

		while (q->last[number - 1])
			release_entry(take_entry(q, number, q->last[number - 1]));
	}
	q->pending &= ~set;
}

void signal_forget(struct signal_queue *q)
{
	signal_forget_some(q, UINT64_MAX);
}

/* Takes the oldest signal of that number; the pending bit stays while there are more. */
static siginfo_t dequeue(struct signal_queue *q, int number)
{
	siginfo_t info = signal_info(number, SI_USER);
	struct signal_entry *entry = q->last[number - 1];

	if (!entry) {
		q->pending &= ~signal_bit(number);
		return info;
	}
	entry = take_entry(q, number, entry);
	if (entry->taken)
		entry->taken(entry);
	info = entry->info;
	release_entry(entry);
	return info;
}

/* --- Sending --- */

static bool is_wanted(const struct task *t, int number)
{
	return !(t->signals.blocked & ~t->signals.waited & signal_bit(number));
}

/* Wakes a sleeping task, and brings a running one back to ring 0. */
static void tell_task(struct task *t)
{
	if (!sched_wake(t))
		smp_kick(t->cpu);
}

/* A thread that checks for signals after this call sees all signals that were enqueued before. */
static void heed_process(const struct process *p)
{
	for (struct task *t = p->first_thread; t; t = t->next_thread)
		task_heed(t);
}

void task_heeds_no_more(struct task *t)
{
	__atomic_store_n(&t->heeds, false, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&t->signals.queue.pending, __ATOMIC_SEQ_CST) |
	    __atomic_load_n(&t->process->signals.queue.pending, __ATOMIC_SEQ_CST))
		t->heeds = true;
	if (ptrace_interrupts(&t->trace))
		t->heeds = true;
}

/* A tracer also sees signals that the task ignores. */
static bool is_lost_on(const struct task *t, int number)
{
	return !t->trace.by && is_ignored(&t->process->signals, number) && is_wanted(t, number) &&
	       !(t->signals.waited & signal_bit(number));
}

static void tell_of_task(struct task *t, int number)
{
	task_heed(t);
	signal_file_tell();
	if (is_wanted(t, number))
		tell_task(t);
}

static struct task *thread_for(struct process *p, int number)
{
	for (struct task *t = p->first_thread; t; t = t->next_thread)
		if (is_wanted(t, number) && !t->killed)
			return t;
	return NULL;
}

/* Chooses the thread once the signal is pending: a thread that unblocks it meanwhile is woken, or
 * sees the signal before it sleeps. */
static void tell_of_process(struct process *p, int number)
{
	struct task *t;

	heed_process(p);
	signal_file_tell();
	t = thread_for(p, number);
	if (t)
		tell_task(t);
}

int signal_send_task(struct task *t, const siginfo_t *info)
{
	int err;

	job_sent(t->process, info->si_signo);
	if (is_lost_on(t, info->si_signo))
		return 0;
	err = enqueue(t->process, &t->signals.queue, info);
	if (!err)
		tell_of_task(t, info->si_signo);
	return err;
}

int signal_send_process(struct process *p, const siginfo_t *info)
{
	struct task *t = thread_for(p, info->si_signo);
	int err;

	job_sent(p, info->si_signo);
	if (t && is_lost_on(t, info->si_signo))
		return 0;
	err = enqueue(p, &p->signals.queue, info);
	if (!err)
		tell_of_process(p, info->si_signo);
	return err;
}

bool signal_is_blocked(struct process *p, const struct task *to, int number)
{
	return to ? !is_wanted(to, number) : !thread_for(p, number);
}

bool signal_send_own(struct process *p, struct task *to, struct signal_entry *own)
{
	const int number = own->info.si_signo;
	struct task *t = to ? to : thread_for(p, number);

	if (own->on)
		return true;
	if (t && is_lost_on(t, number))
		return false;
	append_entry(to ? &to->signals.queue : &p->signals.queue, own);
	if (to)
		tell_of_task(to, number);
	else
		tell_of_process(p, number);
	return true;
}

static uint64_t deliverable(const struct task *t)
{
	return (t->signals.queue.pending | t->process->signals.queue.pending) &
	       (~t->signals.blocked | SIGNALS_UNMASKABLE);
}

bool signal_kills(const struct task *t)
{
	return (t->signals.queue.pending | t->process->signals.queue.pending) & signal_bit(SIGKILL);
}

/* Sets `heeds` for a sender that has not set it yet. Otherwise the interrupted system call would
 * return to ring 3 directly. */
bool signal_waits(struct task *t)
{
	if (!deliverable(t) && !ptrace_interrupts(&t->trace))
		return false;
	task_heed(t);
	return true;
}

static int lowest_signal(uint64_t set)
{
	const uint64_t first = set & first_of_all;

	return __builtin_ctzll(first ? first : set) + 1;
}

int signal_take(struct task *t, uint64_t wanted, siginfo_t *info)
{
	struct signal_queue *own = &t->signals.queue, *all = &t->process->signals.queue;
	const uint64_t flags = task_lock_tree();
	int number = 0;

	if (own->pending & wanted)
		number = lowest_signal(own->pending & wanted);
	else if (all->pending & wanted)
		number = lowest_signal(all->pending & wanted);
	if (number)
		*info = dequeue(own->pending & wanted ? own : all, number);
	task_unlock_tree(flags);
	return number;
}

int signal_next(struct task *t, siginfo_t *info)
{
	return signal_take(t, deliverable(t), info);
}

void signal_force_locked(struct task *t, const siginfo_t *info)
{
	struct signal_action *action = &t->process->signals.action[info->si_signo - 1];
	const uint64_t bit = signal_bit(info->si_signo);

	if (t->signals.blocked & bit || action->handler == (uint64_t)SIG_IGN)
		*action = (struct signal_action){0};
	t->signals.blocked &= ~bit;
	enqueue(t->process, &t->signals.queue, info);
	task_heed(t);
}

void signal_force(struct task *t, const siginfo_t *info)
{
	const uint64_t flags = task_lock_tree();

	signal_force_locked(t, info);
	task_unlock_tree(flags);
}

void signal_exec(struct signals *s)
{
	for (unsigned i = 0; i < SIGNALS; i++) {
		const bool ignored = s->action[i].handler == (uint64_t)SIG_IGN;

		s->action[i] = (struct signal_action){.handler = ignored ? (uint64_t)SIG_IGN : 0};
	}
}
