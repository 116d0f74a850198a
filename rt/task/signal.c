// SPDX-License-Identifier: BSD-2-Clause
/* signal.c - which signals are pending where, and which one is next. Delivery: signal_frame.c. */
#include "rt/task/signal_parts.h"

#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "rt/mem/heap.h"
#include "rt/task/sched.h"

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

/* Faults come first, as they belong to the instruction that comes next. */
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

/* Of those below SIGRTMIN one is enough. Without memory for its origin the number remains. */
static void enqueue(struct signal_queue *q, const siginfo_t *info)
{
	const uint64_t bit = signal_bit(info->si_signo);
	struct signal_entry **at = &q->first, *entry;

	if (q->pending & bit && info->si_signo < SIGRTMIN)
		return;
	q->pending |= bit;
	entry = heap_alloc(sizeof(*entry));
	if (!entry)
		return;
	entry->info = *info;
	while (*at)
		at = &(*at)->next;
	*at = entry;
}

void signal_forget(struct signal_queue *q)
{
	while (q->first) {
		struct signal_entry *entry = q->first;

		q->first = entry->next;
		heap_free(entry);
	}
	q->pending = 0;
}

void signal_forget_some(struct signal_queue *q, uint64_t set)
{
	struct signal_entry **at = &q->first;

	while (*at) {
		struct signal_entry *entry = *at;

		if (!(set & signal_bit(entry->info.si_signo))) {
			at = &entry->next;
			continue;
		}
		*at = entry->next;
		heap_free(entry);
	}
	q->pending &= ~set;
}

bool signal_add_overruns(const struct signal_queue *q, int number, int timer, int times)
{
	for (struct signal_entry *e = q->first; e; e = e->next) {
		if (e->info.si_signo != number || e->info.si_code != SI_TIMER ||
		    e->info.si_tid != timer)
			continue;
		e->info.si_overrun += times;
		return true;
	}
	return false;
}

/* The oldest of that number; its bit stays as long as there are more. */
static siginfo_t dequeue(struct signal_queue *q, int number)
{
	siginfo_t info = signal_info(number, SI_USER);
	struct signal_entry **at = &q->first, *entry;

	q->pending &= ~signal_bit(number);
	while (*at && (*at)->info.si_signo != number)
		at = &(*at)->next;
	entry = *at;
	if (!entry)
		return info;
	info = entry->info;
	*at = entry->next;
	heap_free(entry);
	for (entry = q->first; entry; entry = entry->next)
		if (entry->info.si_signo == number)
			q->pending |= signal_bit(number);
	return info;
}

static bool is_wanted(const struct task *t, int number)
{
	return !(t->signals.blocked & ~t->signals.waited & signal_bit(number));
}

/* A task that sleeps looks at it, one that runs comes back for it. */
static void tell_task(struct task *t)
{
	if (!sched_wake(t))
		smp_kick(t->cpu);
}

/* What was enqueued before is seen by the task that looks behind this. */
static void heed_process(const struct process *p)
{
	for (struct task *t = task_tree.first; t; t = t->next_task)
		if (t->process == p)
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

/* Its tracer sees what it ignores, too. */
void signal_send_task(struct task *t, const siginfo_t *info)
{
	job_sent(t->process, info->si_signo);
	if (!t->trace.by && is_ignored(&t->process->signals, info->si_signo) &&
	    is_wanted(t, info->si_signo) && !(t->signals.waited & signal_bit(info->si_signo)))
		return;
	enqueue(&t->signals.queue, info);
	task_heed(t);
	signal_file_tell();
	if (is_wanted(t, info->si_signo))
		tell_task(t);
}

static struct task *thread_for(struct process *p, int number)
{
	for (struct task *t = task_tree.first; t; t = t->next_task)
		if (t->process == p && is_wanted(t, number) && !t->killed)
			return t;
	return NULL;
}

void signal_send_process(struct process *p, const siginfo_t *info)
{
	struct task *t = thread_for(p, info->si_signo);

	job_sent(p, info->si_signo);
	if (t && !t->trace.by && is_ignored(&p->signals, info->si_signo) &&
	    !(t->signals.waited & signal_bit(info->si_signo)))
		return;
	enqueue(&p->signals.queue, info);
	heed_process(p);
	signal_file_tell();
	if (t)
		tell_task(t);
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

/* What sends the signal may not have come so far as to note it, and a system call that returns for
 * it would return to ring 3. */
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
	enqueue(&t->signals.queue, info);
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
