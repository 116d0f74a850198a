/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * signal.h - signals as in signal(7): sent to a process or to one of its threads, and delivered
 * when a thread that does not block them returns to ring 3. Layout of the frame on its stack:
 * <asm/ucontext.h> and the System V ABI, AMD64 supplement. Pending signals are under the lock of
 * the tree of tasks. Signals that stop a process, and tracers that are asked before one is
 * delivered: linux/task/ptrace.h.
 */
#ifndef LINUX_TASK_SIGNAL_H
#define LINUX_TASK_SIGNAL_H

#include <asm/siginfo.h>
#include <asm/signal.h>
#include <stdbool.h>
#include <stdint.h>

struct process;
struct task;
struct trap_frame;
struct wait_queue;

#define SIGNALS 64

/* sigaltstack(2), as <linux/signal.h> of the kernel has it: libc's headers hide it. */
#ifndef SS_ONSTACK
#define SS_ONSTACK 1
#define SS_DISABLE 2
#endif
#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1u << 31)
#endif

/* As rt_sigaction(2) takes it. */
struct signal_action {
	uint64_t handler, flags, restorer, mask;
};

struct signal_entry {
	struct signal_entry *next;
	struct signal_queue *on; /* NULL: not queued */
	siginfo_t info;
	/* Entry in a timer's own memory: called with the lock when a thread takes the signal,
	 * and completes `info`. NULL: the entry is on the heap. */
	void (*taken)(struct signal_entry *entry);
};

/* Pending signals: for each number a ring of entries, of which `last` is the last, so its next
 * is the first. A bit without an entry is a signal without further information. */
struct signal_queue {
	uint64_t pending; /* bit n - 1 for signal n */
	struct signal_entry *last[SIGNALS];
};

/* RLIMIT_SIGPENDING, as soft and hard limit: signals of all processes that wait with an entry, and
 * timers of timer_create(2). What all of them cost at the end of a run is bounded by it. */
#define SIGNALS_PENDING_MOST 8192

/* The signals of a process. */
struct signals {
	struct signal_action action[SIGNALS];
	struct signal_queue queue;
};

/* The signals of a task. */
struct task_signals {
	struct signal_queue queue;
	uint64_t blocked;
	uint64_t saved; /* blocked behind the next delivery, where `restore` */
	bool restore;
	uint64_t waited; /* rt_sigtimedwait(2): these wake it, blocked or not */
	stack_t stack;   /* sigaltstack(2) */
};

/* Results of interrupted system calls. The delivery decides what becomes of them; ring 3 never
 * sees them. */
enum {
	SIGNAL_RESTART = 512,            /* made again, if there is no handler, or its SA_RESTART */
	SIGNAL_RESTART_NO_HANDLER = 514, /* made again if there is no handler, else EINTR */
};

static inline uint64_t signal_bit(int number)
{
	return 1ull << (number - 1);
}

/* Signals that no mask blocks. */
#define SIGNALS_UNMASKABLE (signal_bit(SIGKILL) | signal_bit(SIGSTOP))

/*
 * signal_send() - to a process, to any of its threads, or to one task. Signals that are ignored are
 * gone. -EAGAIN: it is one that has to be queued (above SIGRTMIN, and not of kill(2) or ring 0),
 * and the limit of the process is reached. With the lock of the tree; any context but NMI.
 * signal_info() - an info of that number and origin (SI_USER, SI_KERNEL, ...).
 */
int signal_send_process(struct process *p, const siginfo_t *info);
int signal_send_task(struct task *t, const siginfo_t *info);
siginfo_t signal_info(int number, int code);

/* signal_reserve() - counts one entry more, in the caller's memory; false: the process is at its
 * limit. signal_unreserve() - one fewer. signal_reserved() - how many there are. With the lock. */
bool signal_reserve(const struct process *p);
void signal_unreserve(void);
unsigned signal_reserved(void);

/* signal_waits() - is there something to deliver to the task? Interrupts off, on its CPU. */
bool signal_waits(struct task *t);

/* signal_kills() - is a SIGKILL pending? It precedes all else that the task waits for. */
bool signal_kills(const struct task *t);

/*
 * signal_deliver() - the task is about to go on in ring 3, in its memory: its registers are such
 * that it goes on in a handler, if there is one to run. False: the signal ends its process.
 * signal_return() - rt_sigreturn(2): its registers are those of before; false: what lies on its
 * stack is not such a frame, and a SIGSEGV is sent.
 */
bool signal_deliver(struct task *t);
bool signal_return(struct task *t);

/*
 * signal_force() - a fault of the task that runs: `info` is delivered even if it is blocked or
 * ignored (then it ends the process). signal_force_locked() - the same with the lock.
 */
void signal_force(struct task *t, const siginfo_t *info);
void signal_force_locked(struct task *t, const siginfo_t *info);

/* signal_take() - takes the next pending signal of `wanted`, for rt_sigtimedwait(2); 0: none. */
int signal_take(struct task *t, uint64_t wanted, siginfo_t *info);

/*
 * For signalfd(2): whether one of `mask` is pending for the task that runs here; taking it as a
 * struct signalfd_siginfo, false: there is none; the queue that is woken when one was sent; and
 * waking it, any context.
 */
bool signal_file_pending(uint64_t mask);
bool signal_file_take(uint64_t mask, void *to);
struct wait_queue *signal_file_queue(void);
void signal_file_tell(void);

/* signal_exec() - resets handlers; ignored signals stay ignored. signal_forget() - drops all
 * pending signals. signal_forget_some() - drops those of `set`; with the lock. signal_is_fatal()
 * - does its default action end a process? */
void signal_exec(struct signals *s);
void signal_forget(struct signal_queue *q);
void signal_forget_some(struct signal_queue *q, uint64_t set);
bool signal_is_fatal(int number);
const char *signal_name(int number);

#endif
