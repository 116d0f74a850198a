/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ptrace_parts.h - shared by linux/syscall/sys_ptrace.c and the files that implement ptrace.h:
 * stops in ptrace_stop.c, job control in ptrace_job.c, tracers and tracees in ptrace_tracer.c,
 * registers in ptrace_registers.c, debug registers in ptrace_watch.c. Functions are called with the
 * lock of the tree of tasks, unless they say otherwise.
 */
#ifndef LINUX_TASK_PTRACE_PARTS_H
#define LINUX_TASK_PTRACE_PARTS_H

#include "linux/task/task_parts.h"

#include <linux/ptrace.h>
#include <stddef.h>

#define EVENT_CODE(event) ((int)(event) << 8 | SIGTRAP)

/* ptrace_note_watched() - updates `watched`, which tells whether the scheduler has to check `t`. */
void ptrace_note_watched(struct task *t);

/* ptrace_tell_tracer() - `t` has stopped: sends SIGCHLD, and wakes the tracer's threads in
 * wait4(2). */
void ptrace_tell_tracer(struct task *t);

/* ptrace_tell_stop() - tells `to` that a child or traced task has stopped, continued or ended:
 * sends SIGCHLD, unless it is ignored or SA_NOCLDSTOP is set, and wakes threads in wait4(2). `why`
 * is a CLD_ code. */
void ptrace_tell_stop(struct process *to, uint32_t pid, int why, int status);

/* ptrace_attach() - makes `by` the tracer of `t`. ptrace_detach() - removes it. */
void ptrace_attach(struct task *t, struct process *by, uint32_t options, bool seized);
void ptrace_detach(struct task *t);

/* ptrace_let_go() - resumes a stopped task, with signal `number` (0: none). */
void ptrace_let_go(struct task *t, int number);

/* ptrace_trap() - stops the task as soon as possible: PTRACE_INTERRUPT. */
void ptrace_trap(struct task *t);

/* ptrace_retrap() - reports news to the tracer of a task that listens (PTRACE_LISTEN). */
void ptrace_retrap(struct task *t);

/* job_joined() - a thread of the process has stopped; after the last one the parent is notified. */
void job_joined(struct process *p);

/*
 * ptrace_holds() - if a tracer has to learn of the end of `p` before the parent, notifies the
 * tracer and returns true.
 * ptrace_release() - called when the tracer has collected the status, or has ended: now the parent
 * is notified (task_end.c).
 */
bool ptrace_holds(struct process *p);
void ptrace_release(struct process *p);

/* Registers in the order of struct user_regs_struct of <sys/user.h>. ptrace_write_word() - -EIO:
 * the value is not allowed. */
#define PTRACE_WORDS 27
uint64_t ptrace_read_word(const struct task *t, unsigned i);
int ptrace_write_word(struct task *t, unsigned i, uint64_t value);

/*
 * Debug registers 0 to 7.
 * ptrace_make_watch() - allocates memory for them; -ENOMEM.
 * ptrace_read_debug() - returns the value that was set.
 * ptrace_write_debug() - sets one, after ptrace_make_watch(), with the turn of perf_parts.h and
 * without the lock; -EIO, -EINVAL, -ENOSPC, -ESRCH.
 */
#define PTRACE_DEBUG_REGISTERS 8
int ptrace_make_watch(struct task *t);
uint64_t ptrace_read_debug(const struct task *t, unsigned i);
int ptrace_write_debug(struct task *t, unsigned i, uint64_t value);

#endif
