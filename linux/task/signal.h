/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * signal.h - signals as in signal(7). A signal is sent to a process or to one of its threads. It is
 * delivered when a thread that does not block it returns to ring 3. The frame on its stack has the
 * layout of <asm/ucontext.h> and the System V ABI, AMD64 supplement. The lock of the tree of tasks
 * guards pending signals. linux/task/ptrace.h has the signals that stop a process, and tracers,
 * which are asked before a delivery.
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

/* Constants of sigaltstack(2) in the kernel's <linux/signal.h>, which libc's headers hide. */
#ifndef SS_ONSTACK
#define SS_ONSTACK 1
#define SS_DISABLE 2
#endif
#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1u << 31)
#endif

/* The layout that rt_sigaction(2) takes. */
struct signal_action {
	uint64_t handler, flags, restorer, mask;
};

struct signal_entry {
	struct signal_entry *next;
	struct signal_queue *on; /* NULL: not queued */
	siginfo_t info;
	/* Set for an entry in a timer's own memory: called with the lock when a thread takes the
	 * signal; completes `info`. NULL: the entry is on the heap. */
	void (*taken)(struct signal_entry *entry);
};

/* Pending signals: for each number a ring of entries. `last` is the last entry, so its next is the
 * first. A bit without an entry is a signal without further information. */
struct signal_queue {
	uint64_t pending; /* bit n - 1 for signal n */
	struct signal_entry *last[SIGNALS];
};

/* RLIMIT_SIGPENDING, soft and hard: the number of pending signals of all processes that have an
 * entry, plus timers of timer_create(2). It bounds the cost of the end of a run. */
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
	uint64_t saved; /* the mask to restore after the next delivery, if `restore` */
	bool restore;
	uint64_t waited; /* rt_sigtimedwait(2): these signals wake the task, blocked or not */
	stack_t stack;   /* sigaltstack(2) */
};

/* Results of interrupted system calls. The delivery of the signal replaces them; ring 3 never sees
 * them. */
enum {
	SIGNAL_RESTART = 512,            /* repeated, unless a handler without SA_RESTART runs */
	SIGNAL_RESTART_NO_HANDLER = 514, /* repeated if no handler runs, else EINTR */
};

static inline uint64_t signal_bit(int number)
{
	return 1ull << (number - 1);
}

/* Signals that no mask blocks. */
#define SIGNALS_UNMASKABLE (signal_bit(SIGKILL) | signal_bit(SIGSTOP))

/*
 * signal_send_process() - sends a signal to any thread of a process.
 * signal_send_task() - sends a signal to one task.
 * An ignored signal is dropped. -EAGAIN: the signal has to be queued (it is at or above SIGRTMIN,
 * and comes neither from kill(2) nor from ring 0), and the limit of the process is reached. With
 * the lock of the tree; any context but NMI.
 * signal_info() - returns an info with that number and code (SI_USER, SI_KERNEL, ...).
 */
int signal_send_process(struct process *p, const siginfo_t *info);
int signal_send_task(struct task *t, const siginfo_t *info);
siginfo_t signal_info(int number, int code);

/*
 * signal_reserve() - counts one more entry, in the caller's memory; false: the limit of the process
 * is reached.
 * signal_unreserve() - counts one entry fewer.
 * signal_reserved() - the number of entries.
 * With the lock.
 */
bool signal_reserve(const struct process *p);
void signal_unreserve(void);
unsigned signal_reserved(void);

/* signal_waits() - true where the task has a signal to take, or a stop to make. Interrupts off, on
 * its CPU. */
bool signal_waits(struct task *t);

/* signal_kills() - true where a SIGKILL is pending. It ends every wait of the task. */
bool signal_kills(const struct task *t);

/*
 * signal_deliver() - called in the task's memory, before it returns to ring 3. If a handler is to
 * run, sets the registers so that ring 3 enters it. False: the signal ends the process.
 * signal_return() - rt_sigreturn(2): restores the registers from the frame. False: the stack has no
 * valid frame, and a SIGSEGV is sent.
 */
bool signal_deliver(struct task *t);
bool signal_return(struct task *t);

/*
 * signal_force() - called for a fault of the current task: delivers `info` even if it is blocked or
 * ignored; in that case it ends the process.
 * signal_force_locked() - likewise, with the lock held.
 */
void signal_force(struct task *t, const siginfo_t *info);
void signal_force_locked(struct task *t, const siginfo_t *info);

/* signal_take() - takes the next pending signal of `wanted`, for rt_sigtimedwait(2); 0: none. */
int signal_take(struct task *t, uint64_t wanted, siginfo_t *info);

/*
 * For signalfd(2).
 * signal_file_pending() - true where a signal of `mask` is pending for the current task.
 * signal_file_take() - takes one as a struct signalfd_siginfo; false: there is none.
 * signal_file_queue() - the queue that is woken when a signal was sent.
 * signal_file_tell() - wakes that queue; any context.
 */
bool signal_file_pending(uint64_t mask);
bool signal_file_take(uint64_t mask, void *to);
struct wait_queue *signal_file_queue(void);
void signal_file_tell(void);

/*
 * signal_exec() - resets handlers; ignored signals stay ignored.
 * signal_forget() - drops all pending signals.
 * signal_forget_some() - drops the pending signals of `set`; with the lock.
 * signal_is_fatal() - true where the default action of the signal ends a process.
 * signal_name() - a name such as "SIGSEGV".
 */
void signal_exec(struct signals *s);
void signal_forget(struct signal_queue *q);
void signal_forget_some(struct signal_queue *q, uint64_t set);
bool signal_is_fatal(int number);
const char *signal_name(int number);

#endif
